// Editing signs in cells, such as trees and pearls, and black cells, which may have numbers: a tap
// puts one there.

import { brushes } from "./brushes.js";
import { drawing } from "./drawing.js";
import { grid } from "./grid.js";
import { h } from "../dom.js";
import { resized, sizeFields } from "./named.js";
import { rowsOf } from "./areas.js";
import { showsEntry } from "./faults.js";

const EMPTY = ".";
const DIGITS = "0123456789";

/** An editor for a kind of puzzle with signs: {entry, noun, drawn, numbers, between}. */
export const marking =
  (kind) =>
  (data, change, { hand }) => {
    const { entry, numbers, between } = kind;
    const lines = linesOf(data[entry], kind);
    if (!lines) return null;
    const put = (rows, redraw = false) =>
      change((now) => ({ ...now, [entry]: rows.join("\n") }), { redraw });
    const { element, tray } = (numbers ? numbered : signed)(lines, kind, put, hand);
    // Between two rows of cells there is one for signs on their sides.
    const step = between ? 2 : 1;
    const size = sizeFields(
      Math.ceil(lines.length / step),
      Math.ceil(lines[0].length / step),
      (rows, columns) =>
        put(resized(lines, step * (rows - 1) + 1, step * (columns - 1) + 1, EMPTY), true),
    );
    return {
      stage: showsEntry(element, entry),
      tray: h("div", {}, h("p", { class: "quiet" }, instruction(kind)), tray),
      settings: size,
      shows: [entry],
    };
  };

/** The rows of a drawing with one character for each cell; null if a number is longer. */
function linesOf(value, { drawn, numbers }) {
  const known = [EMPTY, ...Object.keys(drawn), ...(numbers ? DIGITS : "")];
  const rows = rowsOf(value);
  return rows.flat().every((word) => known.includes(word)) ? rows.map((row) => row.join("")) : null;
}

const instruction = ({ noun, drawn, numbers }) => {
  if (numbers) return `Choose the ${noun} and tap cells, or type the number of one.`;
  const one = Object.keys(drawn).length === 1;
  return `${one ? "T" : "Choose one and t"}ap a cell to put a ${noun} there, and again to take it away.`;
};

/** Signs that are put into cells by tapping them. */
function signed(lines, { noun, drawn, between }, put, hand) {
  const letters = Object.keys(drawn);
  const tray = brushes(
    "Put",
    letters.map((letter) => [letter, `${drawn[letter]} ${noun}`]),
    hand,
  );
  const element = drawing(lines, {
    label: `The ${noun}s`,
    paint: (old) => (old === hand.brush ? EMPTY : hand.brush),
    onchange: (rows) => put(rows),
    look: (letter) => drawn[letter] ?? "",
    say: (letter) => (drawn[letter] ? `${noun} ${drawn[letter]}` : "empty"),
  });
  const looks = between ? "cells signs halves" : "cells signs";
  return { element: h("div", { class: looks }, element), tray: letters.length > 1 && tray };
}

/** Black cells, and numbers in some of them. */
function numbered(lines, { noun, drawn }, put, hand) {
  const rows = lines.map((line) => [...line]);
  const letters = Object.keys(drawn).join("");
  return grid(rows, {
    symbols: DIGITS + letters,
    painted: letters,
    black: DIGITS,
    label: `The ${noun}s`,
    onchange: () => put(rows.map((row) => row.join(""))),
    hand,
  });
}
