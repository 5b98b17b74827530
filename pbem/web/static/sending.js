// The one button that sends: off, with its reason, for what would be refused and for what was sent, until that is changed;
// and withdrawing, which asks once.

const REFUSED = new Set(["none", "some", "nothing", "empty"]);

/** The buttons of a form of orders, which may stand outside of it. */
export function sendingOf(form) {
  const button = [...form.elements].find((field) => field.name === "act" && field.value === "submit");
  const answered = document.getElementById("answered");
  const open = document.getElementById("still-open");
  const withdraw = [...form.elements].find((field) => field.dataset.sure);
  let off = false;
  let going = null;  // what stood in the field when it was sent
  let last = () => {};

  if (button) {
    button.addEventListener("click", (event) => {
      if (off) event.preventDefault();
    });
    form.addEventListener("submit", (event) => {
      if (event.submitter !== button) return;
      if (!navigator.onLine) {
        event.preventDefault();
        open.textContent = button.dataset.offline;
        return;
      }
      going = form.elements.text.value;
      turn(true, "");
    });
    for (const change of ["online", "offline"]) addEventListener(change, () => last());
    addEventListener("pageshow", (event) => {
      if (!event.persisted) return;  // back to the page that sent, as it was left
      going = null;
      last();
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

  /** Why what stands is not sent again. */
  function sent() {
    if (form.elements.text.value === going) return button.dataset.going;
    return form.hasAttribute("data-sealed") ? button.dataset.sent : "";
  }

  function turn(isOff, why) {
    if (!button) return;
    last = () => turn(isOff, why);
    const reason = sent();
    off = isOff || Boolean(reason);
    button.setAttribute("aria-disabled", String(off));
    if (!navigator.onLine) open.textContent = button.dataset.offline;
    else open.textContent = reason ? [reason, isOff ? "" : why].join(" ").trim() : why;
    open.classList.toggle("why", isOff && !reason && why !== button.dataset.empty);
  }

  return {
    busy: () => turn(false, ""),
    /** What the judge said of all that is written. */
    hear(heard) {
      if (!button) return;
      const isOff = REFUSED.has(heard.verdict);
      button.toggleAttribute("data-more", Boolean(heard.open));
      const why = isOff && heard.why && heard.why.length ? button.dataset.off.replace("%", heard.why[0]) : heard.said;
      turn(isOff, isOff ? (heard.verdict === "empty" ? button.dataset.empty : why) : [sent() ? "" : heard.replaces, heard.open].filter(Boolean).join(" "));
      if (answered && heard.answered !== undefined) answered.textContent = heard.answered;
    },
  };
}
