// The board: its picture in the page, where it can be chosen from by mouse, by touch and by keyboard.

import { camera } from "./camera.js";

const CLOSER = 1.6;
const MARGIN = 20;
/** Units beside a board of zones, so that none of its words touches the edge of the frame. */
const SMALLEST = 11;
/** The height of the smallest letters that are shown, in pixels. */

const boxOf = (text) => {
  const [x, y, w, h] = text.split(" ").map(Number);
  return { x, y, w, h };
};
const inside = (box, { x, y }) => x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h;

/** A text with some of its pieces replaced: each begins with a tag, and `changes` are in their order. */
export function patched(text, changes) {
  const pieces = text.match(/<[^<]*/g) || [];
  let at = 0;
  const made = [];
  for (const [start, count, put] of changes) {
    made.push(...pieces.slice(at, start), put);
    at = start + count;
  }
  return [...made, ...pieces.slice(at)].join("");
}

/** The picture of a figure. `pick` is called with the name of what was chosen, whether by keyboard, and by which pointer. */
export function board(figure, pick) {
  const frame = document.createElement("div");
  const window = camera(frame, { settled, reshaped, scaled });
  const still = figure.querySelector("noscript");
  const sheets = new Map();
  const watchers = [];
  let plain = "";
  let held = "";
  let marked = { can: new Set(), held: new Set(), owners: new Set(), aimed: false };
  let pointer = "mouse";
  let lit = { names: new Set(), owners: new Set() };
  let afloat = null;
  let moved = false;
  let lettering = new Map();
  let now = {};
  let away = false;
  const drawn = ({ map, changes }) => (changes ? patched(plain, changes) : map || plain);
  const zones = "zones" in figure.dataset;
  const chooser = figure.querySelector("select[data-part]");
  const parts = () => (chooser ? [...chooser.options].filter((option) => option.value) : []);

  function settled() {
    moved = true;
  }

  /** The same part again, when a window is made larger or a tablet is turned; not where its reader went elsewhere. */
  function reshaped() {
    if (!moved) look(true);
  }

  /** How wide a window is in which the smallest letters can be read. */
  const legible = () => (frame.clientWidth * Math.min(...lettering.keys())) / SMALLEST;

  /** Letters that nobody could read are not shown, until the window is moved closer. */
  function scaled(scale) {
    for (const [size, words] of lettering) {
      const small = size * scale < SMALLEST - 0.05;
      if (words.small !== small) for (const word of words) word.toggleAttribute("hidden", small);
      words.small = small;
    }
  }

  /** The words of a picture by the size of their letters. */
  function letters(picture) {
    lettering = new Map();
    for (const word of picture.querySelectorAll("text")) {
      const size = Number(word.getAttribute("font-size"));
      lettering.set(size, lettering.get(size) ?? []);
      lettering.get(size).push(word);
    }
  }

  function closer(by) {
    settled();
    window.step(by);
  }

  const grown = ({ x, y, w, h }, more) => ({ x: x - more, y: y - more, w: w + 2 * more, h: h + 2 * more });

  /** The picture without its style, which is taken up by the page: a page may hold none in its text. */
  function bare(text) {
    return text.replace(/<style>([^<]*)<\/style>/g, (_, style) => {
      if (!sheets.has(style)) {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(style);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        sheets.set(style, sheet);
      }
      return "";
    });
  }

  function show(text) {
    const parsed = new DOMParser().parseFromString(bare(text), "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    const before = document.activeElement;
    const name = frame.contains(before) ? before.getAttribute("data-name") : null;
    const whole = boxOf(parsed.getAttribute("viewBox"));
    const stood = afloat && { at: middle(afloat.element), held: before === afloat.element };
    frame.replaceChildren(document.importNode(parsed, true));
    for (const title of frame.querySelectorAll("[data-name] > title")) title.remove();
    letters(frame.firstElementChild);
    move(frame.firstElementChild);
    figure.dataset.whole = parsed.getAttribute("viewBox");
    document.getElementById("stage")?.style.setProperty("--shape", String(whole.w / whole.h));
    bound(whole);
    if (stood) keep(stood);
    const places = all();
    const again = places.find((place) => place.getAttribute("data-name") === name);
    rove(again || places[0]);
    if (again) again.focus({ preventScroll: true });
    mark(marked);
    glow();
  }

  /** What the window may move over: where a piece hovers over the picture, some more. */
  function bound(box) {
    window.bound(grown(box, afloat ? afloat.room : zones ? MARGIN : 0));
  }

  /** A piece stays under the reader's eyes and hand when the picture is drawn anew. */
  function keep({ at, held }) {
    afloat.place(frame);
    const now = middle(afloat.element);
    window.shift(now.x - at.x, now.y - at.y);
    if (held) afloat.element.focus({ preventScroll: true });
  }

  /** On a board that grows, parts stand elsewhere once orders are tried: the picture says where. */
  function move(picture) {
    for (const option of parts()) {
      const part = picture.querySelector("#" + CSS.escape("zone-" + option.dataset.crop));
      if (part) option.value = part.getAttribute("viewBox");
      else if (zones) option.remove();
    }
  }

  /** The whole board. */
  function home(calm) {
    moved = false;
    window.go(grown(boxOf(figure.dataset.whole), zones ? MARGIN : 0), { calm });
  }

  /** The part that is chosen, with as much beside it as can be read, and of a board of zones nothing beside the board. */
  function look(calm) {
    if (!frame.firstElementChild) return;
    if (!chooser || !chooser.value) return home(calm);
    moved = false;
    const box = grown(boxOf(chooser.value), zones ? MARGIN : 0);
    const wide = zones ? Math.min(legible(), boxOf(figure.dataset.whole).w + 2 * MARGIN) : legible();
    window.go(box, { calm, least: wide, most: wide, top: zones });
    if (zones) aim();
  }

  /** Where nothing that can be touched is in sight, go to what is in the middle of it; without such a thing, to the middle
   *  of a board that is one large part. */
  function aim() {
    const spots = all().filter((place) => marked.can.has(nameOf(place))).map(middle);
    if (spots.some(window.sees) || (!spots.length && parts().length > 1)) return;
    const mean = (key) => spots.reduce((sum, spot) => sum + spot[key], 0) / spots.length;
    const far = (spot) => Math.hypot(spot.x - mean("x"), spot.y - mean("y"));
    const { x, y, w, h } = boxOf(chooser.value);
    const at = spots.sort((one, other) => far(one) - far(other))[0] || { x: x + w / 2, y: y + h / 2 };
    window.go({ x: at.x, y: at.y, w: 0, h: 0 }, { calm: true, least: legible(), most: legible() });
  }

  /** Where the middle of a place is, on the picture. */
  function middle(place) {
    const box = place.getBBox();
    const there = frame.firstElementChild.getScreenCTM().inverse().multiply(place.getScreenCTM());
    return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(there);
  }

  /** Where the middle of a place cannot be seen: the first part that holds it, or the whole board. */
  function reveal(place) {
    const where = middle(place);
    if (window.sees(where)) return;
    const other = parts().find((option) => inside(boxOf(option.value), where));
    if (chooser) chooser.value = other ? other.value : "";
    look(true);
    if (!window.sees(where)) home(true);
  }

  function all() {
    return [...frame.querySelectorAll("[data-name]")];
  }

  function rove(place) {
    if (!place) return;
    for (const other of all()) other.setAttribute("tabindex", other === place ? "0" : "-1");
  }

  /** The nearest place in a direction: what lies sideways of it counts double. */
  function beside(place, across, down) {
    const centre = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [x, y] = centre(place.getBoundingClientRect());
    let best = null;
    for (const other of all()) {
      const [left, top] = centre(other.getBoundingClientRect());
      const ahead = (left - x) * across + (top - y) * down;
      const aside = Math.abs((left - x) * down) + Math.abs((top - y) * across);
      if (other !== place && ahead > 1 && (!best || ahead + 2 * aside < best.way)) best = { other, way: ahead + 2 * aside };
    }
    return best && best.other;
  }

  /** The next place, round and round, whose name begins with a letter. */
  function named(place, letter) {
    const first = (text) => text.normalize("NFKD").charAt(0).toLowerCase();
    const places = all();
    const from = places.indexOf(place) + 1;
    const round = [...places.slice(from), ...places.slice(0, from)];
    return round.find((other) => first(other.getAttribute("data-name")) === first(letter));
  }

  function go(place) {
    if (!place) return;
    rove(place);
    reveal(place);
    place.focus({ preventScroll: true });
  }

  const ACTS = {
    "+": () => closer(CLOSER),
    "-": () => closer(1 / CLOSER),
    0: () => whole(),
  };
  function whole() {
    if (chooser) chooser.value = "";
    home(false);
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  frame.addEventListener("keydown", (event) => {
    const place = event.target.closest("[data-name]");
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(nameOf(place), true);
    } else if (ACTS[event.key]) {
      ACTS[event.key]();
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      go(beside(place, ...ARROWS[event.key]));
    } else if (/^\p{L}$/u.test(event.key)) {
      go(named(place, event.key));
    }
  });
  frame.addEventListener("click", (event) => {
    const place = event.target.closest("[data-name]");
    if (!place) return;
    rove(place);
    pick(nameOf(place), false, pointer);
  });
  frame.addEventListener("pointerdown", (event) => (pointer = event.pointerType));
  /** Twice on a place where nothing can be ordered, or beside all: to the part that lies there, or back. */
  frame.addEventListener("dblclick", (event) => {
    const place = event.target.closest("[data-name]");
    if (place && marked.can.has(nameOf(place))) return;
    const where = window.point(event.clientX, event.clientY);
    const part = parts().find((option) => inside(boxOf(option.value), where) && option.value !== chooser.value);
    if (!part) return whole();
    chooser.value = part.value;
    look(false);
  });

  /** Mark the places that can be touched, and those that the orders hold; with `aimed`, the others step back. */
  function mark(next) {
    marked = next;
    frame.classList.toggle("aimed", next.aimed && next.can.size > 0);
    for (const place of all()) {
      const name = nameOf(place);
      place.classList.toggle("can", next.can.has(name));
      place.classList.toggle("has", next.held.has(name));
    }
    if (zones && !moved && !away && next.can.size && chooser && chooser.value) aim();
  }

  /** The places that are lit, in the picture as it is now. */
  function glow() {
    for (const place of all()) place.classList.toggle("lit-place", shines(place));
    return all().filter(shines);
  }

  /** Of what several players have under one name, that of who is spoken of: of nobody else means one's own. */
  function isMeant(place, owners) {
    const whose = place.closest("[data-of]")?.dataset.of;
    return whose ? owners.has(whose) : whose === undefined || !owners.size;
  }

  const shines = (place) => isMeant(place, lit.owners) && lit.names.has(place.getAttribute("data-name"));

  /** What orders call a place; one that the order under way cannot mean has its owner before its name. */
  function nameOf(place) {
    const name = place.getAttribute("data-name");
    return isMeant(place, marked.owners) ? name : `${place.closest("[data-of]").dataset.of} ${name}`;
  }

  /** Light the places of these names, of these owners, and bring them into sight; nobody is moved there. */
  function light(names, owners = []) {
    lit = { names: new Set(names), owners: new Set(owners) };
    const places = glow();
    if (places.length) around(places, MARGIN, false, Math.min(legible(), boxOf(figure.dataset.whole).w));
  }

  /** Light nothing any more, and show the board of now and the part again that was shown before. */
  function rest() {
    if (away) show(drawn(now));
    away = false;
    light([]);
    look(false);
  }

  /** Show some places, and as much beside them, in a window that is so wide at least. */
  function around(places, margin, calm = false, least = 0) {
    settled();
    const spots = places.map(middle);
    const [left, top] = [Math.min(...spots.map((s) => s.x)), Math.min(...spots.map((s) => s.y))];
    const [right, low] = [Math.max(...spots.map((s) => s.x)), Math.max(...spots.map((s) => s.y))];
    window.go({ x: left - margin, y: top - margin, w: right - left + 2 * margin, h: low - top + 2 * margin }, { calm, least });
  }

  frame.className = "frame";
  for (const button of figure.querySelectorAll("button[data-zoom]")) {
    const by = Number(button.dataset.zoom);
    button.addEventListener("click", () => (by ? closer(by > 0 ? CLOSER : 1 / CLOSER) : whole()));
  }
  if (chooser) {
    chooser.value = parts()[0].value;
    chooser.addEventListener("change", () => look(false));
  }
  addEventListener("beforeprint", () => window.fix(figure.dataset.whole));
  addEventListener("afterprint", () => window.fix(""));
  fetch(figure.dataset.live, { credentials: "same-origin" })
    .then((answer) => {
      held = (answer.headers.get("ETag") || "").replace(/^W\/|"/g, "");
      return answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)));
    })
    .then((text) => {
      plain = text;
      still.replaceWith(frame);
      show(text);
      look(true);
      for (const shy of figure.querySelectorAll(".script")) shy.hidden = false;
      for (const watcher of watchers) watcher();
      if (drawn(now) !== plain) show(drawn(now));  // what was heard before the picture came
    })
    .catch(() => {
      still.insertAdjacentHTML("afterend", still.textContent);
    });
  return {
    frame,
    /** Which picture is held, for whoever tells what would change in it. */
    held: () => held,
    /** What the judge gave: the changes of the picture that is held, or a whole one, or none. */
    show(next) {
      now = next;
      if (frame.isConnected) show(drawn(next));
    },
    /** How the board once stood, until `rest`. */
    past(text) {
      away = true;
      if (frame.isConnected) show(text);
    },
    mark,
    light,
    rest,
    look: (places, margin) => around(places, margin, true),
    /** Let a piece hover over the picture: `place` puts its element there and gives what it stands beside. */
    float(piece) {
      afloat = piece;
      bound(boxOf(figure.dataset.whole));
    },
    names: () => all().map((place) => place.getAttribute("data-name")),
    place: (name) => all().find((place) => nameOf(place) === name),
    owners: () => [...frame.querySelectorAll("[data-of]")].map((zone) => zone.dataset.of),
    /** Call when the picture is there. */
    ready: (watcher) => (plain ? watcher() : watchers.push(watcher)),
  };
}
