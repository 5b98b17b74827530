// Steps of a story on the board: pieces move, dice fall, cards turn, from the position before a step to the one after.

import { patched } from "./board.js";

const MOVE_MS = 600;
const GLIDE_MS = 260;
const DICE_MS = 1100;
const APART = 22;
const TOGETHER = 12;
/** The most pieces that fly in one step; the others are there at its end. */
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const middle = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** The steps of one address, with the picture before the first of them and after each. */
async function loaded(address) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(String(answer.status));
  const { picture, steps } = await answer.json();
  const texts = [picture];
  for (const { changes } of steps) texts.push(changes.length ? patched(texts.at(-1), changes) : texts.at(-1));
  return { steps, texts };
}

function made(kind, text, look = null) {
  const element = document.createElement("span");
  element.className = look === null ? `flight ${kind}` : `flight ${kind} own-${look}`;
  element.textContent = text;
  return element;
}

/** What is seen of some pieces on their way: a card with its name, or a disc in the colour of its owner. */
function pieceOf({ card, face, back, look, letter, count }) {
  const number = count > 1 ? `×${count}` : "";
  if (!card) return made("piece", `${letter}${number}` || "●", look);
  const element = made(face ? "card" : "card back", [face, number].filter(Boolean).join(" "));
  if (back && face) element.classList.add("turns");
  return element;
}

/** `picture`: the board; one without a frame shows nothing. */
export function stageOf(picture) {
  const parts = new Map();
  let sky = null;

  function part(address) {
    if (!parts.has(address)) parts.set(address, loaded(address));
    const found = parts.get(address);
    found.catch(() => parts.delete(address));
    return found;
  }

  function put(text) {
    if (text) picture.past(text);
  }

  /** The element of a spot in the picture; nothing for what lies beside it. */
  function found([zone, item]) {
    const within = (scope, name, value) => scope && scope.querySelector(`[data-${name}="${CSS.escape(value)}"]`);
    if (zone === "map") return within(picture.frame, "province", item);
    const whole = within(picture.frame, "zone", zone);
    return (item && within(whole, "item", item)) || whole;
  }

  /** Where on the screen a spot is: beside the board, at the seat's mark or at an edge. */
  function point(spot) {
    const element = found(spot) || (spot[0] === "hand" && document.querySelector("#hand"));
    if (element) return middle(element.getBoundingClientRect());
    const board = picture.frame.getBoundingClientRect();
    const marks = spot[0] === "seat" ? [...document.querySelectorAll(`[data-seat="${CSS.escape(spot[1])}"]`)] : [];
    const mark = marks.find((one) => one.getClientRects().length);
    if (mark) return middle(mark.getBoundingClientRect());
    return { x: board.x + board.width / 2, y: spot[0] === "seat" ? board.bottom - 24 : board.y + 24 };
  }

  /** Light the places of a step and bring them near. */
  function near({ moves, names }) {
    const ends = moves.flatMap(({ from, to }) => [from, to]).filter((spot) => spot && found(spot) && spot[1]);
    const named = names.map((name) => picture.frame.querySelector(`[data-province="${CSS.escape(name)}"], [data-item="${CSS.escape(name)}"]`));
    const places = [...(ends.length ? ends.map(found) : named)].filter(Boolean);
    const called = places.map((place) => place.closest("[data-name]")?.getAttribute("data-name")).filter(Boolean);
    const owners = places.map((place) => place.closest("[data-of]")?.dataset.of).filter(Boolean);
    picture.light(called, owners);
    if (places.length && !called.length) picture.look(places, 300);
  }

  /** What flies is gone: it has arrived, or another step is asked for. */
  function clear() {
    if (sky) sky.remove();
    sky = null;
  }

  /** `aside`: how far from others that fly with it, in pixels. */
  function fly(move, speed, aside) {
    const { from, to } = move;
    const element = pieceOf(move);
    const [a, b] = [point(from || to), point(to || from)];
    const at = ({ x, y }, more = "") => `translate(${x + aside}px, ${y}px) translate(-50%, -50%) ${more}`;
    const same = from && to && from.join() === to.join();
    const frames = !from ? [{ transform: at(a, "scale(.2)"), opacity: 0 }, { transform: at(b) }]
      : !to ? [{ transform: at(a) }, { transform: at(b, "scale(.6)"), opacity: 0 }]
        : same ? [{ transform: at(a, "rotateY(0)") }, { transform: at(a, "rotateY(90deg)") }, { transform: at(b, "rotateY(0)") }]
          : [{ transform: at(a) }, { transform: at(b) }];
    sky.append(element);
    element.animate(frames, { duration: MOVE_MS / speed, easing: "ease-in-out", fill: "both" });
  }

  function roll(dice, speed) {
    const board = picture.frame.getBoundingClientRect();
    for (const [n, value] of dice.entries()) {
      const element = made("die", value >= 1 && value <= 6 ? String.fromCodePoint(0x267f + value) : String(value));
      const x = board.x + board.width / 2 + (n - (dice.length - 1) / 2) * 64;
      const at = (y, more) => `translate(${x}px, ${y}px) translate(-50%, -50%) ${more}`;
      sky.append(element);
      const fall = [
        { transform: at(board.y - 40, "rotate(-300deg)"), opacity: 0 },
        { transform: at(board.y + board.height * 0.45, "rotate(-40deg)"), offset: 0.45 },
        { transform: at(board.y + board.height * 0.4, "rotate(20deg)"), offset: 0.6 },
        { transform: at(board.y + board.height * 0.45, "rotate(0)") },
      ];
      element.animate(fall, { duration: MOVE_MS / speed, easing: "ease-in", fill: "both" });
    }
  }

  return {
    clear,
    /** Show a step: its movement at this speed, none at 0; `alive` says whether it is still asked for. */
    async act(address, n, speed, alive) {
      clear();
      const { steps, texts } = await part(address);
      const step = steps[n];
      if (!step || !picture.frame || !alive()) return;
      const calm = !speed || CALM.matches || !(step.moves.length || step.dice.length);
      put(texts[calm ? n + 1 : n]);
      near(step);
      if (calm) return;
      await wait(GLIDE_MS / speed);
      if (!alive()) return;
      sky = made("sky", "");
      sky.setAttribute("aria-hidden", "true");
      document.body.append(sky);
      roll(step.dice, speed);
      if (step.dice.length) await wait(DICE_MS / speed);
      if (!alive()) return;
      const flying = step.moves.slice(0, TOGETHER);
      for (const [place, move] of flying.entries()) fly(move, speed, (place - (flying.length - 1) / 2) * APART);
      await wait(step.moves.length ? MOVE_MS / speed : 0);
      if (!alive()) return;
      clear();
      put(texts[n + 1]);
    },
  };
}
