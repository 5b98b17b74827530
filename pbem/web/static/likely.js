// The lists of the forms, in company of the lines that are written: what is likely alone stands among the others while no
// line with it would be accepted, and holds why.

/** The lists of all forms.  An option that is likely alone has `data-alone`; `data-off` says why not now. */
export function listsOf(builders) {
  const lists = [];
  for (const { element, part, slots } of builders) {
    const key = (field) => part.dataset.question + field.name.slice(element.dataset.key.split(".")[0].length);
    for (const select of slots.flatMap((slot) => (slot.named ? slot.fields : []))) {
      const group = select.querySelector("[data-likely]");
      if (!group) continue;
      const likely = [...group.children];
      for (const option of likely) option.dataset.alone = "";
      lists.push({ select, group, likely, key: key(select), rest: group.nextElementSibling || select });
    }
  }

  function move({ select, group, likely, rest }, off) {
    if (likely.every((option) => (option.dataset.off || "") === (off[option.value] || ""))) return;
    const chosen = select.value;  // an option that is moved is chosen no longer
    for (const option of likely) {
      const why = off[option.value] || "";
      if (why) option.dataset.off = why;
      else delete option.dataset.off;
      (why ? rest : group).append(option);
    }
    group.hidden = !group.children.length;
    select.value = chosen;
  }

  return {
    /** For some lists the values with which no line stands now, and why; nothing is against any other. */
    hear(refused) {
      for (const list of lists) move(list, refused[list.key] || {});
    },
  };
}
