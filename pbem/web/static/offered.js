// What the page offers, in company of the lines that are written: marked where it would be refused behind them, and
// tried before it is written where the judge has not tried it yet.

import { felled, refusedIn } from "./judge.js";
import { folded } from "./lines.js";

const NOTHING = { refused: {}, untried: [], lists: {} };

/** What may be refused once a row is changed: that row too, if it was refused as it stood. */
function allowed(before, { line, was }) {
  return was && before.some(({ row }) => row === folded(was)) ? [...before, { row: folded(line) }] : before;
}

/** Mark a button of an offered line, or take the mark away: off buttons can be reached, and say why. */
export function marked(button, why) {
  for (const old of button.querySelectorAll(".why")) old.remove();
  if (!why) return button.removeAttribute("aria-disabled");
  button.setAttribute("aria-disabled", "true");
  const said = Object.assign(document.createElement("span"), { className: "why", textContent: why });
  button.append(" ", said);
}

/** `desk`: `text()` as it stands; `check()` has it judged, and tells whether it was; `ask(text)` has another text judged
 *  and shows nothing; `busy()` while that goes on; `put(made, heard)` writes, with what the judge said of it if he was asked;
 *  `refuse(made, why)` says why not.  `lists`: those of the forms. */
export function offeredOf(form, lists, desk) {
  let known = null;
  let before = [];
  let why = new Map();
  let untried = new Set();
  let headed = false;  // under a heading written by hand a line may be read as another question's
  let queue = Promise.resolve();
  let waiting = 0;

  function chips() {
    return [...form.querySelectorAll(".part .chip[data-line]")];
  }

  /** Why a line would be refused; empty where it is known to stand, undefined where nobody has tried it there. */
  function verdict({ line, elsewhere }) {
    const plain = folded(line);
    if (elsewhere) return undefined;
    if (why.has(plain)) return why.get(plain);
    if (headed) return undefined;
    const tried = !untried.has(plain) && chips().some((chip) => folded(chip.dataset.line) === plain);
    return tried ? "" : undefined;
  }

  async function tried(compose) {
    for (;;) {
      const heardOf = known === desk.text() || (await desk.check());
      const base = desk.text();
      if (heardOf && known !== base) continue;
      const made = compose(base);
      if (!made) return;
      if (!heardOf) return desk.put(made);  // without a judge it is written, as by hand
      const said = verdict(made);
      if (said) return desk.refuse(made, said);
      if (said === "") return desk.put(made);
      desk.busy();
      let heard = null;
      try {
        heard = await desk.ask(made.next);
      } catch (problem) {
        if (problem.name !== "AbortError") return desk.put(made);
      }
      if (desk.text() !== base || !heard) continue;
      if (!compose(base)) return;  // meant no longer
      const fell = felled(allowed(before, made), refusedIn(made.next, heard));
      if (fell) return desk.refuse(made, fell.why);
      return desk.put(made, heard);
    }
  }

  return {
    chips,
    /** Why an offered line would be refused now; empty where nothing is known against it. */
    why: (line) => why.get(folded(line)) || "",
    /** What the judge said of a text; null of none. */
    hear(text, heard) {
      known = text;
      before = heard ? refusedIn(text, heard) : [];
      const { refused, untried: left, has_heading: under, lists: values } = (heard && heard.offers) || NOTHING;
      why = new Map(Object.entries(refused).map(([line, said]) => [folded(line), said]));
      untried = new Set(left.map(folded));
      headed = Boolean(under);
      for (const chip of chips()) marked(chip, why.get(folded(chip.dataset.line)));
      lists.hear(values || {});
    },
    /** Write what `compose` makes of the text as it stands, `{ line, next }`, unless it would be refused there: at once
     *  where that is known, else when the judge has answered; one after the other.  `elsewhere`: it is not added where
     *  lines that are offered are, so that what is known of those says nothing; `was`: the row that it changes, which may
     *  stay refused if it was. */
    propose(compose) {
      if (!waiting && known === desk.text()) {
        const made = compose(desk.text());
        const said = made && verdict(made);
        if (!made) return;
        if (said !== undefined) return said ? desk.refuse(made, said) : desk.put(made);
      }
      waiting += 1;
      queue = queue.then(() => tried(compose)).finally(() => (waiting -= 1));
    },
  };
}
