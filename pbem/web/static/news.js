// Since one last looked: the sentences of the story one by one, each with its places lit on the board.

import { folded } from "./lines.js";

const BEAT_MS = 3500;

/**
 * `news`: the part of the page; `picture`: the board.  `beyond(by, playing)` is asked before the first sentence and
 * after the last one: true, where there is another story that way, which is shown now.
 */
export function newsOf(news, picture, beyond = () => false) {
  const walk = news.querySelector(".walk");
  const lines = [...news.querySelectorAll(".story > li")];
  if (!walk || !lines.length) return silent(beyond);
  const output = walk.querySelector("output");
  const self = walk.querySelector('[data-walk="0"]');
  let at = -1;
  let timer = 0;

  /** Whether a sentence says a name. */
  function says(line, name) {
    return folded(name).length > 1 && ` ${folded(line.textContent)} `.includes(` ${folded(name)} `);
  }

  function show(next) {
    at = Math.max(0, Math.min(lines.length - 1, next));
    for (const line of lines) line.removeAttribute("aria-current");
    lines[at].setAttribute("aria-current", "step");
    lines[at].scrollIntoView({ block: "nearest" });
    output.textContent = walk.dataset.at.replace("@", String(at + 1)).replace("#", String(lines.length));
    const said = (names) => names.filter((name) => says(lines[at], name));
    picture.light(said(picture.names()), said(picture.owners()));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    self.setAttribute("aria-pressed", "false");
  }

  function step() {
    if (at < lines.length - 1) return show(at + 1);
    stop();
    beyond(1, true);
  }

  function play() {
    self.setAttribute("aria-pressed", "true");
    if (at === lines.length - 1) at = -1;
    show(at + 1);
    timer = setInterval(step, BEAT_MS);
  }

  function go(by) {
    const out = at + by < 0 || at + by > lines.length - 1;
    if (!out || !beyond(by, false)) show(at + by);
  }

  for (const button of walk.querySelectorAll("[data-walk]")) {
    const by = Number(button.dataset.walk);
    button.addEventListener("click", () => {
      const going = timer;
      stop();
      if (by) go(by);
      else if (!going) play();
    });
  }
  for (const [n, line] of lines.entries()) {
    line.addEventListener("click", () => {
      stop();
      show(n);
    });
  }
  walk.hidden = false;
  output.textContent = walk.dataset.at.replace("@", "0").replace("#", String(lines.length));
  return {
    /** The first sentence, with its places. */
    begin: () => picture.ready(() => at < 0 && show(0)),
    /** All sentences, one after the other. */
    play: () => picture.ready(play),
    stop,
    /** The walk ends: the board is what it was before. */
    leave() {
      stop();
      if (at < 0) return;
      lines[at].removeAttribute("aria-current");
      output.textContent = walk.dataset.at.replace("@", "0").replace("#", String(lines.length));
      at = -1;
      picture.rest();
    },
  };
}

/** Where nothing is told, whoever listens waits a moment and goes on. */
function silent(beyond) {
  let timer = 0;
  return {
    begin() {},
    play() {
      timer = setTimeout(() => beyond(1, true), BEAT_MS / 2);
    },
    stop: () => clearTimeout(timer),
    leave() {},
  };
}
