// The first turn of a guest: one bubble at a time beside what it speaks of, gone when that is done, never again once dismissed.

const guide = document.getElementById("guide");
const bubbles = new Map([...guide.querySelectorAll("[data-step]")].map((one) => [one.dataset.step, one]));
const send = document.querySelector('[name="act"][value="submit"]');
const said = document.getElementById("said");
const mark = `pbem-guide:${guide.dataset.game}`;
const GAP = 10;
const DESK = matchMedia("(min-width: 68.75rem) and (min-height: 37.5rem)");
let shown = null;

function past() {
  try {
    return localStorage.getItem(mark);
  } catch {
    return null;  // a browser may forbid it
  }
}

/** From now on there is no guide to this game in this browser. */
function end() {
  try {
    localStorage.setItem(mark, "past");
  } catch {
    /* it comes again with the next page */
  }
}

const seen = (one) => one.checkVisibility() && one.getClientRects().length;
const boxes = (what) => [...document.querySelectorAll(what)].filter(seen).map((one) => one.getBoundingClientRect());

/** On a desk where nothing of the board is covered: in the tray below what it speaks of or above the button that sends, else
 *  below the players; null if there is no such place. */
function besideBoard(at) {
  const [[tray], [foot], [seats]] = [boxes(".tray"), boxes(".sending"), boxes(".seats")];
  const panels = boxes(".seats .players > li");
  const asked = shown.dataset.step === "write" ? ", .step.owed, #asked .part" : "";  // later all is answered
  const kept = [...boxes(`.map, .tabs, .sending, .receipt${asked}`), ...panels];
  const high = (width) => {
    shown.style.width = `${width}px`;
    return shown.offsetHeight;
  };
  const spot = (side, left, width, top) => ({ side, left, width, top, high: high(width) });
  const wide = tray.width - 2 * GAP;
  const spots = [
    spot("below", tray.left + GAP, wide, at.bottom + GAP),
    spot(shown.dataset.step === "send" ? "above" : "foot", tray.left + GAP, wide, foot.top - GAP - high(wide)),
    spot("left", seats.left + 2, seats.width - GAP, Math.max(...panels.map((one) => one.bottom)) + GAP),
  ];
  const isFree = ({ left, width, top, high }) => top + high < innerHeight && kept.every((box) => left >= box.right || left + width <= box.left || top >= box.bottom || top + high <= box.top);
  const found = spots.find(isFree) || null;
  shown.style.width = found ? `${found.width}px` : "";
  return found;
}

/** Beside the tray that holds a thing: to its left, above it or below it, where neither the tray nor the players nor what is
 *  asked is covered; within the screen. */
function place() {
  if (!shown) return;
  const target = [...document.querySelectorAll(shown.dataset.at)].find(seen);
  shown.classList.toggle("astray", !target);
  if (!target) return;
  const at = target.getBoundingClientRect();
  shown.style.width = "";
  const best = (DESK.matches && besideBoard(at)) || besideTray(target, at);
  shown.dataset.side = best.side;
  shown.style.left = `${best.left}px`;
  shown.style.top = `${best.top}px`;
}

function besideTray(target, at) {
  const tray = (target.closest(".tray") || target).getBoundingClientRect();
  const seats = document.querySelector(".seats").getBoundingClientRect();
  const roof = document.getElementById("stage").getBoundingClientRect().top + GAP;
  const { offsetWidth: wide, offsetHeight: high } = shown;
  const spot = (side, left, top) => ({
    side,
    left: Math.max(GAP, Math.min(left, innerWidth - wide - GAP)),
    top: Math.max(roof, Math.min(top, innerHeight - high - GAP)),
  });
  const over = [tray, seats, ...boxes(".asked")];
  const isFree = ({ left, top }) => over.every((box) => left >= box.right || left + wide <= box.left || top >= box.bottom || top + high <= box.top);
  const spots = [
    spot("above", at.left, seats.top - high - GAP),
    spot("left", tray.left - wide - GAP, at.top),
    spot("left", tray.left - wide - GAP, seats.bottom + GAP),
    spot("left", seats.left - wide - GAP, at.top),
    spot("above", at.left, tray.top - high - GAP),
    spot("below", at.left, tray.bottom + GAP),
  ];
  return spots.find(isFree) || spots[0];
}

function show(step) {
  const next = bubbles.get(step) || null;
  if (next === shown) return;
  if (shown) shown.hidePopover();
  shown = next;
  if (!shown) return;
  shown.showPopover();
  place();
}

/** Whether all that is asked is answered, and can be sent. */
const written = () => send && send.getAttribute("aria-disabled") === "false" && !send.hasAttribute("data-more");

function follow() {
  const waits = said && said.dataset.state === "busy";  // for the judge: until then the button looks as if it could send
  if (!waits || !shown) show(!waits && written() ? "send" : "write");
}

/** A guest to whom nothing is asked waits for the bots: the page goes on by itself. */
const gone = document.getElementById("gone-on");
if (gone && !document.querySelector(".step.owed")) {
  new MutationObserver(() => gone.hidden || location.reload()).observe(gone, { attributes: true, attributeFilter: ["hidden"] });
}

if (!past() && HTMLElement.prototype.showPopover) {
  if ("sent" in guide.dataset) {
    end();
    show("sent");
  } else {
    follow();
    if (send) new MutationObserver(follow).observe(send, { attributes: true, attributeFilter: ["aria-disabled", "data-more"] });
  }
  for (const button of guide.querySelectorAll("[data-dismiss]")) {
    button.addEventListener("click", () => {
      end();
      bubbles.clear();
      show("");
    });
  }
  document.getElementById("map")?.addEventListener("pointerdown", () => {  // the board is wanted, and what lies over it is not
    bubbles.delete("write");
    if (shown && shown.dataset.step === "write") show("");
  });
  addEventListener("resize", place);
  addEventListener("scroll", place, true);
  const changes = new MutationObserver(place);  // what a bubble speaks of comes with the first answer of the judge
  for (const grows of document.querySelectorAll("#orders, #asked")) {
    changes.observe(grows, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "class"] });
  }
  document.addEventListener("click", () => requestAnimationFrame(place));
}
