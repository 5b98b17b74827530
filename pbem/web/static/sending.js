// The one button that sends: off, with its reason, for what would be refused; and withdrawing, which asks once.

const REFUSED = new Set(["none", "some", "nothing", "empty"]);

/** The buttons of a form of orders, which may stand outside of it. */
export function sendingOf(form) {
  const button = [...form.elements].find((field) => field.name === "act" && field.value === "submit");
  const answered = document.getElementById("answered");
  const open = document.getElementById("still-open");
  const withdraw = [...form.elements].find((field) => field.dataset.sure);
  let off = false;

  if (button) {
    button.addEventListener("click", (event) => {
      if (off) event.preventDefault();
    });
  }
  if (withdraw) {
    withdraw.addEventListener("click", (event) => {
      if (withdraw.classList.contains("sure")) return;
      event.preventDefault();
      withdraw.dataset.said = withdraw.textContent;
      withdraw.textContent = withdraw.dataset.sure;
      withdraw.classList.add("sure");
    });
    withdraw.addEventListener("blur", () => {
      if (!withdraw.classList.contains("sure")) return;
      withdraw.textContent = withdraw.dataset.said;
      withdraw.classList.remove("sure");
    });
  }

  function turn(isOff, why) {
    if (!button) return;
    off = isOff;
    button.setAttribute("aria-disabled", String(isOff));
    open.textContent = why;
    open.classList.toggle("why", isOff);
  }

  return {
    busy: () => turn(false, ""),
    /** What the judge said of all that is written. */
    hear(heard) {
      if (form.hasAttribute("data-sealed")) return turn(true, "");
      const isOff = REFUSED.has(heard.verdict);
      const why = isOff && heard.why && heard.why.length ? button.dataset.off.replace("%", heard.why[0]) : heard.said;
      turn(isOff, isOff ? (heard.verdict === "empty" ? "" : why) : heard.open || "");
      if (answered && heard.answered !== undefined) answered.textContent = heard.answered;
    },
  };
}
