// What is likely, in company: of the lines that are written, and of what the reader has filled into a form.  What is likely
// alone stands among the others of its list while no line with it would be accepted, and holds why.

import { values } from "./builders.js";
import { folded, names } from "./lines.js";

/** A way to hear what likely lines say of choices for a slot, beside what is filled into the others by hand or by clicks,
 *  and `more`: why the best of them would be refused, empty where one stands, null where none has both, undefined where
 *  they say nothing.  `linesOf(builder)`: the likely lines of its part; `why(line)`: what is known against one. */
export function besideOf(linesOf, why) {
  return (builder, slot, more = "") => {
    const others = builder.slots.filter((one) => one.named && one !== slot);
    const given = [more, ...others.flatMap(values)].filter(Boolean);
    const start = `${folded(builder.prefix + builder.keyword)} `;
    const begun = (line) => `${folded(line)} `.startsWith(start) && given.every((label) => names(line, label));
    const lines = given.length ? linesOf(builder).filter(begun) : [];
    const none = lines.length && "whole" in builder.part.dataset ? null : undefined;
    return (label) => {
      const own = lines.filter((line) => names(line, label));
      if (!own.length) return none;
      return own.every(why) ? why(own[0]) : "";
    };
  };
}

/** The lists of all forms.  An option that is likely alone has `data-alone`; `data-off` says why not now.  `beside`: what
 *  likely lines say of choices for a slot of a form. */
export function listsOf(builders, beside) {
  const lists = [];
  let refused = {};
  for (const builder of builders) {
    const { element, part } = builder;
    const key = (field) => part.dataset.question + field.name.slice(element.dataset.key.split(".")[0].length);
    for (const slot of builder.slots.filter((one) => one.named)) {
      for (const select of slot.fields) {
        const group = select.querySelector("[data-likely]");
        if (!group) continue;
        const likely = [...group.children];
        for (const option of likely) option.dataset.alone = "";
        lists.push({ builder, slot, select, group, likely, key: key(select), rest: group.nextElementSibling || select });
      }
    }
  }

  /** For each likely value that does not go now: why, as far as that is known. */
  function offOf({ builder, slot, likely, key }) {
    const said = beside(builder, slot);
    const off = new Map(Object.entries(refused[key] || {}));
    for (const { value, label } of likely) {
      const why = said(label);
      if (why === null) off.set(value, off.get(value) || "");
      else if (why) off.set(value, why);
    }
    return off;
  }

  function move(list) {
    const { select, group, likely, rest } = list;
    const off = offOf(list);
    const stands = (option) => off.has(option.value) === (option.parentElement !== group);
    if (likely.every((option) => stands(option) && (option.dataset.off || "") === (off.get(option.value) || ""))) return;
    const chosen = select.value;  // an option that is moved is chosen no longer
    for (const option of likely) {
      const why = off.get(option.value);
      if (why) option.dataset.off = why;
      else delete option.dataset.off;
      (off.has(option.value) ? rest : group).append(option);
    }
    group.hidden = !group.children.length;
    select.value = chosen;
  }

  const again = () => lists.forEach(move);
  return {
    /** For some lists the values with which no line stands now, and why; nothing is against any other. */
    hear(now) {
      refused = now;
      again();
    },
    /** What is filled into the forms may be another now. */
    again,
  };
}
