// What this browser keeps of orders that are written: a draft, and what was sent, for one person, one seat, one entry.
// What is of another person or of an earlier entry is dropped; on a computer that is shared nothing is kept at all.

const MARK = "pbem:";
const CARRIED = "pbem:carried";

function store(name) {
  try {
    return window[name];
  } catch {
    return null;  // a browser may forbid it
  }
}

/** Drop everything: the person signs out. */
export function wiped() {
  const local = store("localStorage");
  for (const key of local ? Object.keys(local) : []) if (key.startsWith(MARK)) local.removeItem(key);
  const session = store("sessionStorage");
  if (session) session.removeItem(CARRIED);
}

/** `whose`: person, game and seat, empty where nothing may be kept; `entry`: where the game stands. */
export function keptOf(whose, entry) {
  const local = whose ? store("localStorage") : null;
  const session = whose ? store("sessionStorage") : null;
  if (!local) {
    wiped();
    return { get: () => "", set() {}, carry() {}, seen: () => null, heard: () => [] };
  }
  const person = whose.split(".")[0];
  const here = `${MARK}${whose}.`;
  const key = (kind) => `${here}${entry}.${kind}`;
  for (const old of Object.keys(local)) {
    if (!old.startsWith(MARK) || old === `${here}seen` || old === `${here}heard`) continue;
    const stranger = !old.startsWith(`${MARK}${person}.`);
    if (stranger || (old.startsWith(here) && !old.startsWith(`${here}${entry}.`))) local.removeItem(old);
  }
  const carried = session && session.getItem(CARRIED);
  if (carried) {
    session.removeItem(CARRIED);
    const [from, text] = JSON.parse(carried);
    if (from === whose && !local.getItem(key("draft"))) local.setItem(key("draft"), text);
  }
  return {
    get: (kind) => local.getItem(key(kind)) || "",
    set(kind, text) {
      try {
        if (text.trim()) local.setItem(key(kind), text);
        else local.removeItem(key(kind));
      } catch {
        /* full: the text is still in its field */
      }
    },
    /** Take a text along to the next entry. */
    carry: (text) => session && text.trim() && session.setItem(CARRIED, JSON.stringify([whose, text])),
    /** Up to which entry this browser has shown the news, null for never; now it is this one. */
    seen() {
      const before = local.getItem(`${here}seen`);
      local.setItem(`${here}seen`, String(entry));
      return before === null ? null : Number(before);
    },
    /** Which of these messages (their numbers) this browser has not shown yet; from now on, none where `read`. */
    heard(numbers, read) {
      const before = local.getItem(`${here}heard`);
      if (before === null || read) local.setItem(`${here}heard`, String(Math.max(0, before, ...numbers)));
      return before === null ? [] : numbers.filter((number) => number > Number(before));
    },
  };
}
