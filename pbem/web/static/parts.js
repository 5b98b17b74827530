// The questions on the page: the one in front has its ways to write as tools to pick up, and suggested lines to write at
// once; the others are marks, which bring them to the front.

import { bare, button, made } from "./panel.js";

const SHOWN = 8;
const NUMBER = /(?<= )-?\d+(?= |$)/;
const SIGNS = { done: "✓", open: "●" };
const AHEAD = ["advance", "reaction", "optional"];

/** `element`: their place, with what is asked; `heard()`: what the judge said of the text.  `arm` a way to write, `write` a
 *  line, `step` a number of an order, `front` a question, `said` why something is not possible. */
export function partsOf(element, asked, { heard, armed, arm, write, step, front, said }) {
  const words = element.dataset;

  function section(question) {
    const part = document.createElement("section");
    part.className = "part";
    part.id = `part-${question.key}`;
    part.dataset.kind = question.kind;
    part.setAttribute("aria-labelledby", `title-${question.key}`);
    const title = Object.assign(document.createElement("h3"), { id: `title-${question.key}`, textContent: question.title });
    if (question.about) title.append(" ", Object.assign(document.createElement("span"), { className: "small", textContent: question.about }));
    part.append(title, verbs(question), amount(question), chips(question));
    return part;
  }

  function group(kind, label) {
    const box = Object.assign(document.createElement("div"), { className: kind });
    box.setAttribute("role", "group");
    box.setAttribute(label.startsWith("#") ? "aria-labelledby" : "aria-label", label.replace("#", ""));
    return box;
  }

  /** A button for each word that begins an order, once for all forms with this word; none for a word that is a whole order and
   *  is suggested below. */
  function verbs(question) {
    const row = group("verbs", `#title-${question.key}`);
    const { forms = [], likely = [] } = (heard() && heard().moves[question.key]) || {};
    const now = armed();
    const isWhole = ({ form }) => question.forms[form] && !question.forms[form].slots.length;
    for (const keyword of new Set(forms.map((form) => form.keyword))) {
      const own = forms.filter((form) => form.keyword === keyword);
      if (own.every(isWhole) && likely.slice(0, SHOWN).some((line) => bare(line, question) === keyword)) continue;
      const legal = own.filter(({ reason }) => !reason).map(({ form }) => form);
      const { called } = question.forms[own[0].form] || {};
      const sign = asked.sign(keyword, called);
      const verb = button([sign, called && sign ? made("small", ` ${called}`) : called], () => (legal.length ? arm(question.key, legal) : said(own[0].reason)));
      verb.dataset.press = `${question.key} ${keyword}`;
      const mine = now && now.question === question.key && (now.forms || [now.form]).some((form) => own.some((one) => one.form === form));
      verb.setAttribute("aria-pressed", String(Boolean(mine)));
      if (!legal.length) {
        verb.setAttribute("aria-disabled", "true");
        verb.title = own[0].reason;
      }
      row.append(verb);
    }
    return row;
  }

  /** A stepper where one number is asked for: from what is written, or from the likely number. */
  function amount(question) {
    const row = heard() && heard().rows.find((one) => one.question === question.key && one.values);
    const forms = (heard() && heard().moves[question.key] && heard().moves[question.key].forms) || [];
    const isAmount = (slots) => slots.length === 1 && asked.isNumber(slots[0]) && !slots[0].many;
    const needed = (one) => question.forms[one.form].slots.filter((slot) => !slot.optional);
    const one = row || forms.find((form) => !form.reason && form.slot && form.slot.likely.length && isAmount(needed(form)));
    if (!one || question.several || !isAmount(needed(one))) return "";
    const [{ name }] = needed(one);
    const order = row || { question: question.key, form: one.form, values: { [name]: one.slot.likely[0] } };
    const { slot } = forms.find(({ form }) => form === one.form) || {};
    const line = group("amount", `#title-${question.key}`);
    const turn = (sign, label, by) => {
      const isLast = slot && !slot.legal.some((value) => by * value > by * order.values[name]);
      const turner = button(sign, () => isLast || step(order, name, by), { ariaLabel: label, ariaDisabled: String(Boolean(isLast)) });
      turner.dataset.press = sign;
      return turner;
    };
    line.append(turn("−", words.less, -1), made("output", String(order.values[name]), { className: row ? "" : "likely" }), turn("+", words.plus, 1));
    return line;
  }

  /** Suggested lines, best first; where they are one line with several numbers, by number, and the best is marked. */
  function chips(question) {
    const box = group("chips", words.likely);
    const moves = (heard() && heard().moves[question.key]) || {};
    const has = heard() && heard().rows.some((row) => row.question === question.key);
    const likely = moves.likely || [];
    const isScale = likely.length > 1 && new Set(likely.map((line) => line.replace(NUMBER, "#"))).size === 1;
    const steps = isScale ? [...likely].sort((one, other) => NUMBER.exec(one) - NUMBER.exec(other)) : likely;
    const lines = [...steps, ...(question.pass && !has && moves.forms ? [question.pass] : [])];
    const list = lines.map((line) => {
      const chip = button(bare(line, question), () => write(question.key, line), { className: isScale && line === likely[0] ? "chip likely" : "chip" });
      chip.dataset.line = chip.dataset.press = line;
      return chip;
    });
    box.append(...list.slice(0, SHOWN));
    if (list.length > SHOWN) {
      const more = Object.assign(document.createElement("details"), { className: "more" });
      const rest = group("chips", words.likely);
      rest.append(...list.slice(SHOWN));
      more.append(Object.assign(document.createElement("summary"), { textContent: words.more.replace("%", String(list.length - SHOWN)) }), rest);
      box.append(more);
    }
    return box;
  }

  /** The marks of some questions; that of the one in front is the current one. */
  function marks(list, inFront, label) {
    if (!list.length) return [];
    const row = group("others", label);
    for (const question of list) {
      const done = heard() && heard().rows.some((one) => one.question === question.key);
      const state = done ? "done" : question.kind;
      const mark = button(question.title, () => front(question.key), { className: "mark", title: done ? words.done : "" });
      const sign = Object.assign(document.createElement("span"), { textContent: SIGNS[state] || "○" });
      sign.setAttribute("aria-hidden", "true");
      mark.prepend(sign, " ");
      if (done) mark.append(Object.assign(document.createElement("span"), { className: "unseen", textContent: ` (${words.done})` }));
      mark.dataset.press = `mark ${question.key}`;
      mark.dataset.state = state;
      if (question === inFront) mark.setAttribute("aria-current", "true");
      row.append(mark);
    }
    return [row];
  }

  /** Those that need not be answered now, under what they are. */
  function ahead(kind, inFront) {
    const list = marks(asked.questions.filter((question) => question.kind === kind), inFront, words[kind]);
    return list.length ? [Object.assign(document.createElement("h3"), { className: "small", textContent: words[kind] }), ...list] : [];
  }

  return {
    /** Bring the question in front into sight. */
    bring() {
      const part = element.querySelector(".part");
      if (part) part.scrollIntoView({ block: "nearest" });
    },
    /** Show them as they are now; `inFront`: the one that is answered, if any is. */
    show(inFront) {
      const held = element.contains(document.activeElement) ? document.activeElement.dataset.press : "";
      const unfolded = Boolean(element.querySelector("details.more[open]"));
      const open = asked.questions.filter(({ kind }) => kind === "open");
      element.replaceChildren(
        ...(open.length > 1 || (open.length && !open.includes(inFront)) ? marks(open, inFront, words.open) : []),
        ...(inFront ? [section(inFront)] : []),
        ...AHEAD.flatMap((kind) => ahead(kind, inFront)),
      );
      for (const more of element.querySelectorAll("details.more")) more.open = unfolded;
      const again = held && (element.querySelector(`[data-press="${CSS.escape(held)}"]`) || element.querySelector(".mark[aria-current], .part button"));
      if (again) again.focus({ preventScroll: true });
    },
  };
}
