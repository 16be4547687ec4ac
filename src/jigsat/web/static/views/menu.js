// The menu of a puzzle: what else can be done with it, and with its board.

import { button, h } from "../dom.js";

/** A button that opens a menu, and the menu. A press on one of its buttons closes it, and so does a
 * choice. */
export function menuOf(...groups) {
  const box = h(
    "div",
    { id: "menu", class: "menu", popover: "auto", onclick: close, onchange: close },
    ...groups,
  );
  const opener = button("⋯", () => {}, {
    id: "menu-opener",
    class: "bare",
    popovertarget: "menu",
    "aria-label": "Menu",
  });

  function close({ type, target }) {
    if (type === "change" || target.closest("button")) box.hidePopover();
  }

  return { opener, box };
}

/** A part of the menu, with its title. */
export function group(title, ...parts) {
  return h("section", { "aria-label": title }, h("h2", {}, title), ...parts);
}
