// A game to look back on: each step of it is put into the page that is there, and its story walks over the board.

import { board } from "./board.js";
import { newsOf } from "./news.js";

const then = document.getElementById("then");
const figure = document.getElementById("map");
const NO_BOARD = { frame: document.getElementById("news"), names: () => [], light() {}, look() {}, past() {}, show() {}, ready: (watcher) => watcher() };
const picture = figure ? board(figure, () => {}) : NO_BOARD;
let news = listen();
let asked = 0;

/** The story that the page tells now; before it and after it lie the entries beside this one. */
function listen() {
  return newsOf(document.getElementById("news"), picture, (by, playing) => {
    const way = then.querySelector(by > 0 ? 'a[rel="next"]' : 'a[rel="prev"]');
    if (way) go(way.href, { told: playing ? "play" : "begin" });
    return Boolean(way);
  });
}

/** How what has the focus is found again in another page of the same kind. */
function named(element) {
  const { step, walk } = element && then.contains(element) ? element.dataset : {};
  if (step) return `[data-step="${CSS.escape(step)}"]`;
  return walk ? `[data-walk="${CSS.escape(walk)}"]` : "";
}

/** The parts of another page that differ, in the place of those that are here. */
function swap(page) {
  const held = named(document.activeElement);
  for (const part of page.querySelectorAll("[data-swap]")) {
    then.querySelector(`[data-swap="${part.dataset.swap}"]`).replaceChildren(...part.childNodes);
  }
  const again = held && then.querySelector(held);
  if (again) again.focus({ preventScroll: true });
}

/** Go to an entry, as one viewer saw it; whatever fails is left to the browser, which loads the page. */
async function go(address, { keep = true, told = "" } = {}) {
  const mine = (asked += 1);
  news.stop();
  try {
    const answer = await fetch(address, { credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("then");
    const map = next.querySelector("#map");
    const steps = told && next.querySelector("#news .story > li");
    const drawn = map && !steps && (await fetch(map.dataset.live, { credentials: "same-origin" }));
    const text = drawn && drawn.ok ? await drawn.text() : "";
    if (mine !== asked) return;
    swap(next);
    document.title = page.title;
    if (keep) history.pushState(null, "", answer.url);
    picture.light([]);
    if (text) picture.show({ map: text });
    news = listen();
    if (told) news[told]();
  } catch {
    location.href = address;
  }
}

then.addEventListener("click", (event) => {
  const way = event.target.closest("a[data-step]");
  if (!way || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(way.href);
});
then.addEventListener("input", (event) => {
  if (!event.target.matches("[data-slider] input")) return;
  const name = event.target.list.dataset.names.split("|")[Number(event.target.value) - 1];
  event.target.form.querySelector("output").textContent = name;
  event.target.setAttribute("aria-valuetext", name);
});
then.addEventListener("change", (event) => event.target.matches("[data-slider] input") && event.target.form.requestSubmit());
then.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-slider]")) return;
  event.preventDefault();
  go(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
});
addEventListener("keydown", (event) => news.key(event));
addEventListener("popstate", () => go(location.href, { keep: false }));
