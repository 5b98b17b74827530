// Beside what was touched: what it is, what can be done with it, and the order that is under way, slot by slot.

const FEW = 12;
/** So many things are listed beside the board even where they can be touched on it. */

export function made(kind, content, more = {}) {
  const element = Object.assign(document.createElement(kind), more);
  element.append(...[content].flat().filter(Boolean));
  return element;
}

export function button(content, press, more = {}) {
  const element = made("button", content, { type: "button", ...more });
  element.addEventListener("click", press);
  return element;
}

/** A line without the title of its question, which stands above it. */
export const bare = (line, { title }) => (line.startsWith(title) && /^\s*:\s*(.*)/.exec(line.slice(title.length))?.[1]) || line;

/** What an order would come to: its line, the figures that it changes, what is to be said of it. */
export function outcomeOf({ line, figures, notes }, question) {
  const changes = figures.map(({ title, before, after }) => `${title} ${before} → ${after}`);
  const told = [...changes, ...notes].join(" · ");
  return [made("span", bare(line, question)), told ? made("small", told) : null];
}

/** `element`: its place on the page.  `called(name)`, `told(name)`: what the page calls a thing and says of it; `onBoard(name)`: whether it can be
 *  touched there.  `acts`: what its buttons do. */
export function panelOf(element, status, asked, { called, told, onBoard, acts, said }) {
  const words = element.dataset;
  let refused = null;

  function show(...content) {
    const held = element.contains(document.activeElement) ? document.activeElement.dataset.press : "";
    element.replaceChildren(...content.flat().filter(Boolean));
    element.hidden = !element.children.length;
    refused = null;
    const again = held && element.querySelector(`[data-press="${CSS.escape(held)}"]`);
    if (again) again.focus({ preventScroll: true });
  }

  function head(title, text = "") {
    const close = button("×", acts.stop, { ariaLabel: words.close, className: "plain close" });
    return [made("p", [made("strong", title), close], { className: "title" }), text ? made("p", text, { className: "small" }) : null];
  }

  function pressed(element, name) {
    element.dataset.press = name;
    return element;
  }

  // --- a thing

  /** An order that is begun, as it will be written: what is before its keyword first. */
  function begun(one, name) {
    const { keyword } = asked.formOf(one);
    const subject = asked.subject(one);
    if (!subject) return `${keyword} ${name}`;
    const others = asked.formOf(one).slots.filter((slot) => slot !== subject && slot.name in one.values);
    return [asked.label(subject, one.values[subject.name]), keyword, ...others.map((slot) => asked.label(slot, one.values[slot.name]))].join(" ");
  }

  const labelOf = ({ one, said: found, ready }, name) => (ready ? found.line : `${begun(one, name)} …`);

  /** `written`: the order that stands, which the choices may replace. */
  function look(name, choices, why, keys, written = "") {
    const labels = new Set(choices.map((choice) => labelOf(choice, name)));
    const buttons = [...labels].map((label) => {
      const own = choices.filter((choice) => labelOf(choice, name) === label);
      const [{ one, said: found, ready }] = own;
      return button(ready ? outcomeOf(found, asked.question(one.question)) : label, () => (own.length > 1 ? acts.narrow(own, label) : acts.proceed(one, found)), { className: "chip" });
    });
    const reason = why === null ? words.none : why;
    show(head(called(name), written ? `${words.added} ${written}` : told(name)), reason ? made("p", reason, { className: "why" }) : null, made("div", buttons, { className: "chips" }));
    status("");
    if (keys && buttons.length) buttons[0].focus();
  }

  // --- an order

  const titleOf = ({ keyword, called }) => [asked.sign(keyword, called), called].filter(Boolean).join(" ");

  function valueChips(slot, act) {
    const value = act.values[slot.name];
    if (value === undefined || value === null || (asked.isNumber(slot) && !slot.many)) return [];
    if (!Array.isArray(value)) return slot.optional ? [chip(`${asked.label(slot, value)} ×`, () => acts.drop(slot.name), "on")] : [made("b", asked.label(slot, value))];
    return value.map((one, n) => pressed(chip(`${asked.label(slot, one)} ×`, () => acts.drop(slot.name, n), "on"), `drop ${one}`));
  }

  function chip(content, press, more = "") {
    return button(content, press, { className: `chip ${more}` });
  }

  /** What a slot can take: a stepper, a field, or the things that are legal. */
  function optionsOf(slot, act, { legal, likely }) {
    if (slot.text) {
      const field = made("input", [], { maxLength: 200, value: act.values[slot.name] || "", ariaLabel: slot.title });
      field.addEventListener("change", () => acts.put(slot.name, field.value));
      return [field];
    }
    if (asked.isNumber(slot) && !slot.many) return stepper(slot, act, legal, likely);
    const others = legal.filter((value) => value !== act.values[slot.name]);
    const listed = others.filter((value) => legal.length <= FEW || likely.includes(value) || ![value, asked.label(slot, value), asked.place(slot, value)].some(onBoard));
    const buttons = listed.map((value) => pressed(chip(asked.label(slot, value), () => acts.take(slot.name, value), likely.includes(value) ? "likely" : ""), `take ${value}`));
    const left = others.length - listed.length;
    return left ? [...buttons, made("span", words.board.replace("%", String(others.length)), { className: "small" })] : buttons;
  }

  function stepper(slot, act, legal, likely) {
    const at = act.values[slot.name];
    const list = [...legal].sort((one, other) => one - other);
    const put = (value) => acts.put(slot.name, value);
    const step = (sign, value, label) => pressed(button(sign, () => put(value), { disabled: value === undefined, ariaLabel: label }), label);
    const less = list.filter((value) => value < at).at(-1);
    const more = list.find((value) => at === undefined || value > at);
    const marks = likely.filter((value) => value !== at).slice(0, 4).map((value) => pressed(chip(String(value), () => put(value), "likely"), `put ${value}`));
    return [step("−", less, words.less), made("output", at === undefined ? "–" : String(at)), step("+", more, words.more), ...marks];
  }

  function slotRow(slot, act, found) {
    const { slot: open } = found.forms[0];
    const isOpen = open && open.slot === slot.name;
    const has = slot.name in act.values && act.values[slot.name] !== null;
    if (!has && !isOpen && found.forms[0].nothing.includes(slot.name)) return null;
    const name = [asked.sign(slot.lead, slot.title), slot.title].filter(Boolean).join(" · ");
    const shown = has && asked.isNumber(slot) && !slot.many && !isOpen ? String(act.values[slot.name]) : "";
    const turn = isOpen ? null : pressed(button(has ? words.change : words.choose, () => acts.choose(slot.name), { className: "plain", ariaLabel: `${has ? words.change : words.choose} ${name}` }), `choose ${slot.name}`);
    const options = isOpen ? optionsOf(slot, act, open) : [];
    return made("div", [made("span", name, { className: "label" }), shown, ...valueChips(slot, act), ...options, turn], { className: `slot${isOpen ? " open" : ""}` });
  }

  /** How far a list is filled: `1 of 2`. */
  function progressOf(act, found) {
    const { slot: open } = found.forms[0];
    if (!open || !act.slot || !asked.slotOf(act).many) return "";
    const count = [act.values[act.slot] || []].flat().length;
    const of = open.least === open.most || open.stop ? open.least : open.most;
    return of && of > 1 ? words.progress.replace("%", String(count)).replace("#", String(of)) : "";
  }

  function order(act, found, { ready }) {
    const question = asked.question(act.question);
    const spec = question.forms[act.forms ? act.forms[0] : act.form];
    const progress = act.forms ? "" : progressOf(act, found);
    status(question.said || question.title, progress);
    if (act.forms) return show(head(act.title || titleOf(spec), words.touch), act.title ? verbs(question, act) : null);
    const done = ready && act.row === undefined ? button(outcomeOf(found, question), acts.done, { className: "chip done" }) : null;
    show(
      head(titleOf(spec), act.row === undefined ? spec.about : ""),
      spec.slots.map((slot) => slotRow(slot, act, found)),
      act.row !== undefined ? made("p", outcomeOf(found, question), { className: "small" }) : null,
      done ? made("div", done, { className: "chips" }) : null,
    );
    const open = element.querySelector(".slot.open");
    if (open) open.scrollIntoView({ block: "nearest" });
  }

  /** The words that begin an order, to choose from. */
  function verbs(question, act) {
    const keywords = [...new Set(act.forms.map((form) => question.forms[form].keyword))];
    const formsOf = (keyword) => act.forms.filter((form) => question.forms[form].keyword === keyword);
    const named = (keyword) => titleOf({ ...question.forms[formsOf(keyword)[0]], keyword });
    return made("div", keywords.map((keyword) => chip(named(keyword), () => acts.arm(act.question, formsOf(keyword)))), { className: "chips" });
  }

  return {
    look,
    order,
    /** An order that is begun in one of several ways: what is touched next says which. */
    touchNext: (title) => show(head(title, words.touch)),
    /** Something else: a heading, a line below it, and what can be done. */
    show(title, text, ...content) {
      show(head(title, text), ...content);
      return element;
    },
    /** Why what was touched is not possible. */
    refuse(why) {
      if (refused) refused.remove();
      refused = made("p", why, { className: "why" });
      element.append(refused);
      element.hidden = false;
      said(why);
    },
    close() {
      show();
      status("");
    },
  };
}
