// What is asked: the questions of the page, their forms, and the things that can be named in them.

/** `element` holds them as the server told them. */
export function askedOf(element) {
  const { questions, words, places } = JSON.parse(element.dataset.asked);
  const byKey = new Map(questions.map((question) => [question.key, question]));
  const values = words.map((list, n) => valuesOf(list, places[n]));

  /** What a name means in a list of words: a value, one that is called so, or all that stand at a place. */
  function valuesOf(list, at) {
    const labels = Object.entries(list).map(([value, label]) => [label.toLowerCase(), [value]]);
    const found = new Map([...labels, ...Object.keys(list).map((value) => [value.toLowerCase(), [value]])]);
    for (const [value, place] of Object.entries(at)) {
      const own = found.get(place.toLowerCase()) || [];
      if (!own.includes(value)) found.set(place.toLowerCase(), [...own, value]);
    }
    return found;
  }

  const formOf = (act) => byKey.get(act.question).forms[act.form] || { keyword: "", about: "", slots: [] };
  const slotOf = (act, name = act.slot) => formOf(act).slots.find((slot) => slot.name === name);
  const isNumber = (slot) => slot.words === undefined && !slot.text;
  return {
    questions,
    /** Take up the forms of questions that are brought to the front. */
    learn(more) {
      const before = words.length;
      words.push(...more.words);
      places.push(...more.places);
      values.push(...more.words.map((list, n) => valuesOf(list, more.places[n])));
      for (const { key, forms } of more.questions) {
        for (const slot of forms.flatMap((form) => form.slots)) if (slot.words !== undefined) slot.words += before;
        byKey.get(key).forms = forms;
      }
    },
    question: (key) => byKey.get(key),
    formOf,
    slotOf,
    isNumber,
    /** The keyword of an order; nothing where it is a mere sign, and the order is called something. */
    sign: (keyword, called) => (/\p{L}/u.test(keyword) || !called ? keyword : ""),
    /** How a value of a slot is called. */
    label: (slot, value) => (slot.words === undefined ? String(value) : words[slot.words][value] || String(value)),
    /** The place on the board that means a value, too; undefined where there is none. */
    place: (slot, value) => (places[slot.words] || {})[value],
    /** The values that a name on the board or in the hand means in a slot: the legal ones if there are any, else the first. */
    values(slot, name, legal = null) {
      const all = (slot.words !== undefined && values[slot.words].get(name.toLowerCase())) || [];
      const good = legal ? all.filter((value) => legal.includes(value)) : all;
      return good.length ? good : all.slice(0, 1);
    },
    /** The slot before the keyword of an order; undefined where there is none. */
    subject: (act) => formOf(act).slots.find((slot) => slot.leading),
    /** The slots without a value that an order needs. */
    missing: (act) => formOf(act).slots.filter((slot) => !slot.optional && !(slot.name in act.values)),
  };
}
