// How many of each: a sheet behind a line whose form counts things (ships of holds, goods), with what is left of them.

import { folded } from "./lines.js";

const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Where a slot's words stand in a row, from its lead word to the next one; null if they do not. */
function stretch(row, builder, slot) {
  const place = (lead) => row.search(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(lead)}(?![\\p{L}\\p{N}])`, "iu"));
  const from = place(slot.lead);
  if (from < 0) return null;
  const after = builder.slots.filter((one) => one.lead && one !== slot).map((one) => place(one.lead)).filter((at) => at > from);
  return [from, Math.min(row.length, ...after)];
}

/** How often each choice is named in a row; null where something else stands there than this sheet could write. */
function counted(row, builder, slot, choices) {
  const found = new Map(choices.map(({ label }) => [label, 0]));
  const place = stretch(row, builder, slot);
  if (!place) return found;
  for (const said of row.slice(place[0] + slot.lead.length, place[1]).split(",").map(folded)) {
    const [, before, name, behind] = said.match(/^(?:(\d+) )?(.*?)(?: x)?(?: (\d+))?$/);
    const choice = choices.find(({ label }) => folded(label) === name);
    if (!choice) return null;
    found.set(choice.label, found.get(choice.label) + Number(before || behind || 1));
  }
  return found;
}

/** The row with these counts in a slot, or without the slot where nothing is counted. */
function recounted(row, builder, slot, counts) {
  const named = [...counts].flatMap(([label, n]) => Array(n).fill(label)).join(", ");
  const said = named ? `${slot.lead} ${named}` : "";
  const [from, to] = stretch(row, builder, slot) || [row.length, row.length];
  return [row.slice(0, from), said, row.slice(to)].map((piece) => piece.trim()).filter(Boolean).join(" ");
}

/** A row with one more or less of a choice, as the row stands now: its remark stays. */
function moved(row, builder, slot, choices, label, by) {
  const [plain, ...remark] = row.split(";");
  const counts = counted(plain.trim(), builder, slot, choices);
  if (!counts || counts.get(label) + by < 0) return row;
  return [recounted(plain.trim(), builder, slot, counts.set(label, counts.get(label) + by)), ...remark].join(" ;");
}

/** The sheet of a line by the way it is written, or null where it counts nothing.  `write(change, fell)` has tried what
 *  `change` makes of the row as it stands, and calls `fell(why)` if that is refused: then the counts stay here, unwritten,
 *  until more or less of something makes them good. */
export function countsOf(row, builder, words, write) {
  const slots = builder ? builder.slots.filter((slot) => slot.counted && slot.lead) : [];
  const sheet = document.createElement("details");
  sheet.className = "counts";
  sheet.append(Object.assign(document.createElement("summary"), { textContent: words.title }));
  const note = Object.assign(document.createElement("p"), { className: "why small", hidden: true });
  const counters = [];
  const drafts = new Set([row]);
  let draft = row;

  /** The counts as they are meant, and why they are not written. */
  function show(why) {
    note.textContent = why ? words.held.replace("%", () => why) : "";
    note.hidden = !why;
    sheet.classList.toggle("unwritten", Boolean(why));
    for (const counter of counters) counter();
  }

  function step(by) {
    draft = by(draft);
    drafts.add(draft);
    const mine = draft;
    show("");
    write((now) => (drafts.has(now) ? mine : null), (why) => mine === draft && show(why));
  }

  function counter(label, value, slot, choices) {
    const held = document.querySelector(`#budget [data-held="${CSS.escape(value)}"]`);
    const name = Object.assign(document.createElement("span"), { textContent: label });
    if (held) name.append(" ", Object.assign(document.createElement("small"), { textContent: words.have.replace("%", held.dataset.amount) }));
    const count = document.createElement("output");
    const [less, more] = [["−", -1], ["+", 1]].map(([sign, by]) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign });
      button.dataset.press = `${slot.lead} ${label} ${sign}`;
      button.addEventListener("click", () => step((now) => moved(now, builder, slot, choices, label, by)));
      return button;
    });
    counters.push(() => {
      const n = counted(draft.split(";")[0].trim(), builder, slot, choices).get(label);
      count.textContent = String(n);
      for (const [button, by] of [[less, -1], [more, 1]]) button.setAttribute("aria-label", `${slot.lead} ${label}: ${n + by}`);
      less.disabled = n < 1;
    });
    return [name, less, count, more];
  }

  for (const slot of slots) {
    const choices = [...slot.fields[0].options].filter((option) => option.value);
    if (!counted(row.split(";")[0].trim(), builder, slot, choices)) continue;
    const group = document.createElement("fieldset");
    group.append(Object.assign(document.createElement("legend"), { textContent: `${slot.lead} · ${slot.counted}` }));
    for (const { label, value } of choices) group.append(...counter(label, value, slot, choices));
    sheet.append(group);
  }
  sheet.append(note);
  show("");
  return counters.length ? sheet : null;
}
