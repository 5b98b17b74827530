// What is touched on the board and in the hand, and the order that is under way: a form with some of its slots filled.
// What goes on is what the judge says of it; no line is read or made here.

/** `desk`: `asked`; `heard()`, what the judge said of the text; `moves(acts, row)`, what is legal below the text without a
 *  row; `write(act, said)`, where the row that an act is to stand in for is in its `root`; `inSight()`, whether the
 *  lines of orders are; `front()`, the questions that are answered; `changed()` is called when another order is under way.  `panel` shows things and orders. */
export function touchOf(desk, panel) {
  const { asked } = desk;
  let act = null;  // { question, form, slot, values, row }, or { question, forms } while it may be any of these;
  // { question, ways, row } where what is touched next says which of the orders of a subject it is, of `row` once one stands
  let found = null;  // what the judge says of it
  let looked = "";
  let turn = 0;  // what is said of an earlier touch comes too late

  const several = (one) => asked.question(one.question).several;
  const rootOf = () => (act && act.root) || null;  // where the order is chosen that a row falls back to
  const formsOf = (key) => (rootOf() ? rootOf().open : ((desk.heard() && desk.heard().moves[key]) || {}).forms || []);
  const without = ({ row, root }) => (root ? root.instead : row);
  const isList = (one) => Boolean(one.slot) && asked.slotOf(one).many;
  const count = (one) => [one.values[one.slot] || []].flat().length;

  const isUnderWay = () => Boolean(act) && !act.forms && !act.ways;

  /** The beginnings that a name means: orders of the open questions, or of the way to write that was picked up.  The keyword of
   *  an order, on a thing for sale, means that order with nothing filled. */
  function beginningsOf(name) {
    const tool = act && act.forms ? act : null;
    const open = tool ? [tool.question] : desk.front();
    return open.flatMap((question) => formsOf(question).flatMap(({ form, slot }) => {
      const one = { question, form, slot: slot && slot.slot, values: {}, armed: Boolean(tool), root: rootOf() };
      if (asked.formOf(one).keyword.toLowerCase() === name.toLowerCase()) return [{ ...one, slot: undefined }];
      return slot && (!tool || tool.forms.includes(form)) ? asked.values(asked.slotOf(one), name, slot.legal).map((value) => extended(one, value)) : [];
    }));
  }

  /** The orders of a subject that a name goes on with. */
  function waysOn(name) {
    return act.ways.flatMap(({ one, said: { forms: [{ slot }] } }) => {
      const next = slot && { ...one, slot: slot.slot };
      const values = next ? asked.values(asked.slotOf(next), name, slot.legal) : [];
      return values.filter((value) => slot.legal.includes(value)).map((value) => extended(next, value));
    });
  }

  /** The order under way with what a name means of the first of its slots that can hold it: of two coasts, with either.  What is
   *  not lit in the order of a unit that is changed is meant for another of its slots. */
  function continuationsOf(name) {
    const isChanged = act.row !== undefined && asked.subject(act) && !lights(name);
    const others = asked.formOf(act).slots.filter((slot) => (isChanged ? !slot.leading && slot.name !== act.slot : !(slot.name in act.values)));
    const slot = (isChanged ? [...others, asked.slotOf(act)] : [asked.slotOf(act), ...others]).find((one) => one && asked.values(one, name).length);
    const open = found && found.forms[0].slot;
    const legal = slot && open && open.slot === slot.name ? open.legal : [];
    return slot ? asked.values(slot, name, legal).map((value) => extended({ ...act, slot: slot.name }, value)) : [];
  }

  /** An act with a value for its slot; what a list has already is taken out of it, unless it can be there once more. */
  function extended(one, value) {
    const slot = asked.slotOf(one);
    const has = one.values[slot.name] || [];
    const open = found && found.forms[0].slot;
    const more = !has.includes(value) || slot.words === undefined || slot.counted || (open && open.slot === slot.name && open.legal.includes(value));
    return withValue(one, !slot.many ? value : more ? [...has, value] : has.filter((other) => other !== value));
  }

  /** An act with another value of its slot; without one for `null` and for nothing of a list. */
  function withValue(one, value) {
    const values = { ...one.values, [one.slot]: value };
    if (value === null || (Array.isArray(value) && !value.length)) delete values[one.slot];
    return { ...one, values };
  }

  /** Ask the judge of acts; null if another touch came after it.  Of a list he says what may follow in it. */
  async function ask(acts, slot = (one) => (isList(one) && count(one) ? one.slot : "")) {
    const mine = (turn += 1);
    const answers = await desk.moves(acts.map((one) => ({ question: one.question, form: one.form, values: one.values, slot: slot(one) })), without(acts[0]));
    return mine === turn ? answers : null;
  }

  /** Whether an act is an order as it is, or lacks nothing but numbers, for which the likely ones stand. */
  function isReady(one, { forms: [{ stop, slot }] }) {
    const grows = isList(one) && slot && slot.slot === one.slot;
    if (!stop) return !(grows && count(one) && slot.stop);
    return !grows && slot !== null && asked.isNumber(asked.slotOf(one, slot.slot)) && asked.missing(one).every(asked.isNumber);
  }

  /** Whether an order that is whole can take more: whom a unit helps is said, and it may help them to go somewhere. */
  function canGrow(one, { forms: [{ slot }] }) {
    return Boolean(slot) && !asked.slotOf(one, slot.slot).spare && slot.legal.length > 0;
  }

  // --- touching

  /** `how`: by which `pointer`, or by `keys`. */
  async function touch(name, how) {
    if (act && act.row !== undefined && begins(name) && !(isUnderWay() && lights(name))) set(null);
    const ways = act && act.ways ? waysOn(name) : [];
    const whole = act && act.ways && act.row === undefined && !ways.length && looked === name && act.ways.find(({ ready }) => ready);
    if (whole) return proceed(whole.one, whole.said);
    const more = isUnderWay() ? continuationsOf(name) : ways;
    if (isUnderWay() && more.length === 1) return go(more[0]);
    if (!more.length && (isUnderWay() || (act && act.ways))) set(rootOf());
    const acts = more.length ? more : beginningsOf(name);
    const answers = acts.length ? await ask(acts) : [];
    if (!answers) return;
    const legal = acts.flatMap((one, n) => (answers[n].forms[0].reason ? [] : [[one, answers[n]]]));
    const direct = desk.inSight() && (how.pointer !== "touch" || looked === name);
    looked = name;
    const row = rootOf() || more.length ? null : acts.map((one) => rowOf(one, name)).find(Boolean);
    if (row && legal.length < 2) return isSet(row) ? takeBack(row, name) : edit(row);
    const grown = ways.length > 0 && legal.length === 1 && isReady(...legal[0]) && canGrow(...legal[0]);
    if (legal.length === 1 && !grown && (direct || legal[0][0].armed || ways.length || !isReady(...legal[0]))) return proceed(...legal[0]);
    const choices = legal.map(([one, said]) => ({ one, said, ready: isReady(one, said) }));
    const isOne = (choices.length > 1 || grown) && choices.every(({ one }) => isSame(one, choices[0].one));
    const root = rootOf();
    const stands = isOne && ways.length && !root && choices[0].ready ? await stand(choices) : undefined;
    set(null);
    if (isOne) act = { question: choices[0].one.question, ways: choices, values: {}, root, row: stands };
    const why = legal.length ? "" : acts.length ? answers[0].forms[0].reason : null;
    if (stands === undefined) panel.look(name, choices, why, how.keys);
    else panel.look(name, choices.slice(1), why, how.keys, choices[0].said.line);
    if (isOne) desk.changed();
  }

  /** Write the first of several orders of a subject; the others may replace it.  Returns its row, undefined if it was not written. */
  async function stand(choices) {
    const [{ one, said }] = choices;
    const was = one.row;
    if (!(await desk.write(one, said))) return undefined;
    const { row } = desk.heard().rows.find((other) => other.values && isSame(other, one)) || { row: was };
    for (const choice of choices) choice.one = { ...choice.one, row, replaces: true };
    return row;
  }

  /** Whether two orders are of one subject. */
  function isSame(one, other) {
    const subject = asked.subject(one);
    return Boolean(subject) && one.question === other.question && one.values[subject.name] === other.values[subject.name];
  }

  /** The row that says what a beginning with a name would, if one does. */
  function rowOf(one, name) {
    const isMine = (row) => row.question === one.question && row.form === one.form;
    if (!one.slot) return begins(name) ? undefined : desk.heard().rows.find((row) => row.values && isMine(row));
    const values = asked.values(asked.slotOf(one), name);
    const says = (row) => row.values && [row.values[one.slot]].flat().some((value) => values.includes(value));
    return desk.heard().rows.find((row) => isMine(row) && says(row));
  }

  /** Whether a row is a set in answer to a question that takes one: what it names is taken out of it by a touch. */
  function isSet(row) {
    return !several(row) && asked.formOf(row).slots.some((slot) => slot.many);
  }

  function takeBack(row, name) {
    const slot = asked.formOf(row).slots.find((one) => one.many && asked.values(one, name).length);
    return go(extended({ ...row, slot: slot.name }, asked.values(slot, name)[0]));
  }

  /** An order under way with a value more or less; it stays as it was where that is not possible. */
  async function go(one) {
    const answers = await ask([one]);
    if (!answers) return;
    const [{ reason }] = answers[0].forms;
    if (reason) return panel.refuse(reason);
    return proceed(one, answers[0]);
  }

  /** Write an act that is an order, or wait for what it lacks. */
  async function proceed(one, said) {
    if (one.row !== undefined && !one.replaces && !isSet(one)) return revise(one, said);
    const [{ slot }] = said.forms;
    const grows = isList(one) && count(one) && slot && slot.slot === one.slot && slot.legal.length;
    if (grows && (!several(one) || one.armed)) return set(one, said);
    if (one.armed && asked.subject(one) && isReady(one, said) && canGrow(one, said)) return set({ ...one, slot: slot.slot }, said);
    if (isReady(one, said)) return finish(one, said);
    if (grows && slot.stop) return set(one, said);
    const [next] = (isList(one) ? await ask([one], () => "") : [said]) || [];
    if (!next || !next.forms[0].slot) return next && set(one, next);
    const { slot: name, legal } = next.forms[0].slot;
    if (isReady({ ...one, slot: undefined }, next)) return finish(one, next);
    const further = { ...one, slot: name };
    if (legal.length === 1 && asked.slotOf(further).words !== undefined) return go(extended(further, legal[0]));
    return set(further, next);
  }

  function finish(one, said) {
    set(null);
    panel.close();
    looked = "";
    return desk.write(one, said);
  }

  // --- an order that is changed

  /** Change the order of a row: its number first, or what its subject does, or what it was begun with. */
  async function edit(row) {
    const { slots } = asked.formOf(row);
    const number = slots.find((slot) => asked.isNumber(slot) && slot.name in row.values);
    const held = slots.filter((one) => one.name in row.values);
    const slot = number || held.find((one) => !one.leading) || held[0] || slots[0];
    if (slot) return choose({ ...row, slot: slot.name });
  }

  /** Show what a slot of an order can be. */
  async function choose(one) {
    const answers = await ask([one], () => one.slot);
    if (answers) set(one, answers[0]);
  }

  /** A row that was changed is written at once where it is an order; what it lacks is asked for. */
  async function revise(one, said) {
    if (said.forms[0].stop) return set(one, said);
    if (await desk.write(one, said)) return choose(one);
  }

  function set(next, said = null) {
    act = next;
    found = said;
    if (act) panel.order(act, found, { ready: !act.forms && isReady(act, found) });
    else panel.close();
    desk.changed();
  }

  return {
    touch,
    edit,
    proceed,
    /** Pick up a way to write, or several with one name: the next touch begins it. */
    arm(question, forms) {
      looked = "";
      const root = rootOf() && rootOf().question === question ? rootOf() : null;
      if (!root) act = null;
      if (forms.length > 1) return set({ question, forms, values: {}, root });
      const [{ slot }] = formsOf(question).filter(({ form }) => form === forms[0]);
      const one = { question, form: forms[0], slot: slot && slot.slot, values: {}, armed: true, root };
      if (slot && !asked.isNumber(asked.slotOf(one))) return choose(one);
      return go({ ...one, slot: undefined });
    },
    /** Go on with some of the orders of a subject. */
    narrow(ways, title) {
      act = { question: ways[0].one.question, ways, values: {}, root: rootOf() };
      panel.touchNext(title);
      desk.changed();
    },
    /** Let an order be chosen that is done where that of a row is not possible or fails. */
    async otherwise(question, instead, title) {
      const [{ forms: open }] = await desk.moves([{ question }], instead);
      const forms = open.filter(({ reason }) => !reason).map(({ form }) => form);
      const root = { question, forms, values: {}, instead, open, title };
      set(Object.assign(root, { root }));
    },
    /** Of the order under way: fill a slot, take it out, turn to another, be done. */
    take: (slot, value) => go(extended({ ...act, slot }, value)),
    drop: (slot, n) => go(withValue({ ...act, slot }, n === undefined ? null : act.values[slot].filter((_, at) => at !== n))),
    put: (slot, value) => go(withValue({ ...act, slot }, value)),
    choose: (slot) => choose({ ...act, slot }),
    done: () => finish(act, found),
    stop: () => set(null),
    armed: () => act,
    /** Whether the order under way is still the one that was: another value of it does not make it another. */
    isAt: (was) => act === was || Boolean(act && was && !act.forms && ["question", "form", "row"].every((key) => act[key] === was[key])),
    lights,
    /** Whether an order can stand once more behind those that stand: what it is begun with is still legal. */
    canRepeat(row) {
      const found = several(row) && !asked.subject(row) && formsOf(row.question).find(({ form }) => form === row.form);
      if (!found || found.reason) return false;
      return !found.slot || [row.values[found.slot.slot]].flat().every((value) => found.slot.legal.includes(value));
    },
    /** Whether a name is held: the order under way has it, or an answer that stands names it. */
    holds(name) {
      const has = (one) => one.values && asked.formOf(one).slots.some((slot) => {
        return asked.values(slot, name).some((value) => [one.values[slot.name]].flat().includes(value));
      });
      if (act && act.ways) return has(act.ways[0].one);
      if (act) return !act.forms && has(act);
      return desk.heard() !== null && desk.heard().rows.some((row) => isHeld(row) && has(row));
    },
    /** What of a thing is possible, for a card beside it. */
    async preview(name) {
      const acts = act && act.ways ? waysOn(name) : isUnderWay() ? continuationsOf(name) : beginningsOf(name);
      const answers = acts.length ? await desk.moves(acts.map((one) => ({ question: one.question, form: one.form, values: one.values })), without(acts[0])) : [];
      const legal = answers.filter(({ forms }) => !forms[0].reason);
      return { orders: legal.map(({ line }) => line), why: legal.length || !answers.length ? "" : answers[0].forms[0].reason };
    },
  };

  /** Whether a name glows: it is a legal beginning, or a legal value of the slot that is filled. */
  function lights(name) {
    if (act && act.ways) return waysOn(name).length > 0 || (act.row !== undefined && begins(name));
    if (!isUnderWay()) return begins(name);
    const slot = found && found.forms[0].slot;
    return Boolean(slot) && asked.values(asked.slotOf({ ...act, slot: slot.slot }), name).some((value) => slot.legal.includes(value));
  }

  /** Whether an order that is legal now is begun with a name. */
  function begins(name) {
    return beginningsOf(name).some((one) => {
      const { reason, slot } = formsOf(one.question).find(({ form }) => form === one.form);
      return !reason && (!one.slot || slot.legal.includes([one.values[one.slot]].flat()[0]));
    });
  }

  function isHeld(row) {
    return row.form !== undefined && !several(row);
  }
}
