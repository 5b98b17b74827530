// The first turn of a guest: one bubble at a time beside what it speaks of, gone when that is done, never again once dismissed.

const guide = document.getElementById("guide");
const bubbles = new Map([...guide.querySelectorAll("[data-step]")].map((one) => [one.dataset.step, one]));
const send = document.querySelector('[name="act"][value="submit"]');
const said = document.getElementById("said");
const mark = `pbem-guide:${guide.dataset.game}`;
const GAP = 10;
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

/** Beside the tray that holds a thing: to its left, above it or below it, where neither the tray nor the players nor what is
 *  asked is covered; within the screen. */
function place() {
  if (!shown) return;
  const seen = (one) => one.checkVisibility() && one.getClientRects().length;
  const target = [...document.querySelectorAll(shown.dataset.at)].find(seen);
  shown.classList.toggle("astray", !target);
  if (!target) return;
  const at = target.getBoundingClientRect();
  const tray = (target.closest(".tray") || target).getBoundingClientRect();
  const seats = document.querySelector(".seats").getBoundingClientRect();
  const roof = document.getElementById("stage").getBoundingClientRect().top + GAP;
  const { offsetWidth: wide, offsetHeight: high } = shown;
  const spot = (side, left, top) => ({
    side,
    left: Math.max(GAP, Math.min(left, innerWidth - wide - GAP)),
    top: Math.max(roof, Math.min(top, innerHeight - high - GAP)),
  });
  const over = [tray, seats, ...[...document.querySelectorAll(".asked")].filter(seen).map((one) => one.getBoundingClientRect())];
  const isFree = ({ left, top }) => over.every((box) => left >= box.right || left + wide <= box.left || top >= box.bottom || top + high <= box.top);
  const spots = [
    spot("above", at.left, seats.top - high - GAP),
    spot("left", tray.left - wide - GAP, at.top),
    spot("left", tray.left - wide - GAP, seats.bottom + GAP),
    spot("left", seats.left - wide - GAP, at.top),
    spot("above", at.left, tray.top - high - GAP),
    spot("below", at.left, tray.bottom + GAP),
  ];
  const best = spots.find(isFree) || spots[0];
  shown.dataset.side = best.side;
  shown.style.left = `${best.left}px`;
  shown.style.top = `${best.top}px`;
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
