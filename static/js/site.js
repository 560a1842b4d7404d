/* What the pages gain from JavaScript; all of them work without it. */
(() => {
  "use strict";

  const announce = (words) => {
    const region = document.getElementById("announce");
    if (region) region.textContent = words;
  };

  // A menu closes when one looks elsewhere.
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (menu !== except) menu.open = false;
    }
  };
  document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.activeElement?.closest("details.menu[open]");
    closeMenus(null);
    menu?.querySelector("summary").focus();
  });

  // Copy an invitation: the button stands beside the field it copies.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    button.textContent = button.dataset.done;
    announce(button.dataset.done);
  });
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;

  // A form is sent once. A page that comes back from the browser's memory is printed anew, so
  // that its forms are new ones.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-once]") || event.defaultPrevented) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && document.querySelector("form[data-once]")) window.location.reload();
  });

  // Ask before what cannot be taken back.
  document.addEventListener("submit", (event) => {
    const words = event.submitter?.dataset.ask;
    if (!words || window.confirm(words)) return;
    event.preventDefault();
    event.stopPropagation(); // else htmx would send it all the same
  }, true);

  // Passkeys: offered where the browser knows them; a ceremony that fails says so.
  if (window.PublicKeyCredential) {
    for (const form of document.querySelectorAll("[data-passkey]")) form.hidden = false;
  }
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const note = document.querySelector("[data-passkey-failed]");
    if (!note) return;
    note.hidden = false;
    announce(note.textContent);
  });

  // Offer the browser's time zone to those who have not confirmed one.
  for (const form of document.querySelectorAll("[data-zone-guess]")) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone || !zone.includes("/")) continue;
    form.elements.time_zone.value = zone;
    form.querySelector("[data-zone]").textContent = zone.replaceAll("_", " ");
    form.hidden = false;
  }

  // Say so when the site does not answer.
  const lost = () => {
    const words = document.body.dataset.lost;
    announce(words);
    if (document.getElementById("lost")) return;
    const note = document.createElement("p");
    note.id = "lost";
    note.className = "note warning";
    note.textContent = words;
    document.body.append(note);
  };
  const found = () => document.getElementById("lost")?.remove();
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, lost);
  document.addEventListener("htmx:responseError", (event) => {
    // Forms of a page printed before logging in elsewhere are refused: print it anew.
    if (event.detail.xhr.status === 403) window.location.reload();
    else lost();
  });
  document.addEventListener("htmx:afterOnLoad", found);
})();
