// The page notices by itself that the game has gone on: a small question again and again, rarer while nobody looks.

const SOON_MS = 15_000;
const AT_ONCE_MS = 2_000;
const AT_ONCE = 15;
/** How often it is asked quickly after orders were sent, when others may answer at once. */
const RARELY_MS = 120_000;

/** `soon`: orders were sent just now.  `gone` is called once when the game stands elsewhere than the page; `waiting` with the seats that
 *  are awaited and those that are away, `elsewhere` with the number and title of another table that waits for the reader, or null. */
export function pulseOf(stage, { soon, gone, waiting, elsewhere }) {
  const { pulse, entry, state } = stage.dataset;
  let tag = "";
  let timer = 0;
  let quick = soon ? AT_ONCE : 0;
  let over = false;

  async function ask() {
    if (over) return;
    try {
      const answer = await fetch(pulse, { credentials: "same-origin", headers: tag ? { "If-None-Match": tag } : {} });
      if (answer.ok) {
        tag = answer.headers.get("ETag") || "";
        const now = await answer.json();
        waiting(new Set(now.waiting), new Set(now.away));
        elsewhere(now.next);
        over ||= now.entry > Number(entry) || now.state !== state;
        if (over) return gone();
      } else if (answer.status !== 304 && answer.status < 500) {
        return;  // signed out, or the seat is somebody else's now
      }
    } catch {
      /* away for a while: asked again */
    }
    wait();
  }

  function wait() {
    clearTimeout(timer);
    const patience = quick > 0 ? AT_ONCE_MS : SOON_MS;
    quick -= 1;
    timer = setTimeout(ask, document.hidden ? RARELY_MS : patience);
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) wait();
    else ask();
  });
  ask();
}
