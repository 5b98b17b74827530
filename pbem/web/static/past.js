// What was written before, to go back to and forth: by buttons, and by Ctrl-Z outside of fields, which undo by themselves.

/** `write` is called with the text to go back to. */
export function pastOf(begun, write) {
  const kept = [begun];
  let at = 0;
  const back = document.querySelector("[data-undo]");
  const forth = document.querySelector("[data-redo]");

  function tell() {
    if (back) back.disabled = at === 0;
    if (forth) forth.disabled = at === kept.length - 1;
  }

  function go(by) {
    if (!kept[at + by] && kept[at + by] !== "") return;
    at += by;
    tell();
    write(kept[at]);
  }

  if (back) back.addEventListener("click", () => go(-1));
  if (forth) forth.addEventListener("click", () => go(1));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    go(key === "y" || event.shiftKey ? 1 : -1);
  });
  tell();
  return {
    /** What stands now; what was undone before is forgotten. */
    keep(text) {
      if (text === kept[at]) return;
      kept.splice(at + 1, Infinity, text);
      at = kept.length - 1;
      tell();
    },
  };
}
