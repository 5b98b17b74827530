// The forms of the page, each of which writes one kind of line: what its fields are, what they hold, what they make.

import { folded } from "./lines.js";

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
