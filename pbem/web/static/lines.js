// Orders as text: where a line goes, which line stands already, how it is changed. No page is touched here.

const ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** The words of a text without case, accents and signs, parted by spaces. */
export function folded(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) || []).join(" ");
}

/** Whether an order names something. */
export function names(line, label) {
  return ` ${folded(line)} `.includes(` ${folded(label)} `);
}

/** The rows of a text, numbered from 0 as the judge numbers them from 1. */
export function rows(text) {
  return text.split(ENDS);
}

/** What a row says, remarks left out. */
function said(row) {
  return folded(row.split(";")[0]);
}

function joined(list) {
  const kept = [...list];
  while (kept.length && !kept[kept.length - 1].trim()) kept.pop();
  return kept.length ? kept.join("\n") + "\n" : "";
}

function nextStop(list, start, stops) {
  for (let n = start; n < list.length; n++) {
    if (stops.has(said(list[n]).split(" ")[0])) return n;
  }
  return list.length;
}

/** The text with a line more: before the first heading, or under its own. */
export function added(text, line, heading, stops) {
  const list = rows(joined(rows(text)));
  if (!list[list.length - 1]) list.pop();
  let from = 0;
  if (heading) {
    from = list.findIndex((row) => said(row) === folded(heading));
    if (from < 0) {
      list.push(heading);
      from = list.length - 1;
    }
    from += 1;
  }
  list.splice(nextStop(list, from, stops), 0, line);
  return joined(list);
}

/** Where a row stands that a test finds good; -1 if none does. */
export function found(text, test) {
  return rows(text).findIndex((row) => said(row) && test(said(row), row));
}

/** The text with one row changed; null takes it away. */
export function changed(text, number, row) {
  const list = rows(text);
  if (number < 0 || number >= list.length) return text;
  if (row === null) list.splice(number, 1);
  else list[number] = row;
  return joined(list);
}

/** The last number of a row, unless it is part of a name (`K9`). */
const LAST_NUMBER = /(?<![\p{L}\d])(\d+)(?=\D*$)/u;

/** A row with its last number behind a prefix changed by a step; null where it has none, or where it would fall below
 *  one. */
export function stepped(row, step, prefix = "") {
  const start = row.toLowerCase().startsWith(prefix.toLowerCase()) ? prefix.length : 0;
  const [order, ...remark] = row.slice(start).split(";");
  const number = order.match(LAST_NUMBER);
  const next = number && Number(number[1]) + step;
  if (!number || next < 1 || next > 999) return null;
  return row.slice(0, start) + [order.replace(LAST_NUMBER, String(next)), ...remark].join(";");
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
