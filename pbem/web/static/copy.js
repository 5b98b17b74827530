// Buttons that copy what a field holds, and say that they did.

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = !navigator.clipboard;  // there is none on a page without TLS
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      /* not allowed: what is to be copied is selected */
    }
  });
}
