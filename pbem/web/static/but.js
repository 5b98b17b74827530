// "But if…": what the order of a row may depend on, from a menu.  What the rules offer, and every line, the server says.

import { button, made } from "./panel.js";

/** `words`: those of the judged lines.  `desk`: `menu(row)`, what the server says of a row; `depend(row, change)` writes it anew;
 *  `otherwise(row)` lets another order be chosen; `show(title, text, ...content)` fills the panel; `busy(act)` runs one act
 *  after the other; `back(row)` puts the focus where the menu was opened. */
export function butOf(words, desk) {
  let fields = null;  // those of the condition that is being made

  const chip = (title, act) => button(title, () => desk.busy(act), { className: "chip spoken" });

  async function open(row) {
    const menu = await desk.menu(row);
    const has = (kind) => menu.kinds.includes(kind);
    const to = (change) => () => choose(row, change);
    fields = null;
    desk.show(menu.line, "", made("div", [
      has("else") && chip(words.butElse, () => desk.otherwise(row)),
      has("ask") && chip(words.butAsk, to({ kind: "ask" })),
      menu.otherwise && chip(words.butNoElse, to({ kind: "else" })),
      has("if") && chip(words.butIf, () => condition(row, menu)),
      menu.when && chip(words.butAnd, () => condition(row, { ...menu, when: null }, true)),
      menu.when && chip(words.butNoIf, to({ kind: "if" })),
    ], { className: "chips" }), has("times") && tries(row, menu.times)).querySelector(".chips button").focus();
  }

  async function choose(row, change) {
    await desk.depend(row, change);
    desk.back(row);
  }

  /** A stepper of how often an order is tried. */
  function tries(row, times) {
    const step = (sign, to, label) => {
      const act = async () => {
        if (!(await desk.depend(row, { kind: "times", times: to }))) return;
        await open(row);
        const again = document.querySelector(`#look [data-press="times ${sign}"]:not([disabled])`);
        if (again) again.focus();
      };
      const one = button(sign, () => desk.busy(act), { ariaLabel: `${words.butTimes}: ${label}`, disabled: to < 1 || to > 99 });
      one.dataset.press = `times ${sign}`;
      return one;
    };
    return made("div", [
      made("span", words.butTimes, { className: "label" }), step("−", times - 1, words.less),
      made("output", String(times)), step("+", times + 1, words.more),
    ], { className: "slot" });
  }

  // --- a condition

  const list = (pairs, chosen) => {
    const select = made("select", pairs.map(([value, label]) => made("option", label, { value })));
    if (chosen !== undefined && chosen !== null) select.value = chosen;
    return select;
  };
  const labelled = (title, field) => made("label", [made("span", title), field]);

  /** `also`: besides what the order depends on already. */
  function condition(row, menu, also = false) {
    const when = menu.when || { about: {} };
    const fact = list(menu.facts.map(({ name, usage }) => [name, usage]), when.fact);
    const negated = list([["", words.butHolds], ["1", words.butUnless]], when.negated ? "1" : "");
    const about = made("p", [], { className: "small" });
    const slots = made("div", [], { className: "about" });
    const spec = () => menu.facts.find(({ name }) => name === fact.value);
    const fieldOf = ({ name, words: at, low, high, likely }) => {
      const known = when.fact === fact.value ? when.about[name] : likely;
      const field = at !== undefined ? list(menu.words[at], known) : made("input", [], { type: "number", required: true, min: low ?? "", max: high ?? "", value: known ?? low ?? 1 });
      return Object.assign(field, { name });
    };
    const fill = () => {
      about.textContent = spec().about;
      slots.replaceChildren(...spec().slots.map((slot) => labelled(slot.title, fieldOf(slot))));
      fields = slots;
    };
    const form = made("form", [
      labelled(words.butWhen, negated), labelled(words.butFact, fact), slots,
      made("button", words.butWrite, { className: "chip spoken done" }), about,
    ], { className: "condition" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const values = [...slots.querySelectorAll("select, input")].map((field) => [field.name, field.type === "number" ? field.valueAsNumber : field.value]);
      const change = { kind: "if", fact: fact.value, about: Object.fromEntries(values), negated: Boolean(negated.value), also };
      desk.busy(() => choose(row, change));
    });
    fact.addEventListener("change", fill);
    fill();
    desk.show(words.butTitle, "", form);
    fact.focus();
  }

  return {
    open,
    /** Let a thing that is touched be what a condition is about; whether one is being made that can be. */
    take(name) {
      const lists = fields && fields.isConnected ? [...fields.querySelectorAll("select")] : [];
      for (const select of lists) {
        const option = [...select.options].find(({ value, label }) => [value.toLowerCase(), label.toLowerCase()].includes(name.toLowerCase()));
        if (!option) continue;
        select.value = option.value;
        return true;
      }
      return false;
    },
  };
}
