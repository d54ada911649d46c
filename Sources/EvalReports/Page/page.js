"use strict";
// Everything is readable without this: it opens folded parts where a link or the printer needs them.
(() => {
  const opened = [];

  const reveal = () => {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // An address that somebody shortened: it names nothing.
    }
    const target = id ? document.getElementById(id) : null;
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    if (target && target.closest("details")) target.closest("details").scrollIntoView();
  };

  addEventListener("hashchange", reveal);
  // The second click on the same link changes no address.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (link && link.hash === location.hash) reveal();
  });
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details.section:not([open])")) {
      part.open = true;
      opened.push(part);
    }
  });
  addEventListener("afterprint", () => {
    for (const part of opened.splice(0)) part.open = false;
  });
  reveal();
})();
