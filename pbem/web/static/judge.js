// The judge of letters: what a text that is being written would come to, and what is legal below it.

/** There is no answer: the server cannot be reached, or the game stands elsewhere than the page, as the message says. */
export class NoAnswer extends Error {}

const PATIENCE_MS = 20_000;

/** `ask` and `moves`; the last text asked about outruns those before it, which end with an AbortError.
 *  Both throw NoAnswer. */
export function judgeOf(form, picture) {
  let asking = null;

  async function send(address, said, asked = new AbortController()) {
    const clock = setTimeout(() => asked.abort(new NoAnswer()), PATIENCE_MS);
    const body = new FormData();
    for (const name of ["csrf_token", "entry"]) body.append(name, form.elements[name].value);
    for (const [name, value] of Object.entries(said)) body.append(name, value);
    try {
      const answer = await fetch(address, { method: "POST", body, credentials: "same-origin", signal: asked.signal });
      if (answer.ok) return await answer.json();
    } catch (problem) {
      if (problem.name === "AbortError") throw problem;
    } finally {
      clearTimeout(clock);
    }
    throw new NoAnswer();
  }

  return {
    ask(text) {
      if (asking) asking.abort();
      const mine = (asking = new AbortController());
      return send(form.dataset.check, { text, map: picture.held() }, mine);
    },
    /** What is legal below a text: an answer for each of `asked`, by form and values, or for all forms of a question,
     *  which are described then.  `but`: a row whose menu is opened, or what its line is to depend on. */
    async moves(text, asked, but = null) {
      const found = await send(form.dataset.moves, { text, asked: JSON.stringify(asked), but: JSON.stringify(but) });
      if (found.moved) throw new NoAnswer(found.moved);
      return found;
    },
  };
}
