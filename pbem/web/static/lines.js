// Orders as rows of text: where one is put, changed, moved, taken away.  What a row says is not read here.

const ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** The words of a sentence without case, accents and signs, parted by spaces: for the names that news hold. */
export function folded(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) || []).join(" ");
}

/** The rows of a text, numbered from 0 as the judge numbers them from 1. */
export function rows(text) {
  return text.split(ENDS);
}

function joined(list) {
  const kept = [...list];
  while (kept.length && !kept[kept.length - 1].trim()) kept.pop();
  return kept.length ? kept.join("\n") + "\n" : "";
}

/** The text with a line more, before the row `at`; `heading`: what it stands under, where that is not there yet. */
export function added(text, line, { at, heading }) {
  const list = rows(joined(rows(text)));
  if (!list[list.length - 1]) list.pop();
  list.splice(at, 0, ...(heading ? [heading, line] : [line]));
  return joined(list);
}

/** The text with one row changed; null takes it away. */
export function changed(text, number, row) {
  const list = rows(text);
  if (number < 0 || number >= list.length) return text;
  if (row === null) list.splice(number, 1);
  else list[number] = row;
  return joined(list);
}

/** The text with a line in place of some rows: where the first of them stood. */
export function replaced(text, numbers, line) {
  const [first, ...others] = [...numbers].sort((one, other) => one - other);
  const gone = new Set(others);
  return joined(rows(text).map((row, n) => (n === first ? line : row)).filter((_, n) => !gone.has(n)));
}

/** The text with a row moved up by one. */
export function swapped(text, number) {
  const list = rows(text);
  if (number < 1 || number >= list.length) return text;
  [list[number - 1], list[number]] = [list[number], list[number - 1]];
  return joined(list);
}

/** The text with a row written once more, below itself. */
export function repeated(text, number) {
  const list = rows(text);
  if (number < 0 || number >= list.length) return text;
  list.splice(number, 0, list[number]);
  return joined(list);
}
