// The forms of the page, each of which writes one kind of line: what its fields are, what they hold, what they make.

import { changed, folded, found, rows, stepped } from "./lines.js";

/** A slot of a form, from its part of the page. */
function slotOf(element) {
  const fields = [...element.querySelectorAll("select, input")];
  return {
    fields,
    name: fields[0].name.split(".").at(-1),
    lead: element.dataset.lead || "",
    many: "many" in element.dataset,
    counted: element.dataset.counted || "",
    optional: "optional" in element.dataset,
    named: fields[0].tagName === "SELECT",
    number: fields[0].type === "number",
    runsOn: new Set((element.dataset.runs || "").split("|")),
    first: Math.max(1, Number(fields[0].min || 1)),
  };
}

/** A way to write a line, from its part of the page. */
export function builderOf(element) {
  const part = element.closest(".part");
  return {
    element,
    part,
    keyword: element.dataset.keyword,
    slots: [...element.querySelectorAll("[data-slot]")].map(slotOf),
    times: element.querySelector("[data-times] input"),
    several: "several" in part.dataset,
    heading: part.dataset.heading || "",
    prefix: part.dataset.prefix || "",
  };
}

/** The choice of a list that a name or a value means. */
export function optionOf(select, name) {
  const plain = folded(name);
  return [...select.options].find((option) => option.value && (option.value === name || folded(option.label) === plain));
}

export function values(slot) {
  return slot.fields
    .map((field) => (field.tagName === "SELECT" ? (field.value && field.selectedOptions[0].label) : field.value.trim()))
    .filter(Boolean);
}

/** The line that values make, a list for each slot. */
export function lineOf(builder, given, tries) {
  const parts = [builder.keyword];
  let before = null;
  builder.slots.forEach((slot, n) => {
    if (!given[n].length) return;
    const plain = given[n].join(", ");
    const said = slot.named || slot.number ? plain : `"${plain.replace(/"/g, "'").replace(/;/g, ",")}"`;
    if (before && before.named && !slot.lead) {
      const last = given[builder.slots.indexOf(before)].at(-1);
      if (!/^\d/.test(said) || before.runsOn.has(last)) parts[parts.length - 1] += ",";
    }
    parts.push(slot.lead ? `${slot.lead} ${said}` : said);
    before = slot;
  });
  const times = builder.times && Number(builder.times.value);
  if (times > 1) parts.push(tries.replace("n", String(times)));
  return builder.prefix + parts.join(" ");
}

/** What a second click on a name means, where a line like it stands already: its number raised, or its list with the
 *  name or without it; null where it means another line. */
export function secondOf(text, builder, line, name, tries) {
  const start = folded(builder.prefix + builder.keyword);
  const numbers = builder.slots.filter((slot) => slot.number);
  if (name && numbers.length === 1) {
    const row = found(text, (plain) => plain.replace(/\d+/g, "#") === folded(line).replace(/\d+/g, "#"));
    const more = row < 0 ? null : stepped(rows(text)[row], 1, builder.prefix);
    if (more) return { line: more.trim(), next: changed(text, row, more), elsewhere: true };
  }
  const list = builder.slots.findIndex((slot) => slot.many);
  const row = name && list >= 0 && !builder.several && !numbers.length ? found(text, (plain) => plain.startsWith(`${start} `)) : -1;
  if (row < 0) return null;
  const next = toggled(builder, list, rows(text)[row], name, tries);
  return { line: next || rows(text)[row], next: changed(text, row, next), elsewhere: true };
}

/** A row whose list holds one name more, or one less if it held it; null where nothing is left of it. */
function toggled(builder, list, row, name, tries) {
  const given = builder.slots.map(() => []);
  const labels = [...builder.slots[list].fields[0].options].map((option) => option.label).filter((label) => label);
  const behind = row.split(";")[0].slice(builder.prefix.length + builder.keyword.length);
  const listed = behind.split(",").map((item) => labels.find((label) => folded(label) === folded(item))).filter(Boolean);
  given[list] = listed.includes(name) ? listed.filter((label) => label !== name) : [...listed, name];
  return given[list].length ? lineOf(builder, given, tries) : null;
}
