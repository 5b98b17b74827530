// A card that tells of the place under the pointer, or of the one that the keyboard stands on: what the board says of
// it, and the orders that can be given there.

const MOST = 4;
const REST_MS = 150;

/** What the board says of a place beside its name, in sentences. */
export function toldOf(place) {
  const [name, told] = [place.getAttribute("data-name"), place.getAttribute("aria-label") || ""];
  const rest = told.startsWith(name) ? told.slice(name.length).replace(/^[\s,.;:]+/, "") : told;
  return rest.replace(/(^|[.?!] )\p{Ll}/gu, (first) => first.toUpperCase());
}

/** `ordersAt` gives, in a moment, the lines that a place's name may mean now, and where there are none, what is against it. */
export function cardOf(figure, frame, ordersAt) {
  const card = document.createElement("div");
  card.className = "place-card";
  card.setAttribute("aria-hidden", "true");  // a place says the same of itself
  card.hidden = true;
  figure.append(card);

  let shown = null;
  let timer = 0;

  function line(kind, text) {
    const made = document.createElement(kind);
    made.textContent = text;
    return made;
  }

  function show(place) {
    const name = place.getAttribute("data-name");
    const rest = toldOf(place);
    shown = place;
    card.replaceChildren(line("strong", name), ...(rest ? [line("p", rest)] : []));
    stand(place);
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const { orders, why } = await Promise.resolve(ordersAt(name)).catch(() => ({ orders: [], why: "" }));
      if (shown !== place || card.hidden) return;
      const list = document.createElement("ul");
      for (const one of orders.slice(0, MOST)) list.append(line("li", one));
      if (orders.length > MOST) list.append(line("li", "…"));
      if (orders.length) card.append(list);
      if (why) card.append(Object.assign(line("p", why), { className: "why" }));
      stand(place);
    }, REST_MS);
  }

  /** Beside its place. */
  function stand(place) {
    card.hidden = false;
    const [around, spot] = [figure.getBoundingClientRect(), place.getBoundingClientRect()];
    const middle = Math.min(around.right, Math.max(around.left, spot.left + spot.width / 2)) - around.left;
    const above = spot.top - around.top > card.offsetHeight + 12;
    const top = above ? spot.top - around.top - card.offsetHeight - 8 : Math.min(spot.bottom - around.top + 8, around.height - card.offsetHeight - 8);
    card.style.left = `${Math.max(8, Math.min(around.width - card.offsetWidth - 8, middle - card.offsetWidth / 2))}px`;
    card.style.top = `${Math.max(8, top)}px`;
  }

  const at = (event) => event.target.closest && event.target.closest("[data-name]");
  frame.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    if (at(event)) show(at(event));
    else card.hidden = true;
  });
  frame.addEventListener("focusin", (event) => at(event) && at(event).matches(":focus-visible") && show(at(event)));
  for (const end of ["pointerleave", "pointerdown", "focusout", "wheel"]) {
    frame.addEventListener(end, () => (card.hidden = true), { passive: true });
  }
  frame.addEventListener("keydown", (event) => event.key === "Escape" && (card.hidden = true));
}
