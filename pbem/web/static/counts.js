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

/** What the presses on a sheet mean: `draft` the row with its counts, `known` what the row may be by the time that it is
 *  tried, `why` that was refused.  It goes on from sheet to sheet while the row is on its way to the draft. */
function meantBy(row, before) {
  const under = before && row !== before.draft && before.known.has(row);
  return under ? before : { draft: row, known: new Set([row]), why: "", show() {} };
}

/** The sheet of a line by the way it is written, or null where it counts nothing.  `before`: what was meant by presses on
 *  the sheet that it replaces.  `write(change, fell, meant)` has tried what `change` makes of the row as it stands, and
 *  calls `fell(why)` if that is refused: then the counts stay here, unwritten, until more or less of something makes them
 *  good. */
export function countsOf(row, builder, words, before, write) {
  const slots = builder ? builder.slots.filter((slot) => slot.counted && slot.lead) : [];
  const sheet = document.createElement("details");
  sheet.className = "counts";
  sheet.append(Object.assign(document.createElement("summary"), { textContent: words.title }));
  const note = Object.assign(document.createElement("p"), { className: "why small", hidden: true });
  const counters = [];
  const meant = meantBy(row, before);

  /** The counts as they are meant, and why they are not written. */
  meant.show = () => {
    note.textContent = meant.why ? words.held.replace("%", () => meant.why) : "";
    note.hidden = !meant.why;
    sheet.classList.toggle("unwritten", Boolean(meant.why));
    for (const counter of counters) counter();
  };

  function step(by) {
    const mine = by(meant.draft);
    meant.draft = mine;
    meant.known.add(mine);
    meant.why = "";
    meant.show();
    write((now) => (meant.known.has(now) ? mine : null), (why, stands) => {
      if (mine !== meant.draft) return;  // a later press decides
      meant.known = new Set([stands, mine]);  // a row that comes back, as by undo, is on its way no longer
      meant.why = why;
      meant.show();
    }, meant);
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
      const n = counted(meant.draft.split(";")[0].trim(), builder, slot, choices).get(label);
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
  meant.show();
  return counters.length ? sheet : null;
}
