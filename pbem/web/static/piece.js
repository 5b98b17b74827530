// A piece that hovers over the board until it is laid: moved by drag, by clicks, by arrow keys or by buttons, turned,
// put over or under what lies there, square by square.  Where the judge lets it lie it is an order, at each step.

import { changed } from "./lines.js";

const SVG = "http://www.w3.org/2000/svg";
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const REST_MS = 220;

function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function parsed(text) {
  const found = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
  return [...found.documentElement.childNodes].map((node) => document.importNode(node, true));
}

/** `panel`: the part of the page with its buttons.  `desk`: the board, what is `asked`, the row that stands, what is legal,
 *  `busy`, which does one thing after the other. */
export function pieceOf(panel, desk) {
  const piece = JSON.parse(panel.dataset.piece);
  const { picture, asked } = desk;
  const { question } = panel.dataset;
  const form = asked.question(question).forms.findIndex(({ slots }) => slots.some(({ name }) => name === piece.corner));
  const slot = (name) => asked.slotOf({ question, form }, name);
  const names = new Map(Object.entries(piece.grid).map(([name, spot]) => [String(spot), name]));
  const where = panel.querySelector("[data-where]");
  const beneath = panel.querySelector("[data-beneath]");
  const element = drawn("g", { class: "piece-afloat", tabindex: "0", role: "application" });
  const before = new Map();
  let [corner, face, under, laid] = [null, 0, new Set(), false];
  let chosen = false;  // which squares go under was said by hand, and is not left to the judge
  let [timer, grip, dragged] = [0, null, false];

  const spots = () => piece.faces[face].spots.map(([r, c]) => [corner[0] + r, corner[1] + c]);
  const nameAt = (spot) => names.get(String(spot));
  const over = () => spots().map(nameAt).filter((name) => before.has(name) && !under.has(name));
  const fill = (words, found) => words.replace("%", [...found].join(", "));

  // --- what an order means, and the order that is meant

  const valueOf = (square) => asked.values(slot(piece.corner), square)[0];
  const squareOf = (value) => Object.keys(piece.grid).find((square) => valueOf(square) === value);

  function read(values) {
    const at = values[piece.corner] !== undefined && squareOf(values[piece.corner]);
    if (!at) return false;
    corner = piece.grid[at];
    under = new Set((values[piece.under] || []).map(squareOf));
    face = Math.max(0, piece.faces.findIndex(({ value }) => value && value === values[piece.face]));
    return true;
  }

  /** The row that says where it lies; undefined if none does. */
  const row = () => [desk.rowOf(question)].find((one) => one && one.form === form);

  /** Ask the judge whether it may lie there, and how: what goes under is his choice until it is said by hand. */
  const lay = () => desk.busy(judged);

  async function judged() {
    clearTimeout(timer);
    const values = { [piece.corner]: valueOf(nameAt(corner)) };
    if (piece.faces[face].value) values[piece.face] = piece.faces[face].value;
    if (chosen) values[piece.under] = spots().map(nameAt).filter((name) => under.has(name)).map((name) => valueOf(name));
    if (chosen && !values[piece.under].length) values[piece.under] = null;
    const was = state();
    const [found] = await desk.moves([{ question, form, values }], (row() || {}).row);
    if (state() !== was) return;
    const standing = row();
    const { reason } = found.forms[0];
    if (!reason) {
      laid = true;
      read(found.values);
      draw();
      return desk.put(question, found.line, standing && standing.row);
    }
    if (standing) await desk.write(changed(desk.text(), standing.row, null));
    if (state() === was) loose(reason);
  }

  const state = () => JSON.stringify([corner, face, [...under]]);

  /** It hovers, for the judge does not let it lie there. */
  function loose(why) {
    laid = false;
    draw();
    beyond(why);
  }

  function beyond(said) {
    where.textContent = `${told()} ${said}`;
  }

  function soon() {
    draw();
    clearTimeout(timer);
    timer = setTimeout(lay, REST_MS);
  }

  // --- moving, turning, over and under

  /** To a square, as far as the board has names for all that it takes. */
  function to(spot) {
    if (piece.faces[face].spots.some(([r, c]) => !nameAt([spot[0] + r, spot[1] + c]))) return false;
    if (String(spot) !== String(corner)) chosen = false;
    corner = spot;
    under = new Set(spots().map(nameAt).filter((name) => before.has(name) && under.has(name)));
    return true;
  }

  function step([down, across]) {
    if (to([corner[0] + down, corner[1] + across])) return soon();
    where.textContent = panel.dataset.beyond;
  }

  function turn() {
    face = (face + 1) % piece.faces.length;
    chosen = false;
    soon();
  }

  function flip(name) {
    if (!before.has(name)) return;
    if (!under.delete(name)) under.add(name);
    chosen = true;
    soon();
  }

  // --- what is seen and said of it

  function told() {
    const met = over();
    const below = spots().map(nameAt).filter((name) => under.has(name));
    return [
      `${piece.faces[face].text}.`, fill(panel.dataset.at, [nameAt(corner)]),
      met.length ? fill(panel.dataset.over, met) : "", below.length ? fill(panel.dataset.under, below) : "",
      met.length || below.length ? "" : panel.dataset.apart,
    ].filter(Boolean).join(" ");
  }

  function draw() {
    if (!corner) return;
    const { side } = piece;
    const edge = ([r, c], kind) => drawn("rect", { x: c * side, y: r * side, width: side, height: side, class: kind });
    const shape = piece.faces[face].spots;
    const kindOf = (spot, n) => (under.has(nameAt(spots()[n])) ? "below" : before.has(nameAt(spots()[n])) ? "above" : "free");
    const seen = shape.filter((spot, n) => kindOf(spot, n) !== "below");
    element.replaceChildren(
      drawn("clipPath", { id: "piece-seen" }, ...seen.map((spot) => edge(spot, ""))),
      drawn("g", { class: "face", "clip-path": "url(#piece-seen)" }, ...parsed(piece.faces[face].picture)),
      ...shape.map((spot, n) => {
        const made = edge(spot, kindOf(spot, n));
        made.dataset.square = nameAt(spots()[n]);
        return made;
      }),
    );
    element.dataset.state = laid ? "laid" : "loose";
    element.setAttribute("aria-label", told());
    place(picture.frame);
    where.textContent = told();
    const met = spots().map(nameAt).filter((name) => before.has(name));
    const had = document.activeElement && document.activeElement.dataset.flip;
    beneath.replaceChildren(...met.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.flip = name;
      button.setAttribute("aria-pressed", String(under.has(name)));
      button.textContent = fill(under.has(name) ? panel.dataset.isUnder : panel.dataset.isOver, [name]);
      button.title = before.get(name);
      button.addEventListener("click", () => flip(name));
      return button;
    }));
    const again = had && beneath.querySelector(`[data-flip="${had}"]`);
    if (again) again.focus();
  }

  const places = (frame) => [...frame.querySelectorAll(`.zone[data-zone="${piece.zone}"] [data-name]`)];

  /** Onto the picture, which may have been drawn anew: beside a square whose name is known. */
  function place(frame) {
    const anchor = places(frame).find((one) => one.dataset.name in piece.grid);
    if (!anchor || !corner) return null;
    const box = anchor.querySelector("rect");
    const [row, column] = piece.grid[anchor.dataset.name];
    const [x, y] = [Number(box.getAttribute("x")), Number(box.getAttribute("y"))];
    element.setAttribute("transform", `translate(${x + (corner[1] - column) * piece.side} ${y + (corner[0] - row) * piece.side})`);
    if (element.parentNode !== anchor.parentNode) anchor.parentNode.append(element);
    return anchor;
  }

  /** The square under a point of the screen. */
  function spotAt(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(element.getScreenCTM().inverse());
    return [corner[0] + Math.floor(at.y / piece.side), corner[1] + Math.floor(at.x / piece.side)];
  }

  // --- by mouse, by touch and by keys

  function listen(frame) {
    const own = (event) => event.target.closest && event.target.closest(".piece-afloat") === element;
    frame.addEventListener("pointerdown", (event) => {
      dragged = false;
      if (event.button || !own(event)) return;
      event.stopImmediatePropagation();
      const spot = spotAt(event);
      grip = [spot[0] - corner[0], spot[1] - corner[1]];
      frame.setPointerCapture(event.pointerId);
    }, true);
    frame.addEventListener("pointermove", (event) => {
      if (!grip) return;
      event.stopImmediatePropagation();
      const spot = spotAt(event);
      const next = [spot[0] - grip[0], spot[1] - grip[1]];
      if (String(next) === String(corner) || !to(next)) return;
      dragged = true;
      draw();
    }, true);
    for (const end of ["pointerup", "pointercancel"]) {
      frame.addEventListener(end, (event) => {
        if (!grip) return;
        if (end === "pointerup" && !dragged) flip(nameAt(spotAt(event)));
        else lay();
        grip = null;
        dragged = true;  // the click that follows chooses nothing
      }, true);
    }
    frame.addEventListener("click", (event) => {
      if (dragged || own(event)) {
        dragged = false;
        return event.stopImmediatePropagation();
      }
      const place = event.target.closest("[data-name]");
      const spot = spotAt(event);
      if ((place && !places(frame).includes(place)) || !nameAt(spot) || event.target.closest(".zone:not([data-zone=\"" + piece.zone + "\"])")) return;
      event.stopImmediatePropagation();
      if (to(spot)) soon();
      else where.textContent = panel.dataset.beyond;
    }, true);
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) step(STEPS[event.key]);
    else if (event.target === element && (event.key === "Enter" || event.key === " ")) lay();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async function begin() {
    const found = row() ? null : (await desk.moves([{ question, form }]))[0];
    laid = Boolean(row());
    if (!read((row() || found).values)) to(piece.grid[[...before.keys()].find((name) => name in piece.grid)]);
    panel.hidden = false;
    draw();
    listen(picture.frame);
    picture.float({ element, place, room: 2 * piece.side });
    picture.look(places(picture.frame), 2.5 * piece.side);
  }

  element.addEventListener("keydown", key);
  panel.addEventListener("keydown", key);
  for (const button of panel.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => step(button.dataset.step.split(",").map(Number)));
  }
  const act = (name, does) => {
    const button = panel.querySelector(`[data-${name}]`);
    button.hidden = name === "turn" && piece.faces.length < 2;
    button.addEventListener("click", does);
  };
  act("turn", turn);
  act("lay", lay);
  picture.ready(() => {
    for (const one of places(picture.frame)) before.set(one.dataset.name, one.getAttribute("aria-label"));
    desk.busy(begin);
  });
  return {
    /** The judge has spoken: what the row of the piece says now. */
    written() {
      if (!corner) return;
      const standing = row();
      laid = Boolean(standing && read(standing.values));
      draw();
    },
  };
}
