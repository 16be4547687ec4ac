// Editing signs in cells, such as trees and pearls, and black cells, which may have numbers: a tap
// puts one there.

import { brushes } from "./brushes.js";
import { drawing } from "./drawing.js";
import { grid } from "./grid.js";
import { h } from "../dom.js";
import { resized, sizeFields } from "./named.js";
import { addRim, resizeRim } from "./rim.js";
import { rowsOf } from "./areas.js";
import { showsEntry } from "./faults.js";

const EMPTY = ".";
const DIGITS = "0123456789";
const BESIDE = " Type numbers beside the board.";

/** An editor for a kind of puzzle with signs: {entry, noun, drawn, numbers, between}; `rim` are
 * numbers beside the board, if the kind has some. */
export const marking =
  (kind, rim) =>
  (data, change, { hand }) => {
    const { entry, numbers, between } = kind;
    const lines = linesOf(data[entry], kind);
    if (!lines) return null;
    const put = (rows) => change((now) => ({ ...now, [entry]: rows.join("\n") }));
    const { element, tray } = (numbers ? numbered : signed)(lines, kind, put, hand);
    // Between two rows of cells there is one for signs on their sides.
    const step = between ? 2 : 1;
    const size = [lines.length, lines[0].length].map((length) => Math.ceil(length / step));
    const resize = (rows, columns) => {
      const drawing = resized(lines, step * (rows - 1) + 1, step * (columns - 1) + 1, EMPTY);
      const beside = (now) =>
        rim && { [rim.entry]: resizeRim(now[rim.entry], rim, [rows, columns]) };
      change((now) => ({ ...now, [entry]: drawing.join("\n"), ...beside(now) }), { redraw: true });
    };
    const board = showsEntry(element, entry);
    return {
      stage: rim ? addRim(board, data, rim, size, change) : board,
      tray: h("div", {}, h("p", { class: "quiet" }, instruction(kind), rim && BESIDE), tray),
      settings: sizeFields(...size, resize),
      shows: [entry, rim?.entry],
    };
  };

/** The rows of a drawing with one character for each cell; null if a number is longer. */
function linesOf(value, { drawn, numbers }) {
  const known = [EMPTY, ...Object.keys(drawn), ...(numbers ? DIGITS : "")];
  const rows = rowsOf(value);
  return rows.flat().every((word) => known.includes(word)) ? rows.map((row) => row.join("")) : null;
}

const instruction = ({ noun, drawn, numbers }) => {
  if (numbers && !Object.keys(drawn).length) return `Type ${noun}s into the cells.`;
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

/** Black cells, and numbers in some of them; or only numbers. */
function numbered(lines, { noun, drawn }, put, hand) {
  const rows = lines.map((line) => [...line]);
  const letters = Object.keys(drawn).join("");
  return grid(rows, {
    symbols: DIGITS + letters,
    painted: letters,
    black: letters && DIGITS,
    label: `The ${noun}s`,
    onchange: () => put(rows.map((row) => row.join(""))),
    hand,
  });
}
