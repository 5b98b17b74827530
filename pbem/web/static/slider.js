// The slider of a history: it says where it stands, and goes there when it is let go.

for (const form of document.querySelectorAll("form[data-slider]")) {
  const range = form.querySelector('input[type="range"]');
  range.addEventListener("input", () => { form.querySelector("output").textContent = range.value; });
  range.addEventListener("change", () => form.requestSubmit());
}
