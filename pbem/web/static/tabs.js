// The parts of the play page behind tabs: on a desk the hand is always there and the table covers the board, on a phone
// each part takes the sheet.

const WIDE = matchMedia("(min-width: 68.75rem)");
const stage = document.getElementById("stage");
const tabs = stage ? [...stage.querySelectorAll("[data-tab]")] : [];
const part = (tab) => document.querySelector(tab.hash);
const first = tabs.find((tab) => !tab.classList.contains("phone"));
let shown = first ? first.hash : "";
let table = false;

function lay() {
  const wide = WIDE.matches;
  if (wide && (shown === "#hand" || shown === "#table")) shown = first.hash;
  for (const tab of tabs) {
    const stays = wide && tab.hash === "#hand";
    const open = tab.hash === shown || (wide && tab.hash === "#table" && table) || stays;
    part(tab).hidden = !open && !(tab.hash === "#table" && wide && stage.classList.contains("undrawn"));
    if (open) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

/** Show a part by its place in the page (`#news`). */
export function turn(hash) {
  if (WIDE.matches && hash === "#table") table = !table;
  else shown = hash;
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
const grow = document.getElementById("grow");
if (grow) {
  grow.hidden = false;
  grow.addEventListener("click", () => {
    const grown = stage.classList.toggle("grown");
    grow.setAttribute("aria-pressed", String(grown));
  });
}

/** On a phone the hand and the table lie over the tray: its foot, with the button that sends, stays free. */
const foot = stage ? [...stage.querySelectorAll(".sending, .tabs")] : [];
const measured = new ResizeObserver(() => {
  stage.style.setProperty("--foot", `${foot.reduce((high, one) => high + one.offsetHeight, 0)}px`);
});
for (const one of foot) measured.observe(one);

if (tabs.length) {
  WIDE.addEventListener("change", lay);
  if (tabs.some((tab) => tab.hash === location.hash)) turn(location.hash);
  else lay();
}
