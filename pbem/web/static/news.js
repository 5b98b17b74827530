// What happened, sentence by sentence: each is a step that the board shows, one after the other or as they are asked for.

const BEAT_MS = 1500;
/** How long a sentence stands once its pieces have moved. */

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

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
  const slider = walk.querySelector("[data-to]");
  const speeder = walk.querySelector("[data-speed]");
  const last = lines.length - 1;
  let at = -1;
  let turn = 0;
  let playing = false;
  let speed = 1;
  let stage = null;

  function mark(next) {
    if (at >= 0) lines[at].removeAttribute("aria-current");
    at = next;
    slider.value = String(Math.max(0, at) + 1);
    output.textContent = walk.dataset.at.replace("@", String(at + 1)).replace("#", String(lines.length));
    slider.setAttribute("aria-valuetext", output.textContent);
    if (at < 0) return;
    lines[at].setAttribute("aria-current", "step");
    lines[at].scrollIntoView({ block: "nearest" });
  }

  /** Show a sentence and its movement, which is loaded when it is first asked for; false if another one was meanwhile. */
  async function show(next, pace = speed) {
    const mine = (turn += 1);
    mark(next);
    const list = lines[at].parentElement;
    const alive = () => mine === turn;
    try {
      stage ??= (await import("./moving.js")).stageOf(picture);
      if (alive()) await stage.act(list.dataset.steps, [...list.children].indexOf(lines[at]), pace, alive);
    } catch {
      // the sentence says it: its movement could not be loaded
    }
    return alive();
  }

  /** Do something once the board is there, unless the reader has gone elsewhere by then. */
  function ready(act) {
    const mine = turn;
    picture.ready(() => mine === turn && act());
  }

  function pause() {
    playing = false;
    self.setAttribute("aria-pressed", "false");
  }

  function stop() {
    pause();
    turn += 1;
    if (stage) stage.clear();
  }

  async function play() {
    playing = true;
    self.setAttribute("aria-pressed", "true");
    for (let next = at === last ? 0 : at + 1; next <= last; next += 1) {
      if (!(await show(next))) return;
      const mine = turn;
      await wait(BEAT_MS / speed);
      if (mine !== turn || !playing) return;
    }
    pause();
    beyond(1, true);
  }

  function go(by) {
    pause();
    const out = at + by < 0 || at + by > last;
    if (!out || !beyond(by, false)) show(Math.max(0, Math.min(last, at + by)));
  }

  for (const button of walk.querySelectorAll("[data-walk]")) {
    const by = Number(button.dataset.walk);
    button.addEventListener("click", () => (by ? go(by) : playing ? pause() : play()));
  }
  for (const [n, line] of lines.entries()) {
    line.addEventListener("click", () => {
      pause();
      show(n);
    });
  }
  slider.max = String(lines.length);
  slider.min = "1";
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value) - 1);
  });
  speeder.addEventListener("click", () => {
    speed = 3 - speed;
    speeder.textContent = `${speed}×`;
    speeder.setAttribute("aria-pressed", String(speed === 2));
  });
  walk.querySelector("[data-skip]").addEventListener("click", () => {
    pause();
    show(last, 0);
  });
  walk.hidden = false;
  mark(-1);
  return {
    /** The first sentence, with what moves. */
    begin: () => ready(() => at < 0 && show(0)),
    /** All sentences, one after the other. */
    play: () => ready(play),
    stop,
    /** Arrow keys step, wherever nothing else takes them. */
    key(event) {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const taken = event.target.closest?.("input, textarea, select, .frame, [role='tablist']");
      if (!by || taken || event.ctrlKey || event.metaKey || event.altKey || !news.getClientRects().length) return;
      event.preventDefault();
      go(by);
    },
    /** The walk ends: the board is what it was before. */
    leave() {
      stop();
      if (at < 0) return;
      mark(-1);
      picture.rest?.();
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
    key() {},
    leave() {},
  };
}
