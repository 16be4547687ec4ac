// Brushes to choose from, such as the labels of tiles and the digits of a sudoku.

import { h } from "../dom.js";

const KEYS = 9; // brushes that keys choose

/** Chips of which one is chosen, which `hand.brush` names. `options` are [value, words, an optional
 * picture]. If they are `keyed`, the keys 1 to 9 choose the first nine, of which `brushFor` tells
 * the value. */
export function brushes(label, options, hand, { keyed = false } = {}) {
  if (!options.some(([value]) => value === hand.brush)) hand.brush = options[0]?.[0];
  const chip = ([value, words, drawn], i) => {
    const input = h("input", {
      type: "radio",
      name: `brush-${label}`,
      value,
      checked: value === hand.brush,
      onchange: () => (hand.brush = value),
    });
    return h(
      "label",
      { class: "swatch", title: keyed && i < KEYS ? `Key ${i + 1}` : null },
      input,
      drawn,
      words,
      keyed && i < KEYS && h("kbd", { "aria-hidden": "true" }, String(i + 1)),
    );
  };
  return h(
    "div",
    { class: "row brushes", role: "radiogroup", "aria-label": label },
    ...options.map(chip),
  );
}

/** The value that a key chooses; undefined for other keys. */
export function brushFor(key, options, hand, tray) {
  const chosen = /^[1-9]$/.test(key) ? options[Number(key) - 1]?.[0] : undefined;
  if (chosen === undefined) return undefined;
  hand.brush = chosen;
  tray.querySelector(`[value=${CSS.escape(chosen)}]`).checked = true;
  return chosen;
}
