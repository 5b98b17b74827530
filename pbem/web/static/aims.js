// What can be ordered where: the verbs of the open questions as buttons, and the places that the armed one can take.

import { folded } from "./lines.js";

const empty = (slot) => slot.named && !slot.fields.some((field) => field.value);

/** The slot of a way to write that comes next: one that it needs before one that it can do without. */
function next(builder) {
  const left = builder.slots.filter(empty);
  return left.find((slot) => !slot.optional) || left[0];
}

/** `picture`: the board; `arm` is called with the way to write that is chosen, or null.  `beside`: what likely lines say of
 *  choices for a slot. */
export function aimsOf(builders, picture, { arm, beside }) {
  const buttons = new Map();
  let armed = [null, ""];
  const open = builders.filter((builder) => builder.part.dataset.kind === "open");

  /** A row of verbs above the likely lines of each open question that is answered on the board. */
  for (const part of new Set(open.map((builder) => builder.part))) {
    const verbs = open.filter((builder) => builder.part === part && builder.slots.some((slot) => slot.named));
    if (!verbs.length) continue;
    const row = document.createElement("div");
    row.className = "verbs";
    row.setAttribute("role", "group");
    row.setAttribute("aria-labelledby", `title-${part.id.replace("part-", "")}`);
    for (const builder of verbs) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = builder.keyword;
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => arm(button.getAttribute("aria-pressed") === "true" ? null : builder));
      buttons.set(builder, button);
      row.append(button);
    }
    part.querySelector("h3").after(row);
  }

  /** What a list would take now, as folded names, each with what is against it; all that it knows where nothing that
   *  the question could be answered with is likely. */
  function takes(builder, label) {
    const slot = next(builder);
    const options = slot ? [...slot.fields[0].options].filter((option) => option.value) : [];
    const likely = options.filter((option) => "alone" in option.dataset);
    if (!builder.part.querySelector("[data-alone]")) return options.map((option) => [folded(option.label), ""]);
    const said = beside(builder, slot, label);
    const against = (option) => said(option.label) ?? (option.dataset.off || "");
    return likely.filter((option) => said(option.label) !== null).map((option) => [folded(option.label), against(option)]);
  }

  /** Mark what `builder`, or else any open question, would take; `label` is what was chosen for it in the hand. */
  function show(builder, label = "") {
    armed = [builder, label];
    for (const thing of document.querySelectorAll("#hand [data-name]")) {
      const held = label !== "" && folded(thing.dataset.name) === folded(label);
      (thing.closest("li") || thing).classList.toggle("armed", held);
    }
    for (const [one, button] of buttons) button.setAttribute("aria-pressed", String(one === builder));
    const known = new Map();
    for (const [name, said] of (builder ? [builder] : open).flatMap((one) => takes(one, label))) {
      if (!said || !known.has(name)) known.set(name, said);
    }
    const there = picture.names().filter((name) => known.has(folded(name)));
    const off = new Map(there.map((name) => [name, known.get(folded(name))]).filter(([, said]) => said));
    picture.mark({ can: new Set(there.filter((name) => !off.has(name))), off, aimed: Boolean(builder) });
  }

  return {
    show,
    /** Mark the same anew: what goes with the lines that are written may be another now. */
    again: () => show(...armed),
  };
}
