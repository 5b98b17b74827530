// A window on a picture, always of the shape of its frame: moved by wheel, drag, pinch and buttons.

const CLOSEST = 14;
const SLACK = 6;
const GLIDE_MS = 240;
const CALM = "(prefers-reduced-motion: reduce)";

/** `frame`: what the picture fills. `settled` is called when the reader moved the window themselves, `reshaped` when the
 *  frame has another size, `scaled` with how many pixels a unit of the picture has now. */
export function camera(frame, { settled, reshaped, scaled }) {
  const held = new Map();
  let whole = { x: 0, y: 0, w: 1, h: 1 };
  let at = { x: 0.5, y: 0.5, w: 1 };
  let gliding = 0;
  let dragged = false;
  let span = 0;
  let fixed = "";

  const picture = () => frame.firstElementChild;
  const shape = () => frame.clientHeight / Math.max(1, frame.clientWidth) || 1;
  /** The width of the window in which a box is seen whole. */
  const fit = (box) => Math.max(box.w, box.h / shape());

  function draw() {
    if (fixed) return picture() && picture().setAttribute("viewBox", fixed);
    const high = at.w * shape();
    if (picture()) picture().setAttribute("viewBox", [at.x - at.w / 2, at.y - high / 2, at.w, high].map((n) => Math.round(n * 10) / 10).join(" "));
    scaled(frame.clientWidth / at.w);
    extent("left", "wide", at.x - whole.x, at.w, whole.w);
    extent("top", "high", at.y - whole.y, high, whole.h);
  }

  /** Tell the style sheet which share of the picture is seen, for bars at the edges; none where all of it is. */
  function extent(start, length, middle, seen, all) {
    const share = seen / all > 0.995 ? 0 : seen / all;
    frame.style.setProperty(`--${start}`, String(Math.max(0, middle / all - share / 2)));
    frame.style.setProperty(`--${length}`, String(share));
  }

  function hold(next) {
    const w = Math.min(fit(whole), Math.max(whole.w / CLOSEST, next.w));
    const half = [w / 2, (w * shape()) / 2];
    const keep = (n, low, length, reach) => (length <= 2 * reach ? low + length / 2 : Math.min(low + length - reach, Math.max(low + reach, n)));
    at = { w, x: keep(next.x, whole.x, whole.w, half[0]), y: keep(next.y, whole.y, whole.h, half[1]) };
    draw();
  }

  function glide(next) {
    cancelAnimationFrame(gliding);
    if (matchMedia(CALM).matches || !frame.clientWidth) return hold(next);
    const from = { ...at };
    const begun = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - begun) / GLIDE_MS);
      const eased = 1 - (1 - part) ** 3;
      const between = (key) => from[key] + (next[key] - from[key]) * eased;
      hold({ x: between("x"), y: between("y"), w: between("w") });
      if (part < 1) gliding = requestAnimationFrame(step);
    };
    gliding = requestAnimationFrame(step);
  }

  /** Where on the picture a point of the screen lies. */
  function point(x, y) {
    const box = frame.getBoundingClientRect();
    const scale = at.w / Math.max(1, box.width);
    return { x: at.x + (x - box.x - box.width / 2) * scale, y: at.y + (y - box.y - box.height / 2) * scale };
  }

  function zoomed(by, x, y) {
    const fixed = point(x, y);
    const w = Math.min(fit(whole), Math.max(whole.w / CLOSEST, at.w / by));
    const ratio = w / at.w;
    return { w, x: fixed.x + (at.x - fixed.x) * ratio, y: fixed.y + (at.y - fixed.y) * ratio };
  }

  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    cancelAnimationFrame(gliding);
    hold(zoomed(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.clientX, event.clientY));
    settled();
  }, { passive: false });

  frame.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    dragged = held.size > 1;
    span = 0;
    cancelAnimationFrame(gliding);
  });
  frame.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    if (!dragged && Math.hypot(event.clientX - before.x, event.clientY - before.y) < SLACK) return;
    if (!dragged) frame.setPointerCapture(event.pointerId);
    dragged = true;
    frame.classList.add("held");
    const scale = at.w / Math.max(1, frame.clientWidth);
    const share = held.size;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    hold({ ...at, x: at.x - ((event.clientX - before.x) * scale) / share, y: at.y - ((event.clientY - before.y) * scale) / share });
    if (share === 2) {
      const [one, other] = [...held.values()];
      const apart = Math.hypot(one.x - other.x, one.y - other.y);
      if (span) hold(zoomed(apart / span, (one.x + other.x) / 2, (one.y + other.y) / 2));
      span = apart;
    }
    settled();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, (event) => {
      held.delete(event.pointerId);
      span = 0;
      if (!held.size) frame.classList.remove("held");
    });
  }
  /** The click at the end of a drag chooses nothing. */
  frame.addEventListener("click", (event) => {
    if (dragged) event.stopImmediatePropagation();
    dragged = false;
  }, true);
  new ResizeObserver(() => {
    hold(at);
    reshaped();
  }).observe(frame);

  return {
    /** On paper: a window of its own shape, until it is taken away again. */
    fix: (window) => ((fixed = window), draw()),
    /** What the window may move over; it stays where it is. */
    bound: (box) => ((whole = box), hold(at)),
    /** To a box: `least` is how wide the window is at least, `most` at most; `top`: from its top on,
     *  and from its left where it is wider. */
    go(box, { calm = false, least = 0, most = Infinity, top = false } = {}) {
      const w = Math.min(Math.max(fit(box), least), most, fit(whole));
      const y = top ? box.y + (w * shape()) / 2 : box.y + box.h / 2;
      const x = top && w < box.w ? box.x + w / 2 : box.x + box.w / 2;
      (calm ? hold : glide)({ x, y, w });
    },
    /** By buttons and keys: towards the middle. */
    step(by) {
      const box = frame.getBoundingClientRect();
      glide(zoomed(by, box.x + box.width / 2, box.y + box.height / 2));
    },
    shift: (x, y) => hold({ ...at, x: at.x + x, y: at.y + y }),
    point,
    sees: ({ x, y }) => Math.abs(x - at.x) < at.w / 2 && Math.abs(y - at.y) < (at.w * shape()) / 2,
  };
}
