// The lines as they were judged, each with what can be done to it.

import { rows } from "./lines.js";
import { button } from "./panel.js";

/** `judged`: where the lines are shown.  `desk`: `text()` as it stands, `rowOf` a number, `asked`, `canRepeat` a row,
 *  and what is done to a row: `edit`, `step`, `up`, `again`, `but`, `drop`, `use`. */
export function judgedOf(judged, desk) {
  const { asked } = desk;

  /** The slot of an order that holds its only number. */
  function numberOf(row) {
    const numbers = row && row.values ? asked.formOf(row).slots.filter((slot) => asked.isNumber(slot) && !slot.many && slot.name in row.values && row.values[slot.name] !== null) : [];
    return numbers.length === 1 ? numbers[0] : null;
  }

  /** The buttons behind a judged line. */
  function tools(number) {
    const text = (rows(desk.text())[number] || "").trim();
    const row = desk.rowOf(number);
    const box = Object.assign(document.createElement("span"), { className: "tools" });
    const act = (sign, words, press, className = "") => {
      const made = button(sign, press, { ariaLabel: `${words}: ${text}`, className });
      made.dataset.press = sign;
      box.append(made);
    };
    const slot = numberOf(row);
    if (slot) act("−", judged.dataset.less, () => desk.step(row, slot, -1));
    if (slot) act("+", judged.dataset.more, () => desk.step(row, slot, 1));
    if (row && row.values && asked.formOf(row).slots.length) act("✎", judged.dataset.edit, () => desk.edit(row));
    if (number > 0 && (rows(desk.text())[number - 1] || "").trim()) act("↑", judged.dataset.up, () => desk.up(number));
    if (row && row.values && desk.canRepeat(row)) act("2×", judged.dataset.again, () => desk.again(number));
    if (row && row.but && row.but.length) act(judged.dataset.butRow, judged.dataset.butRow, () => desk.but(number), "but");
    act("×", judged.dataset.drop, () => desk.drop(number));
    return box;
  }

  return {
    /** Show lines as they were judged; a button that was pressed keeps the focus. */
    show(html) {
      const held = judged.contains(document.activeElement) && document.activeElement.dataset.press;
      const at = held && document.activeElement.closest("[data-line]").dataset.line;
      judged.innerHTML = html;
      for (const line of judged.querySelectorAll("[data-line]")) line.append(tools(Number(line.dataset.line) - 1));
      for (const use of judged.querySelectorAll("[data-use]")) {
        use.addEventListener("click", () => desk.use(Number(use.closest("[data-line]").dataset.line) - 1, use.dataset.use));
      }
      const again = held && judged.querySelector(`[data-line="${at}"] [data-press="${CSS.escape(held)}"]`);
      if (again) again.focus({ preventScroll: true });
    },
    /** Bring the line of a row into sight, or the first one behind it. */
    bring(number) {
      const line = [...judged.querySelectorAll("[data-line]")].find((one) => Number(one.dataset.line) > number);
      if (line) line.scrollIntoView({ block: "nearest" });
    },
    /** Go back to the button that opened the menu of a row. */
    back(number) {
      const opener = judged.querySelector(`[data-line="${number + 1}"] .but`);
      if (opener) opener.focus({ preventScroll: true });
    },
  };
}
