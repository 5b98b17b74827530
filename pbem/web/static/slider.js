// The slider of a history steps through the entries that its reader has: it says which, and goes there when let go.

for (const form of document.querySelectorAll("form[data-slider]")) {
  const range = form.querySelector('input[type="range"]');
  const entries = range.dataset.entries.split(" ");
  range.addEventListener("input", () => {
    const entry = entries[Number(range.value) - 1];
    form.querySelector("output").textContent = entry;
    range.setAttribute("aria-valuetext", entry);
  });
  range.addEventListener("change", () => form.requestSubmit());
}
