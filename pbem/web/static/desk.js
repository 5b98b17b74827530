// Orders being written: what is touched writes lines, the text may be edited at any time, and the judge of letters reads
// along.  What can be touched, and what a touch means, is what he says of the text as it stands.

import { askedOf } from "./asked.js";
import { board } from "./board.js";
import { butOf } from "./but.js";
import { cardOf, toldOf } from "./card.js";
import { NoAnswer, judgeOf } from "./judge.js";
import { judgedOf } from "./judged.js";
import { added, changed, repeated, replaced, rows, swapped } from "./lines.js";
import { made, panelOf } from "./panel.js";
import { partsOf } from "./parts.js";
import { pastOf } from "./past.js";
import { pieceOf } from "./piece.js";
import { sendingOf } from "./sending.js";
import { turn } from "./tabs.js";
import { touchOf } from "./touch.js";

const WAIT_MS = 300;
const CLICK_MS = 40;
/** After a release its click has come. */
const HELD_MS = 1000;
/** What is held down longer is no click. */
const NO_BOARD = { show() {}, mark() {}, light() {}, rest() {}, float() {}, held: () => "", names: () => [], owners: () => [], place() {}, ready() {} };

function begin(form) {
  for (const plain of form.querySelectorAll(".unscripted")) plain.remove();
  const text = form.elements.text;
  const asText = form.querySelector(".as-text");
  const [said, look, status] = ["said", "look", "status"].map((id) => document.getElementById(id));
  const budget = document.getElementById("budget");
  const handTab = document.querySelector('.tabs [href="#hand"]');
  const upright = document.querySelector(".asked");  // what a phone says of it above the board
  const sending = sendingOf(form);
  const past = pastOf(text.value, write);
  const asked = askedOf(document.getElementById("asked"));
  const figure = document.getElementById("map");
  const picture = figure ? board(figure, (name, byKeys, pointer) => touched(name, { keys: byKeys, pointer })) : NO_BOARD;
  const judge = judgeOf(form, picture);
  const watchers = [];
  let front = null;  // the question that is answered
  let chosen = false;  // an answered one, to be changed
  let [heard, known] = [null, null];  // what the judge said, and of which text
  let [timer, asking, hearing] = [0, null, 0];
  let last = () => {};
  let news = "";
  let meant = "";  // the text that what is being done was meant for
  let [queue, waiting] = [Promise.resolve(), 0];

  let released = Promise.resolve();  // once nothing is held down that a redrawn page would lose

  const orders = document.getElementById("orders");
  const inSight = () => orders.checkVisibility();
  const open = () => asked.questions.filter(({ kind }) => kind === "open").map(({ key }) => key);

  // --- what the judge says

  function tell(words, state) {
    said.textContent = [news, words].filter(Boolean).join(" ");
    said.dataset.state = state;
    news = "";
  }

  function busy() {
    said.dataset.state = "busy";
    sending.busy();
  }

  /** Say that there was no answer, and why. */
  function fail(problem) {
    const expected = problem instanceof NoAnswer;
    if (!expected) console.error(problem);
    tell((expected && problem.message) || said.dataset.lost, "lost");
  }

  /** Have what stands judged; whether it was.  What is asked already is not asked again. */
  function check() {
    clearTimeout(timer);
    if (asking && asking.text === text.value) return asking.answer;
    past.keep(text.value);
    for (const watcher of watchers) watcher(text.value);
    const mine = { text: text.value };
    asking = mine;
    mine.answer = ask(mine.text).finally(() => asking === mine && (asking = null));
    return mine.answer;
  }

  async function ask(now) {
    busy();
    try {
      await hear(await judge.ask(now), now);
      return true;
    } catch (problem) {
      if (problem.name === "AbortError") return true;
      fail(problem);
      return false;
    }
  }

  /** Take up what was found of a text, unless another one is asked about by then. */
  async function hear(answer, now) {
    const mine = (hearing += 1);
    const next = answer.closed ? { rows: [], moves: {}, why: [], refused: 0 } : answer;
    await learn(next, now);
    await released;
    if (mine !== hearing) return;
    [heard, known] = [next, now];
    if (answer.closed) return settle(answer.closed, { verdict: "none", said: answer.closed });
    const empty = !now.trim();
    const gone = answer.moved && form.hasAttribute("data-sealed");  // what was sent has been carried out, or lapsed
    judged.show(empty || gone ? "" : answer.judged);
    picture.show(empty ? {} : answer);
    if (budget && answer.budget) budget.innerHTML = answer.budget;
    touch.stop();
    if (empty || gone) return settle(answer.moved || "", { ...answer, verdict: "empty" });
    settle([answer.moved, answer.said, ...answer.why].filter(Boolean).join(" "), answer);
  }

  /** Have the ways to write told for the question in front, where they are not yet. */
  async function learn({ moves: open }, now) {
    const key = front;
    if (!key || !open[key] || open[key].forms) return;
    const found = await legal(now, [{ question: key }]);
    asked.learn(found.asked);
    Object.assign(open[key], { forms: found.moves[0].forms, likely: found.likely[0] });
  }

  /** What is legal below a text, told once nothing is held down. */
  async function legal(...asking) {
    const found = await judge.moves(...asking);
    await released;
    return found;
  }

  /** What was found of a text; it is said again behind what was not written. */
  function settle(words, sent) {
    last = () => {
      sending.hear(sent);
      tell(words, sent.verdict);
    };
    last();
    mark();
    for (const piece of pieces) piece.written();
  }

  /** Wait until the judge has spoken of what stands; whether he has. */
  async function settled() {
    while (known !== text.value || !heard) if (!(await check())) return false;
    return true;
  }

  /** One after the other: what is done means the text as it stands then. */
  function then(act) {
    waiting += 1;
    form.setAttribute("aria-busy", "true");
    queue = queue.then(async () => {
      if (!(await settled())) return undefined;
      meant = text.value;
      return act();
    }).catch(fail);
    queue = queue.finally(() => form.setAttribute("aria-busy", String((waiting -= 1) > 0)));
    return queue;
  }

  // --- writing

  function set(next) {
    text.value = next;
    text.rows = Math.min(16, Math.max(5, rows(next).length + 1));
  }

  function write(next) {
    set(next);
    return check();
  }

  const note = (line) => (news = `${look.dataset.added} ${line}.`);

  /** A line that is legal as the text stands: in place of a row, of the answer that a question takes, or behind them. */
  function put(question, line, row) {
    const own = heard.rows.filter((one) => one.question === question && (one.pass || !asked.question(question).several || line === asked.question(question).pass));
    const next = row !== undefined ? changed(text.value, row, line) : own.length ? replaced(text.value, own.map((one) => one.row), line) : added(text.value, line, heard.moves[question]);
    if (!inSight()) turn("#orders");
    [front, chosen] = [question, false];
    note(line);
    return tried(next, line);
  }

  /** Have the line of a row depend on something; whether it was written. */
  async function depend(row, change) {
    const { line } = await legal(text.value, [], { row, ...change });
    note(line);
    return tried(changed(text.value, row, line), line);
  }

  /** Write a text in which rows stand otherwise, unless one more of them would be refused; whether it was written. */
  async function tried(next, line) {
    if (text.value !== meant) return (news = "", false);  // it was edited, or a line removed, while this was prepared
    if (next === text.value) return true;
    busy();
    const now = text.value;
    try {
      const answer = await judge.ask(next);
      if (text.value !== now) return (news = "", false);
      if (answer.refused > heard.refused) {
        const why = answer.why.find((one) => !heard.why.includes(one)) || answer.why[0] || "";
        news = look.dataset.refused.replace("@", () => line.trim()).replace("%", () => why);
        panel.refuse(news);
        last();
        return false;
      }
      set(meant = next);
      past.keep(next);
      for (const watcher of watchers) watcher(next);
      await hear(answer, next);
      const before = rows(now);
      parts.bring();
      judged.bring(rows(next).findIndex((row, n) => row !== before[n]));
    } catch (problem) {
      if (problem.name !== "AbortError") await write(meant = next);  // without a judge it is written, as by hand
    }
    return true;
  }

  /** A number of an order that stands in a row, or is none yet, one step further: to the next legal one. */
  async function step(order, slot, by) {
    const isIt = (one) => (order.row === undefined ? one.question === order.question : one.row === order.row);
    const row = heard.rows.find((one) => isIt(one) && one.values && slot in one.values) || (order.row === undefined ? order : null);
    if (!row) return;
    const at = row.values[slot];
    const one = (value) => ({ question: row.question, form: row.form, values: { ...row.values, [slot]: value }, slot });
    const [{ forms: [form] }] = await moves([one(at)], row.row);
    const list = form.slot.legal.filter((value) => (by < 0 ? value < at : value > at)).sort((a, b) => by * (a - b));
    const [found] = await moves([one(list.length ? list[0] : at + by)], row.row);
    if (list.length) return put(row.question, found.line, row.row);
    panel.refuse(found.forms[0].reason);
    last();
  }

  // --- touching

  /** What is legal below the text, without a row of it. */
  async function moves(acts, row) {
    const found = await legal(row === undefined ? text.value : changed(text.value, row, ""), acts);
    if (acts.some(({ question, form }) => form === undefined && !asked.question(question).forms.length)) asked.learn(found.asked);
    return found.moves;
  }

  const panel = panelOf(look, (question, progress) => tellQuestion(question, progress), asked, {
    called: (name) => (inHand().find((thing) => thing.dataset.name === name) || { textContent: name }).textContent,
    told: (name) => {
      const place = picture.place(name);
      return place ? toldOf(place) : "";
    },
    onBoard: (called) => [...picture.names(), ...namesIn("hand").map((thing) => thing.dataset.name)].some((name) => name.toLowerCase() === String(called).toLowerCase()),
    said: (why) => {
      news = why;
      last();
    },
    acts: Object.fromEntries(["proceed", "take", "drop", "put", "choose", "done", "stop", "arm", "narrow"].map((act) => [act, (...more) => {
      const of = touch.armed();
      return then(() => touch.isAt(of) && touch[act](...more));
    }])),
  });
  const touch = touchOf({
    asked, inSight, moves,
    heard: () => heard,
    front: () => [...new Set([...open(), front])].filter(Boolean),
    async write(act, { line, values }) {
      if (!act.root) return put(act.question, line, act.row);
      await depend(act.root.instead, { kind: "else", form: act.form, values });
      judged.back(act.root.instead);
    },
    changed: mark,
  }, panel);
  const parts = partsOf(document.getElementById("asked"), asked, {
    heard: () => heard,
    armed: () => touch.armed(),
    arm: (question, forms) => then(() => touch.arm(question, forms)),
    write: (question, line) => then(() => put(question, line)),
    step: (order, slot, by) => then(() => step(order, slot, by)),
    front: (question) => {
      [front, chosen] = [question, isAnswered(question)];
      then(async () => {
        const [now, at] = [heard, known];
        await learn(now, at);
        if (now === heard) touch.stop();
        parts.bring();
      });
    },
    said: (why) => {
      news = why;
      last();
    },
  });
  const judgedLines = document.getElementById("judged");
  const judged = judgedOf(judgedLines, {
    asked,
    text: () => text.value,
    rowOf: (number) => heard && heard.rows.find(({ row }) => row === number),
    canRepeat: (row) => touch.canRepeat(row),
    edit: ({ row }) => onRow(row, () => {
      const now = heard.rows.find((one) => one.row === row && one.values);
      return now && touch.edit(now);
    }),
    step: (row, slot, by) => onRow(row.row, () => step(row, slot.name, by)),
    up: (number) => onRow(number, () => tried(swapped(text.value, number), rows(text.value)[number])),
    again: (number) => onRow(number, () => tried(repeated(text.value, number), rows(text.value)[number])),
    but: (number) => onRow(number, () => but.open(number)),
    drop: (number) => isRow(number, known) && write(changed(text.value, number, null)),
    use: (number, line) => isRow(number, known) && write(changed(text.value, number, line)),
  });

  /** Whether a row of a text that is shown is still meant by its number: rows before it may have gone or come. */
  function isRow(number, shown) {
    const [before, now] = [rows(shown), rows(text.value)];
    return now[number] === before[number] || now.length === before.length;
  }

  /** Do something to a row that is shown, unless it has gone by then. */
  function onRow(number, act) {
    const shown = known;
    return then(() => isRow(number, shown) && act());
  }

  const but = butOf(judgedLines.dataset, {
    menu: async (row) => (await legal(text.value, [], row)).menu,
    depend,
    otherwise: (row) => touch.otherwise(heard.rows.find((one) => one.row === row).question, row, judgedLines.dataset.butElsePick),
    show: panel.show,
    busy: then,
    back: (row) => judged.back(row),
  });
  const pieces = [...form.querySelectorAll(".piece")].map((element) => pieceOf(element, {
    picture, asked, moves, write, put, busy: then,
    rowOf: (question) => heard && heard.rows.find((row) => row.question === question && row.values),
    text: () => text.value,
  }));

  function touched(name, how) {
    return then(() => (but.take(name) ? null : touch.touch(name, how)));
  }

  const namesIn = (id) => [...document.querySelectorAll(`#${id} [data-name]`)];
  const inHand = () => [...namesIn("hand"), ...namesIn("board")];
  const everyName = () => [...picture.names(), ...inHand().map((thing) => thing.dataset.name)];

  const isAnswered = (key) => Boolean(heard && heard.rows.some((row) => row.question === key));

  /** What is answered and how far; between two questions, the next one.  The question stands above already: it is for ears. */
  function tellQuestion(question, progress = "") {
    const left = open().filter((key) => !isAnswered(key));
    const next = left.length && left.length < open().length ? asked.question(left[0]).said : "";
    status.replaceChildren(made("span", question || next, { className: "unseen" }), progress && ` ${progress}`);
    const now = front && asked.question(front);
    if (!upright) return;
    upright.dataset.first ??= upright.textContent;
    const isSent = form.hasAttribute("data-sealed") && front && isAnswered(front);
    upright.classList.toggle("whole", Boolean(question || progress));  // a refusal is not shortened
    upright.textContent = [question, progress].filter(Boolean).join(" ") || (!isSent && now && now.said) || upright.dataset.first;
  }

  /** Go on to the next open question once the one in front is answered, unless it takes more lines or was chosen by hand. */
  function goOn() {
    const now = front && asked.question(front);
    if (now && (chosen || now.several || !isAnswered(front))) return;
    front = open().find((key) => !isAnswered(key)) || front || open()[0] || null;
  }

  function mark() {
    glow();
    goOn();
    if (!touch.armed()) tellQuestion("");
    const now = front && asked.question(front);
    parts.show(now);
    for (const step of form.parentElement.querySelectorAll(".step[id]")) step.hidden = Boolean(now) && step.id !== `step-${now.step}`;
  }

  /** Let what can be touched on the board and in the hand glow. */
  function glow() {
    const names = new Set(everyName());
    const can = new Set([...names].filter((name) => touch.lights(name)));
    const held = new Set([...names].filter((name) => touch.holds(name)));
    const owners = new Set(touch.armed() ? picture.owners().filter((whose) => whose && touch.holds(whose)) : []);
    picture.mark({ can, held, owners, aimed: Boolean(touch.armed()) });
    for (const thing of inHand()) {
      const card = cardAround(thing);
      card.classList.toggle("can", can.has(thing.dataset.name));
      card.classList.toggle("held", held.has(thing.dataset.name));
      thing.setAttribute("aria-pressed", String(held.has(thing.dataset.name)));
    }
    if (handTab) handTab.classList.toggle("fresh", namesIn("hand").some((thing) => can.has(thing.dataset.name)));
  }

  /** The card that a name stands for, or the name itself where a card holds several. */
  function cardAround(thing) {
    const card = thing.closest(".hand-cards > li");
    return card && card.querySelectorAll("[data-name]").length === 1 ? card : thing;
  }

  function choosable(thing) {
    let pointer = "mouse";
    thing.classList.add("pick");
    thing.tabIndex = 0;
    thing.setAttribute("role", "button");
    const place = cardAround(thing);
    place.addEventListener("pointerdown", (event) => (pointer = event.pointerType));
    place.addEventListener("click", () => touched(thing.dataset.name, { pointer }));
    thing.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      touched(thing.dataset.name, { keys: true });
    });
  }

  // --- the page's own fields

  /** Nothing is redrawn between press and release, which are one click. */
  addEventListener("pointerdown", () => {
    released = new Promise((done) => {
      const end = () => setTimeout(done, CLICK_MS);
      for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end, { once: true, capture: true });
      setTimeout(done, HELD_MS);
    });
  }, true);
  /** What was pressed before the button that sends is waited for. */
  form.addEventListener("submit", (event) => {
    if (!waiting) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    queue.then(() => submitter.click());
  }, true);

  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => known === text.value || check(), WAIT_MS);  // what is known stops nothing that is under way
  });
  addEventListener("keydown", (event) => event.key === "Escape" && touch.stop());
  picture.ready(() => {
    glow();
    cardOf(figure, picture.frame, (name) => touch.preview(name));
  });
  for (const thing of inHand()) choosable(thing);
  for (const shy of document.querySelectorAll("#desk .script:not(.piece), .sending .script")) shy.hidden = false;
  if (asText) asText.open = false;
  check();
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
