// The board: its picture in the page, where it can be chosen from by mouse, by touch and by keyboard, and enlarged.

const STEPS = 4;
const NARROW = "(max-width: 40rem)";

/** The picture of a figure. `pick` is called with the name of what was chosen, and whether it was by keyboard. */
export function board(figure, pick) {
  const frame = document.createElement("div");
  const sheets = new Map();
  let plain = "";
  let zoom = 1;
  let whole = "";
  let paper = "";
  const chooser = figure.querySelector("select[data-part]");

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
    const held = document.activeElement;
    const name = frame.contains(held) ? held.getAttribute("data-name") : null;
    whole = parsed.getAttribute("viewBox");
    frame.replaceChildren(document.importNode(parsed, true));
    move(frame.firstElementChild);
    look();
    const places = all();
    const again = places.find((place) => place.getAttribute("data-name") === name);
    rove(again || places[0]);
    if (again) again.focus({ preventScroll: true });
  }

  /** On a board that grows, parts stand elsewhere once orders are tried: the picture says where. */
  function move(picture) {
    for (const option of chooser ? chooser.options : []) {
      const part = option.dataset.crop && picture.querySelector("#" + CSS.escape("zone-" + option.dataset.crop));
      if (part) option.value = part.getAttribute("viewBox");
    }
  }

  /** Show the part of the board that is chosen: the same picture, through a smaller window. */
  function look() {
    const picture = frame.firstElementChild;
    if (picture) picture.setAttribute("viewBox", paper || (chooser && chooser.value) || whole);
  }

  /** Where the middle of a place cannot be seen: the first part that holds it, or the whole board. */
  function reveal(place) {
    const box = place.getBBox();
    const inside = frame.firstElementChild.getScreenCTM().inverse().multiply(place.getScreenCTM());
    const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(inside);
    const holds = (value) => {
      const [left, top, wide, high] = value.split(" ").map(Number);
      return x > left && x < left + wide && y > top && y < top + high;
    };
    if (!chooser || !chooser.value || holds(chooser.value)) return;
    const other = [...chooser.options].find((option) => option.value && holds(option.value));
    chooser.value = other ? other.value : "";
    look();
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
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [x, y] = middle(place.getBoundingClientRect());
    let best = null;
    for (const other of all()) {
      const [left, top] = middle(other.getBoundingClientRect());
      const ahead = (left - x) * across + (top - y) * down;
      const aside = Math.abs((left - x) * down) + Math.abs((top - y) * across);
      if (other !== place && ahead > 1 && (!best || ahead + 2 * aside < best.way)) best = { other, way: ahead + 2 * aside };
    }
    return best && best.other;
  }

  /** The next place, round and round, whose name begins with a letter. */
  function named(place, letter) {
    const plain = (text) => text.normalize("NFKD").charAt(0).toLowerCase();
    const places = all();
    const from = places.indexOf(place) + 1;
    const round = [...places.slice(from), ...places.slice(0, from)];
    return round.find((other) => plain(other.getAttribute("data-name")) === plain(letter));
  }

  function go(place) {
    if (!place) return;
    rove(place);
    reveal(place);
    place.focus();
  }

  function enlarge(by) {
    zoom = Math.min(STEPS, Math.max(1, zoom + by));
    frame.dataset.zoom = String(zoom);
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  frame.addEventListener("keydown", (event) => {
    const place = event.target.closest("[data-name]");
    if (!place) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(place.getAttribute("data-name"), true);
    } else if (event.key === "+" || event.key === "-") {
      enlarge(event.key === "+" ? 1 : -1);
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      go(beside(place, ...ARROWS[event.key]));
    } else if (/^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      go(named(place, event.key));
    }
  });
  frame.addEventListener("click", (event) => {
    const place = event.target.closest("[data-name]");
    if (!place) return;
    rove(place);
    pick(place.getAttribute("data-name"), false);
  });

  frame.className = "frame";
  frame.dataset.zoom = "1";
  for (const button of figure.querySelectorAll("button[data-zoom]")) {
    button.addEventListener("click", () => enlarge(Number(button.dataset.zoom)));
  }
  if (chooser) {
    const near = chooser.querySelector("[data-near]");
    if (near && matchMedia(NARROW).matches) chooser.value = near.value;
    chooser.addEventListener("change", look);
  }
  addEventListener("beforeprint", () => ((paper = figure.dataset.paper), look()));
  addEventListener("afterprint", () => ((paper = ""), look()));
  fetch(figure.dataset.live, { credentials: "same-origin" })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)))))
    .then((text) => {
      plain = text;
      show(text);
      const still = figure.querySelector("picture");
      if (still) still.replaceWith(frame);
      for (const parts of figure.querySelectorAll(".still")) parts.hidden = true;
      for (const shy of figure.querySelectorAll(".script")) shy.hidden = false;
    })
    .catch(() => {});
  return { show: (text) => frame.isConnected && show(text || plain) };
}
