// The play page: its parts as tabs, what this browser keeps, the news, and whether the game has gone on.

import { picture, orders } from "./desk.js";
import { keptOf, wiped } from "./kept.js";
import { newsOf } from "./news.js";
import { pulseOf } from "./pulse.js";
import { soundOf } from "./sound.js";
import { fresh, turn } from "./tabs.js";

const stage = document.getElementById("stage");
const form = document.getElementById("desk");
const kept = keptOf(stage.dataset.whose, stage.dataset.entry);
const tone = soundOf(document.getElementById("sound"), Boolean(stage.dataset.whose));
const news = newsOf(document.getElementById("news"), picture);

/** A draft and what was sent, back in their field; kept again as one writes. */
function keep() {
  const said = document.getElementById("kept");
  if (form.dataset.came === "all") {
    kept.set("sent", orders.text());
    kept.set("draft", "");
  } else if (form.dataset.came === "withdrawn") {
    kept.set("sent", "");
  }
  const sent = form.dataset.came === "all" ? orders.text() : kept.get("sent");
  const draft = kept.get("draft");
  const back = orders.text().trim() ? "" : draft || sent;
  const seal = (text) => form.toggleAttribute("data-sealed", Boolean(sent.trim()) && text === sent);
  seal(back || orders.text());
  if (back) orders.write(back);
  let first = Boolean(draft) && orders.text() === draft;
  orders.written((text) => {
    const sealed = seal(text);
    kept.set("draft", sealed ? "" : text);
    said.hidden = !sealed && !first;
    said.textContent = sealed ? said.dataset.sealed : said.dataset.restored;
    said.classList.toggle("sealed", sealed);
    first = false;
  });
}

/** The panel of each seat: whether it is awaited, and whether its player is away while a deputy answers. */
function waiting(seats, away) {
  for (const dot of document.querySelectorAll(".players [data-seat]")) {
    const off = dot.querySelector(".off");
    dot.classList.toggle("away", away.has(dot.dataset.seat));
    if (off) off.hidden = !away.has(dot.dataset.seat);
    const waited = seats.has(dot.dataset.seat);
    if (waited && dot.matches(".me:not(.waited)")) tone();
    dot.classList.toggle("waited", waited);
    const state = dot.querySelector(".state");
    if (state) state.textContent = waited ? dot.dataset.waited : dot.dataset.free;
  }
}

let asked = false;

/** Another table that waits for the reader; the first answer says what waited before they came. */
function elsewhere(next) {
  const link = document.getElementById("next");
  if (next && link.hidden && asked) tone();
  asked = true;
  link.hidden = !next;
  if (!next) return;
  link.href = `/games/${next[0]}`;
  link.children[1].textContent = next[1];
}

/** The page that answers a form is the page of the seat: to load it again sends nothing again.  What was refused stays in
 *  a draft; where none may be kept, the form stays too. */
function settle() {
  const sent = form && ["all", "withdrawn"].includes(form.dataset.came);
  if (location.pathname !== stage.dataset.seat && (sent || stage.dataset.whose)) history.replaceState(null, "", stage.dataset.seat);
  return sent;
}

if (form) keep();
pulseOf(stage, {
  soon: settle(),
  waiting,
  elsewhere,
  gone() {
    const told = document.getElementById("gone-on");
    told.hidden = false;
    tone();
    told.querySelector("a").addEventListener("click", () => form && kept.carry(orders.unsent(kept.get("sent"))));
    if (!document.title.startsWith("•")) document.title = `• ${document.title}`;
  },
});

for (const tab of document.querySelectorAll("[data-tab]:not([href='#news'])")) tab.addEventListener("click", news.leave);

addEventListener("keydown", news.key);

const before = kept.seen();
const told = stage.dataset.whose && document.getElementById("news").matches("[data-since]");
const since = before === null ? told : before < Number(stage.dataset.entry) && (told || !form);  // a first order comes first
if (!form || (since && !form.dataset.came && !location.hash)) {
  if (form) turn("#news");
  if (since) news.play();
} else if (before === null) {
  fresh("#news");
}

/** What was said since this browser last showed the talk is marked, until its part is turned to. */
function listen(talk) {
  const lines = [...talk.querySelectorAll("[data-heard]")];
  const numbers = lines.map((line) => Number(line.dataset.heard));
  const unread = kept.heard(numbers, false);
  for (const line of lines) line.querySelector(".unread").hidden = !unread.includes(Number(line.dataset.heard));
  if (unread.length) fresh("#talk");
  for (const way of document.querySelectorAll('a[href="#talk"], a[href$="/talk"]')) {
    way.addEventListener("click", () => kept.heard(numbers, true));
  }
}

listen(document.getElementById("talk"));

for (const out of document.querySelectorAll('form[action="/sign-out"]')) out.addEventListener("submit", wiped);
for (const menu of document.querySelectorAll("details.menu, details.how")) {
  addEventListener("pointerdown", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
