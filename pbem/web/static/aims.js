// What can be ordered where: the verbs of the open questions as buttons, and the places that the armed one can take.

import { folded } from "./lines.js";

const empty = (slot) => slot.named && !slot.fields.some((field) => field.value);

/** The slot of a way to write that comes next: one that it needs before one that it can do without. */
function next(builder) {
  const left = builder.slots.filter(empty);
  return left.find((slot) => !slot.optional) || left[0];
}

/** The names that a slot would take now; all that it knows where none is likely. */
function takes(slot) {
  const likely = [...slot.fields[0].querySelectorAll("[data-likely] option")];
  const options = likely.length ? likely : [...slot.fields[0].options].filter((option) => option.value);
  return options.map((option) => folded(option.label));
}

/** `picture`: the board; `arm` is called with the way to write that is chosen, or null. */
export function aimsOf(builders, picture, arm) {
  const buttons = new Map();
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

  return {
    /** Mark what `builder`, or else any open question, would take; `label` is what was chosen for it in the hand. */
    show(builder, label = "") {
      for (const thing of document.querySelectorAll("#hand [data-name]")) {
        const armed = label !== "" && folded(thing.dataset.name) === folded(label);
        (thing.closest("li") || thing).classList.toggle("armed", armed);
      }
      for (const [one, button] of buttons) button.setAttribute("aria-pressed", String(one === builder));
      const slots = (builder ? [builder] : open).map(next).filter(Boolean);
      const known = new Set(slots.flatMap(takes));
      const can = picture.names().filter((name) => known.has(folded(name)));
      picture.mark({ can: new Set(can), aimed: Boolean(builder) });
    },
  };
}
