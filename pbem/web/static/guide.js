// The first turn of a guest: one bubble at a time beside what it speaks of, gone when that is done, never again once dismissed.

const guide = document.getElementById("guide");
const bubbles = new Map([...guide.querySelectorAll("[data-step]")].map((one) => [one.dataset.step, one]));
const send = document.querySelector('[name="act"][value="submit"]');
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

/** Beside the tray that holds a thing, so that nothing in it is covered: to its left, else above it, else below; within the screen. */
function place() {
  if (!shown) return;
  const target = [...document.querySelectorAll(shown.dataset.at)].find((one) => one.checkVisibility() && one.getClientRects().length);
  shown.classList.toggle("astray", !target);
  if (!target) return;
  const at = target.getBoundingClientRect();
  const around = (target.closest(".tray") || target).getBoundingClientRect();
  const { offsetWidth: wide, offsetHeight: high } = shown;
  const left = around.left - wide - GAP;
  const beside = left >= GAP;
  const above = around.top - high - GAP;
  const top = beside ? at.top : above >= GAP ? above : around.bottom + GAP;
  shown.dataset.side = beside ? "left" : above >= GAP ? "above" : "below";
  shown.style.left = `${Math.max(GAP, Math.min(beside ? left : at.left, innerWidth - wide - GAP))}px`;
  shown.style.top = `${Math.max(GAP, Math.min(top, innerHeight - high - GAP))}px`;
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
  show(written() ? "send" : "write");
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
  addEventListener("resize", place);
  addEventListener("scroll", place, true);
  document.addEventListener("click", () => requestAnimationFrame(place));
}
