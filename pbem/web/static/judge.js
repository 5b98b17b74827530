// The judge of letters: what a text that is being written would come to, and what is legal below it.

/** `ask` and `moves`; the last text asked about outruns those before it, which end with an AbortError, as by `drop`. */
export function judgeOf(form, picture) {
  let asking = null;

  function send(address, said, more = {}) {
    const body = new FormData();
    for (const name of ["csrf_token", "entry"]) body.append(name, form.elements[name].value);
    for (const [name, value] of Object.entries(said)) body.append(name, value);
    return fetch(address, { method: "POST", body, credentials: "same-origin", ...more });
  }

  function drop() {
    if (asking) asking.abort();
  }

  return {
    drop,
    async ask(text) {
      drop();
      const mine = (asking = new AbortController());
      const answer = await send(form.dataset.check, { text, map: picture.held() }, { signal: mine.signal });
      return answer.json();
    },
    /** What is legal below a text: an answer for each of `asked`, by form and values, or for all forms of a question,
     *  which are described then.  `but`: a row whose menu is opened, or what its line is to depend on. */
    async moves(text, asked, but = null) {
      const answer = await send(form.dataset.moves, { text, asked: JSON.stringify(asked), but: JSON.stringify(but) });
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    },
  };
}
