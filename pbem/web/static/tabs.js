// The parts of the play page behind tabs in its column, the hand among them where it has no place of its own; the panels
// of the players; and the sheet of a phone, which has three heights.

const HAND_STAYS = matchMedia("(min-width: 43.75rem) and (min-height: 37.5rem)");
const CHIPS = matchMedia("(max-width: 43.74rem), (max-height: 37.49rem)");
const DESK = matchMedia("(min-width: 68.75rem) and (min-height: 37.5rem)");
const SHEETS = ["peek", "half", "full"];
const DRAG = 24;
/** How far a finger moves the sheet, in pixels, before it takes its next height. */

const stage = document.getElementById("stage");
const tabs = stage ? [...stage.querySelectorAll("[data-tab]")] : [];
const part = (tab) => document.querySelector(tab.hash);
const first = tabs.find((tab) => !tab.classList.contains("phone"));
let shown = first ? first.hash : "";

function lay() {
  if (HAND_STAYS.matches && shown === "#hand") shown = first.hash;
  for (const tab of tabs) {
    const open = tab.hash === shown;
    const stays = HAND_STAYS.matches && (tab.hash === "#hand" || (tab.hash === "#table" && stage.classList.contains("undrawn")));
    part(tab).hidden = !open && !stays;
    if (open) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  measure();
}

/** Show a part by its place in the page (`#news`). */
export function turn(hash) {
  shown = hash;
  if (stage.dataset.sheet === "peek") sheet("half");
  const tab = tabs.find((one) => one.hash === hash);
  if (tab) tab.classList.remove("fresh");
  lay();
}

/** Say that there is something new in a part. */
export function fresh(hash) {
  const tab = tabs.find((one) => one.hash === hash && hash !== shown);
  if (tab) tab.classList.add("fresh");
}

for (const tab of tabs) {
  tab.addEventListener("click", (event) => {
    event.preventDefault();
    turn(tab.hash);
  });
}

// --- the sheet of a phone

function sheet(height) {
  stage.dataset.sheet = height;
}

function step(by) {
  const at = SHEETS.indexOf(stage.dataset.sheet) + by;
  sheet(SHEETS[by ? Math.max(0, Math.min(SHEETS.length - 1, at)) : (at + 1) % SHEETS.length]);
}

const grow = document.getElementById("grow");
if (grow) {
  let from = null;
  grow.hidden = false;
  grow.addEventListener("click", () => step(0));
  grow.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  grow.addEventListener("pointerdown", (event) => {
    from = event.clientY;
    grow.setPointerCapture(event.pointerId);
  });
  grow.addEventListener("pointermove", (event) => {
    if (from === null || Math.abs(event.clientY - from) < DRAG) return;
    step(event.clientY < from ? 1 : -1);
    from = event.clientY;
    grow.dataset.dragged = "";
  });
  grow.addEventListener("pointerup", () => (from = null));
  /** The click at the end of a drag is no click. */
  grow.addEventListener("click", (event) => {
    if (!("dragged" in grow.dataset)) return;
    delete grow.dataset.dragged;
    event.stopImmediatePropagation();
  }, true);
}

// --- the panels of the players

const legend = stage && stage.querySelector(".legend");
const players = stage ? [...stage.querySelectorAll(".player")] : [];

/** Open beside a board, closed as chips, of which one is open at a time; the legend where a map leaves it room. */
function fold() {
  for (const one of players) one.open = !CHIPS.matches;
  if (legend) legend.open = DESK.matches && Boolean(stage.querySelector("[data-map]"));
}
for (const one of players) {
  one.addEventListener("toggle", () => {
    if (one.open && CHIPS.matches) for (const other of players) other.open = other === one;
  });
}
addEventListener("pointerdown", (event) => {
  if (CHIPS.matches && !event.target.closest?.(".player, .legend")) fold();
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && CHIPS.matches) fold();
});

// --- what the style sheet is told

/** How high the hand and what stands above and below the parts of the column are. */
function measure() {
  const high = (name) => stage.querySelector(name)?.offsetHeight ?? 0;
  const cards = [...stage.querySelectorAll("#hand > *")].map((one) => (one.matches("h2, h3") ? 0 : one.offsetHeight));
  stage.style.setProperty("--head", `${high(".tabs") + high(".gone-on")}px`);
  stage.style.setProperty("--foot", `${high(".sending")}px`);
  stage.style.setProperty("--hand", `${Math.max(0, ...cards) + 20}px`);
}

/** The number of orders that the button sends. */
function count(judged, number) {
  const orders = judged.hidden ? 0 : judged.querySelectorAll("[data-line]").length;
  number.hidden = !orders;
  number.textContent = String(orders);
}

if (tabs.length) {
  const resized = new ResizeObserver(measure);
  for (const one of stage.querySelectorAll(".sending, .tabs, .gone-on, #hand > *")) resized.observe(one);
  HAND_STAYS.addEventListener("change", lay);
  for (const window of [CHIPS, DESK]) window.addEventListener("change", fold);
  fold();
  if (tabs.some((tab) => tab.hash === location.hash)) turn(location.hash);
  else lay();
  const judged = document.getElementById("judged");
  const number = document.getElementById("number");
  if (judged && number) new MutationObserver(() => count(judged, number)).observe(judged, { childList: true, subtree: true, attributes: true });
}
