// The judge of letters, asked about a text that is being written; and which of its rows he refuses.

import { folded, rows } from "./lines.js";

/** A way to ask: the last question outruns those before it, which end with an AbortError; `drop` outruns them too. */
export function judgeOf(form, picture) {
  let asking = null;

  async function ask(text) {
    ask.drop();
    const mine = (asking = new AbortController());
    const sent = new FormData();
    for (const name of ["csrf_token", "entry"]) sent.append(name, form.elements[name].value);
    sent.append("text", text);
    sent.append("map", picture.held());
    const answer = await fetch(form.dataset.check, {
      method: "POST", body: sent, signal: mine.signal, credentials: "same-origin",
    });
    return answer.json();
  }

  ask.drop = () => asking && asking.abort();
  return ask;
}

/** The rows of a text that an answer refuses, as folded words with why, in order. */
export function refusedIn(text, heard) {
  const list = rows(text);
  const judged = document.createElement("template");
  judged.innerHTML = heard.judged || "";
  return [...judged.content.querySelectorAll(".refused[data-line]")].map((line) => ({
    row: folded(list[Number(line.dataset.line) - 1] || ""),
    why: ((line.querySelector("p") || line).lastChild || line).textContent.trim(),
  }));
}

/** The first row that is refused now and was not before; each counts as often as it stands. */
export function felled(before, now) {
  const left = before.map(({ row }) => row);
  return now.find(({ row }) => {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
