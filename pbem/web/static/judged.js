// The lines as they were judged, each with what can be done to it.  What changes, moves or repeats one is tried before it
// is written, as what is offered is; only what takes one away is not.

import { countsOf } from "./counts.js";
import { changed, repeated, rows, stepped, swapped } from "./lines.js";

/** `judged`: where the lines are shown.  `desk`: `text()` as it stands, `write` at once, `propose` to be tried, and
 *  `writerOf` a row. */
export function judgedOf(judged, desk) {
  let opened = -1;
  let meant = null;  // by presses on the sheet that is open
  const rowAt = (text, number) => rows(text)[number] || "";

  /** Propose what `change` makes of a row, as that stands by then; nothing where it gives nothing. */
  function propose(number, change, more = {}) {
    desk.propose((base) => {
      const was = rowAt(base, number);
      const row = change(was);
      return row && row !== was ? { line: row.trim(), next: changed(base, number, row), elsewhere: true, was, ...more } : null;
    });
  }

  /** Its buttons, and a sheet where it counts things; that stays open while it is used. */
  function furnish(line, number) {
    line.append(tools(number));
    const row = rowAt(desk.text(), number);
    const words = { title: judged.dataset.counts, have: judged.dataset.have, held: judged.dataset.held };
    const before = opened === number ? meant : null;
    const sheet = countsOf(row, desk.writerOf(row), words, before, (change, fell, by) => {
      opened = number;
      meant = by;
      propose(number, change, { fell: (why) => fell(why, rowAt(desk.text(), number)) });
    });
    if (!sheet) return;
    sheet.open = opened === number;
    sheet.addEventListener("toggle", () => (opened = sheet.open ? number : opened === number ? -1 : opened));
    line.append(sheet);
  }

  /** The buttons behind a judged line. */
  function tools(number) {
    const row = rowAt(desk.text(), number);
    const writer = desk.writerOf(row);
    const box = document.createElement("span");
    box.className = "tools";
    const act = (sign, words, press, again) => {
      const made = document.createElement("button");
      made.type = "button";
      if (again) made.dataset.press = sign;
      made.textContent = sign;
      made.setAttribute("aria-label", `${words}: ${row.trim()}`);
      made.addEventListener("click", press);
      box.append(made);
    };
    const step = (now, by) => (desk.writerOf(now) === writer ? stepped(now, by, writer ? writer.prefix : "") : null);
    const again = (next) => desk.propose((base) => (rowAt(base, number) === row ? { line: row.trim(), next: next(base, number), elsewhere: true } : null));
    for (const [sign, by, words] of [["−", -1, judged.dataset.less], ["+", 1, judged.dataset.more]]) {
      if (step(row, by)) act(sign, words, () => propose(number, (now) => step(now, by)), true);
    }
    if (number > 0 && rowAt(desk.text(), number - 1).trim()) act("↑", judged.dataset.up, () => again(swapped));
    if (writer && writer.several) act("2×", judged.dataset.again, () => again(repeated));
    act("×", judged.dataset.drop, () => desk.write(changed(desk.text(), number, null)));
    return box;
  }

  return {
    /** Show lines as they were judged; a step that was pressed keeps the focus. */
    show(html) {
      const held = judged.contains(document.activeElement) && document.activeElement.dataset.press;
      const at = held && document.activeElement.closest("[data-line]").dataset.line;
      judged.innerHTML = html;
      for (const line of judged.querySelectorAll("[data-line]")) furnish(line, Number(line.dataset.line) - 1);
      const again = held && judged.querySelector(`[data-line="${at}"] [data-press="${CSS.escape(held)}"]`);
      if (again) again.focus({ preventScroll: true });
    },
    /** No sheet is being used. */
    close: () => (opened = -1),
  };
}
