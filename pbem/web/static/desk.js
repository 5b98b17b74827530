// Orders being written: clicks write lines, the text may be edited at any time, and the judge of letters reads along.

import { aimsOf } from "./aims.js";
import { board } from "./board.js";
import { builderOf, lineOf, optionOf, secondOf, values } from "./builders.js";
import { cardOf } from "./card.js";
import { judgeOf } from "./judge.js";
import { judgedOf } from "./judged.js";
import { besideOf, listsOf } from "./likely.js";
import { added, changed, folded, found, names, rows } from "./lines.js";
import { marked, offeredOf } from "./offered.js";
import { pastOf } from "./past.js";
import { pieceOf } from "./piece.js";
import { sendingOf } from "./sending.js";

const WAIT_MS = 300;
const NO_BOARD = { show() {}, mark() {}, light() {}, float() {}, held: () => "", names: () => [], ready() {} };

function begin(form) {
  for (const menu of form.querySelectorAll("select[data-like]")) {
    menu.replaceChildren(...document.getElementById(menu.dataset.like).cloneNode(true).childNodes);
    menu.value = "";  // an option that is moved may have been chosen on its way
  }
  const text = form.elements.text;
  const asText = form.querySelector(".as-text");
  const budget = document.getElementById("budget");
  const plainBudget = budget ? budget.innerHTML : "";
  const sending = sendingOf(form);
  const past = pastOf(text.value, write);
  const said = document.getElementById("said");
  const offers = document.getElementById("offers");
  const judged = judgedOf(document.getElementById("judged"), {
    text: () => text.value, write, writerOf, propose: (compose) => offered.propose(compose),
  });
  const stops = new Set(form.dataset.stops.split(" "));
  const builders = [...form.querySelectorAll(".builder")].map(builderOf);
  const figure = document.getElementById("map");
  const picture = figure ? board(figure, pick) : NO_BOARD;
  const beside = besideOf(likely, (line) => offered.why(line));
  const panels = [...form.querySelectorAll(".piece")].map((panel) => [panel, layer(panel)]);
  const aims = aimsOf(builders.filter((one) => !panels.some(([, laying]) => laying === one)), picture, { arm, beside });
  const pieces = panels.map(([panel, laying]) => pieceOf(panel, laying, { picture, stands, likely, write: putWhole }));
  const watchers = pieces.map((piece) => piece.written);
  let lastUsed = null;
  let underWay = null;
  const ask = judgeOf(form, picture);
  const lists = listsOf(builders, beside);
  const offered = offeredOf(form, lists, { text: () => text.value, check, ask, busy, put: written, refuse });
  let [timer, asked] = [0, null];
  let last = () => {};
  let news = "";

  // --- what the judge says

  function tell(words, state) {
    said.textContent = [news, words].filter(Boolean).join(" ");
    said.dataset.state = state;
    news = "";
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(check, WAIT_MS);
  }

  function busy() {
    said.dataset.state = "busy";
    sending.busy();
  }

  /** Have what stands judged; whether it was.  What is asked already is not asked again. */
  function check() {
    clearTimeout(timer);
    if (asked && asked.text === text.value) return asked.answer;
    past.keep(text.value);
    for (const watcher of watchers) watcher(text.value);
    const mine = { text: text.value };
    asked = mine;
    mine.answer = judge(mine.text).finally(() => asked === mine && (asked = null));
    return mine.answer;
  }

  async function judge(now) {
    if (!now.trim()) {
      nothing();
      return true;
    }
    busy();
    try {
      hear(await ask(now), now);
      return true;
    } catch (problem) {
      if (problem.name !== "AbortError") tell(said.dataset.lost, "lost");
      return problem.name === "AbortError";
    }
  }

  function nothing() {
    ask.drop();
    judged.show("");
    picture.show({});
    if (budget) budget.innerHTML = plainBudget;
    settle(text.value, null, said.dataset.empty, { verdict: "empty", said: said.dataset.empty });
  }

  /** What was found of a text; it is said again behind what was not written. */
  function settle(now, heard, words, sent) {
    offered.hear(now, heard);
    aims.again();
    last = () => {
      sending.hear(sent);
      tell(words, sent.verdict);
    };
    last();
  }

  function hear(heard, now) {
    if (heard.closed) return settle(now, null, heard.closed, { verdict: "none", said: heard.closed });
    if (heard.moved && form.hasAttribute("data-sealed")) {
      judged.show("");  // what was sent has been carried out, or lapsed: the news tell of it
      return settle(now, null, heard.moved, { verdict: "empty", said: heard.moved });
    }
    judged.show(heard.judged);
    picture.show(heard);
    if (budget && heard.budget) budget.innerHTML = heard.budget;
    settle(now, heard, [heard.moved, heard.said, ...heard.why].filter(Boolean).join(" "), heard);
  }

  // --- writing

  function set(next) {
    text.value = next;
    text.rows = Math.min(16, Math.max(5, rows(next).length + 1));
  }

  function write(next) {
    set(next);
    check();
  }

  /** What was offered is written: `made` as it was proposed, `heard` what the judge said of it if he was asked. */
  function written(made, heard) {
    news = `${offers.dataset.added} ${made.line}.`;
    if (!made.fell) judged.close();
    if (made.done) made.done();
    if (!heard || !made.next.trim()) return write(made.next);
    set(made.next);
    past.keep(made.next);
    for (const watcher of watchers) watcher(made.next);
    hear(heard, made.next);
  }

  function refuse(made, why) {
    news = offers.dataset.refused.replace("@", () => made.line).replace("%", () => why);
    if (!made.fell || !made.fell(why)) last();
  }

  /** The way to write that a row is written in. */
  function writerOf(row) {
    const plain = `${folded(row.split(";")[0])} `;
    return builders.find((builder) => plain.startsWith(`${folded(builder.prefix + builder.keyword)} `));
  }

  /** The text with a line of a part: a new one, or in place of the one answer that a question takes. */
  function placed(base, line, part, several) {
    const words = [...part.querySelectorAll(".builder")].map((b) => folded((part.dataset.prefix || "") + b.dataset.keyword));
    const whole = chipsOf(part).map((chip) => folded(chip.line));
    const own = (plain) => whole.includes(plain) || words.some((word) => plain === word || plain.startsWith(word + " "));
    const old = several ? -1 : found(base, own);
    return old < 0 ? added(base, line, part.dataset.heading || "", stops) : changed(base, old, line);
  }

  function put(line, part, several) {
    offered.propose((base) => ({ line, next: placed(base, line, part, several) }));
  }

  /** A line by a form: what stands already is raised or added to, where that is what a second click means. */
  function putBy(builder, given, name, done) {
    const line = lineOf(builder, given, form.dataset.tries);
    const first = (base) => ({ line, next: placed(base, line, builder.part, builder.several) });
    offered.propose((base) => ({ ...(secondOf(base, builder, line, name, form.dataset.tries) || first(base)), done }));
  }

  /** The likely lines of a part, each with its button. */
  function chipsOf(part) {
    return [...part.querySelectorAll(".chip")].map((button) => ({ button, line: button.dataset.line }));
  }

  /** Whether every likely line with this name goes on with another one: a card that needs its target. */
  function unaimed(taker, given) {
    const { builder, n } = taker;
    if (!builder.slots.some((slot, k) => k !== n && slot.named && slot.optional && !given[k].length)) return false;
    const lines = likelyOf(taker);
    return lines.length > 0 && !lines.some((line) => folded(line) === startOf(taker));
  }

  const startOf = ({ builder, label }) => folded(`${builder.prefix}${builder.keyword} ${label}`);

  /** The likely lines that a choice begins, and that hold what is filled in already. */
  function likelyOf(taker) {
    const given = taker.builder.slots.flatMap((slot, n) => (n === taker.n ? [] : values(slot)));
    const fits = (line) => given.every((value) => names(line, value));
    return likely(taker.builder).filter((line) => `${folded(line)} `.startsWith(`${startOf(taker)} `) && fits(line));
  }

  /** Whether a likely line goes on with one choice alone, which the reader is to make on the board. */
  function awaits(builder, line) {
    const led = builder.slots.filter((slot) => slot.lead && ` ${folded(line)} `.includes(` ${folded(slot.lead)} `));
    return led.length === 1 && !led[0].many;
  }

  function complete(taker, given) {
    return taker.builder.slots.every((slot, n) => slot.optional || given[n].length) && !unaimed(taker, given);
  }

  function clear(builder) {
    for (const slot of builder.slots) for (const field of slot.fields) field.value = "";
    if (builder.times) builder.times.value = "";
    lists.again();
  }

  /** A field was filled in by hand: the next choice on the board goes with it. */
  function filled(builder) {
    lists.again();
    underWay = builder.slots.some((slot) => values(slot).length) ? builder : null;
    if (underWay) lastUsed = builder;
    aims.show(underWay);
  }

  // --- a piece that is laid on the board

  /** The way to write that lays a piece. */
  function layer(panel) {
    const { corner } = JSON.parse(panel.dataset.piece);
    const own = builders.filter((builder) => builder.part === panel.closest(".part"));
    return own.find((builder) => builder.slots.some((slot) => slot.name === corner));
  }

  /** Where a row of a way to write stands in the text; -1 if none does. */
  function standsAt(builder) {
    const start = folded(builder.prefix + builder.keyword);
    return found(text.value, (plain) => plain.startsWith(`${start} `));
  }

  /** That row; empty if there is none. */
  function stands(builder) {
    return rows(text.value)[standsAt(builder)] || "";
  }

  function likely(builder) {
    return chipsOf(builder.part).map((chip) => chip.line);
  }

  /** In place of what stands: a piece lies in one place, and in none where the judge refuses it: `fell` hears why. */
  function putWhole(builder, given, still, fell) {
    const line = lineOf(builder, given, form.dataset.tries);
    const lifted = (why) => {
      const row = standsAt(builder);
      if (row >= 0) write(changed(text.value, row, null));
      fell(why);
      return row >= 0;
    };
    offered.propose((base) => (still() ? { line, next: placed(base, line, builder.part, false), fell: lifted } : null));
  }

  // --- choosing on the board, in the hand, in the tables

  /** The slots that take a name, with the choice it means: those that are likely before the others. */
  function takers(name) {
    const all = [];
    for (const builder of builders) {
      builder.slots.forEach((slot, n) => {
        const option = slot.named && optionOf(slot.fields[0], name);
        const off = option && option.dataset.off;
        if (option) all.push({ builder, n, label: option.label, likely: "alone" in option.dataset, off: off || "" });
      });
    }
    return all;
  }

  function pick(name, byKeys) {
    const all = takers(name);
    const open = all.filter((taker) => taker.builder.part.dataset.kind === "open");
    const offered = open.length ? open : all;
    const waiting = underWay && all.find((taker) => taker.builder === underWay && !values(underWay.slots[taker.n]).length);
    const likely = offered.filter((taker) => taker.likely);
    const best = likely.length ? likely : offered;
    const none = likely.every((taker) => taker.off);
    const usual = lastUsed && likely.find((taker) => taker.builder === lastUsed && (none || !taker.off));
    if (waiting) return take(waiting);
    if (usual) return take(usual);
    if (best.length === 1) return take(best[0]);
    offer(name, best, byKeys);
  }

  /** The line that a taker would write: the likely one where there is one, else with the smallest numbers. */
  function meant(taker) {
    const given = taker.builder.slots.map((slot, n) => (n === taker.n ? [taker.label] : values(slot)));
    const [chip] = likelyOf(taker);
    const number = chip && (folded(chip).slice(startOf(taker).length).match(/\d+/) || [])[0];
    taker.builder.slots.forEach((slot, n) => {
      if (slot.number && !slot.optional && !given[n].length) given[n] = [number || String(slot.first)];
    });
    return given;
  }

  function take(taker) {
    offers.hidden = true;
    const { builder } = taker;
    const given = meant(taker);
    lastUsed = builder;
    const [line, ...others] = likelyOf(taker);
    if (line && !others.length && unaimed(taker, given) && !awaits(builder, line)) {
      put(line, builder.part, builder.several);
      return arm(null);
    }
    if (complete(taker, given)) {
      underWay = null;
      putBy(builder, given, taker.label, () => clear(builder));
      return aims.show(null);
    }
    underWay = builder;
    const field = builder.slots[taker.n].fields.find((empty) => !empty.value);
    if (field) field.value = optionOf(field, taker.label).value;
    const needed = builder.slots.findIndex((slot) => !slot.optional && !values(slot).length);
    const missing = needed < 0 ? builder.slots.findIndex((slot) => slot.named && !values(slot).length) : needed;
    news = `${builder.keyword} ${taker.label}: ${offers.dataset.missing}`;
    tell("", "empty");
    aims.show(builder, taker.label);
    if (!builder.slots[Math.max(0, missing)].named || !figure) focusOn(builder.slots[Math.max(0, missing)].fields[0]);
  }

  /** Make ready to write in this way: the next choice on the board or in the hand is its first word. */
  function arm(builder) {
    underWay = builder;
    if (builder) {
      lastUsed = builder;
      news = `${builder.keyword}: ${offers.dataset.missing}`;
      tell("", "empty");
    }
    aims.show(builder);
  }

  function askFor(builder, slot) {
    news = `${builder.keyword}: ${offers.dataset.missing}`;
    last();
    focusOn(slot.fields[0]);
  }

  /** A field that may be folded away. */
  function focusOn(field) {
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    field.focus();
  }

  /** The lines that a choice may mean, each once, with what a click on it does: the likely ones that name it, and
   *  those that its takers can write whole. */
  function linesFor(label, takers) {
    const lines = new Map();
    const add = (line, act, off) => lines.has(folded(line)) || lines.set(folded(line), { line, act, why: offered.why(line) || off });
    for (const part of new Set(takers.map((taker) => taker.builder.part))) {
      for (const { line } of chipsOf(part)) {
        if (!names(line, label)) continue;
        add(line, () => {
          const said = (taker) => taker.builder.part === part && `${folded(line)} `.startsWith(`${folded(taker.builder.keyword)} `);
          lastUsed = (takers.find(said) || { builder: lastUsed }).builder;
          put(line, part, "several" in part.dataset);
        });
      }
    }
    for (const taker of takers) {
      const given = meant(taker);
      if (complete(taker, given)) add(lineOf(taker.builder, given, form.dataset.tries), () => take(taker), taker.off);
    }
    return [...lines.values()];
  }

  function offer(name, all, byKeys) {
    const lines = all.length ? linesFor(all[0].label, all) : [];
    const title = document.createElement("strong");
    title.textContent = lines.length ? all[0].label : offers.dataset.none.replace("@", name);
    const buttons = lines.map(({ line, act, why }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      button.textContent = line;
      marked(button, why);
      button.addEventListener("click", () => {
        offers.hidden = true;
        act();
      });
      return button;
    });
    offers.replaceChildren(title, ...buttons);
    offers.hidden = false;
    if (byKeys && buttons.length) buttons[0].focus();
  }

  function choosable(place) {
    if (!takers(place.dataset.name).length) return;
    place.classList.add("pick");
    place.tabIndex = 0;
    place.setAttribute("role", "button");
    (place.closest(".hand-cards > li") || place).addEventListener("click", () => pick(place.dataset.name, false));
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick(place.dataset.name, true);
    });
  }

  // --- the page's own buttons

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const [act] = button && button.name === "act" ? button.value.split(":") : [""];
    if (button && button.dataset.use) {
      event.preventDefault();
      write(changed(text.value, Number(button.closest("[data-line]").dataset.line) - 1, button.dataset.use));
    } else if (act === "likely") {
      event.preventDefault();
      const part = button.closest(".part");
      put(button.dataset.line, part, "several" in part.dataset);
    } else if (act === "add") {
      event.preventDefault();
      const builder = builders.find((one) => one.element === button.closest(".builder"));
      lastUsed = builder;
      underWay = null;
      const lacks = builder.slots.find((slot) => !slot.optional && !values(slot).length);
      if (lacks) return askFor(builder, lacks);
      aims.show(null);
      putBy(builder, builder.slots.map(values), "", () => clear(builder));
    }
  });
  form.addEventListener("keydown", (event) => {
    const builder = event.key === "Enter" && event.target.tagName === "INPUT" && event.target.closest(".builder");
    if (!builder) return;
    event.preventDefault();
    builder.querySelector('button[value^="add:"]').click();
  });
  form.addEventListener("change", (event) => {
    const builder = builders.find((one) => one.element === event.target.closest(".builder"));
    if (builder) filled(builder);
  });
  text.addEventListener("input", later);
  addEventListener("keydown", (event) => event.key === "Escape" && underWay && arm(null));
  picture.ready(() => {
    if (text.value.trim()) later();  // what was heard before the picture came is not on it
    aims.show(underWay);
    cardOf(figure, picture.frame, (name) => {
      const all = takers(name).filter((taker) => taker.builder.part.dataset.kind === "open" && taker.likely);
      const lines = all.length ? linesFor(all[0].label, all) : [];
      const orders = lines.filter(({ why }) => !why).map(({ line }) => line);
      return { orders, why: lines.length && !orders.length ? lines[0].why : "" };
    });
  });
  for (const part of ["hand", "board"]) {
    const place = document.getElementById(part);
    if (place) for (const thing of place.querySelectorAll("[data-name]")) choosable(thing);
  }
  for (const shy of form.querySelectorAll(".script")) if (shy !== offers) shy.hidden = false;
  if (asText) asText.open = false;
  if (text.value.trim()) check();
  else nothing();
  return {
    picture,
    write,
    text: () => text.value,
    /** What is written, unless it is what was sent. */
    unsent: (sent) => (text.value === sent ? "" : text.value),
    /** Call with the text whenever it has changed, and now. */
    written(watcher) {
      watchers.push(watcher);
      watcher(text.value);
    },
  };
}

/** A board at which nothing can be ordered. */
function looked(figure) {
  const shown = board(figure, () => {});
  shown.ready(() => cardOf(figure, shown.frame, () => ({ orders: [], why: "" })));
  return shown;
}

const desk = document.getElementById("desk");
const map = document.getElementById("map");
export const orders = desk ? begin(desk) : null;
export const picture = orders ? orders.picture : map ? looked(map) : NO_BOARD;
