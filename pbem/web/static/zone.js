// The time zone of this browser: written into forms that pass it on, and offered where the reader's times are of another.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";

for (const field of document.querySelectorAll("input[data-zone]")) field.value = zone;
for (const offer of document.querySelectorAll("form[data-zone-now]")) {
  offer.hidden = !zone || zone === offer.dataset.zoneNow;
  const said = offer.querySelector("[data-said]");
  said.textContent = said.textContent.replace("@", zone);
}
