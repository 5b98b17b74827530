// A table that forms becomes the game by itself: its state is asked again and again, and the page is loaded when it changes.

const said = document.querySelector("[data-forming]");
const SOON_MS = 1_000;
const LATER_MS = 15_000;
/** While others are waited for; the server has its part done within seconds. */

async function ask() {
  try {
    const answer = await fetch(said.dataset.forming, { credentials: "same-origin" });
    if (answer.ok && (await answer.json()).state !== said.dataset.state) return location.reload();
    if (!answer.ok && answer.status < 500) return;  // not one's seat
  } catch {
    /* away for a while: asked again */
  }
  setTimeout(ask, "soon" in said.dataset ? SOON_MS : LATER_MS);
}

ask();
