// The direct editors, by family. A family without one is edited as text.
//
// An editor is a function of the entries of a puzzle and of `change`; it returns an element, or null if it cannot show these entries.
// `change(function, {redraw})` replaces the entries by the function's result. The editor shows the change itself, unless `redraw`.

import { boardPicker } from "./boards.js";
import { button, field, fill, h } from "../dom.js";
import { drawing } from "./drawing.js";
import { grid } from "./grid.js";
import { named, resized, sizeFields } from "./named.js";
import { sudoku } from "./sudoku.js";
import { tiles } from "./tiles.js";

const EDITORS = { "lights-out": lights, sudoku: (data, change) => sudoku(data, change), "edge-matching": tiles, interlocking: teeth, tiling, seating, crossword, latin: (data, change) => sudoku(data, change, false) };

/** Show the editor of a family in a container. */
export function edit(container, data, family, change, engine, painted) {
  const focused = container.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
  const editor = EDITORS[family]?.(data, change, painted);
  fill(container, titleField(data, change), boardField(data, change, engine), editor);
  container.toggleAttribute("data-drawn", Boolean(editor?.querySelector(".board, .sudoku, .tile")));
  if (focused) container.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

function titleField({ title }, change) {
  const input = h("input", { value: title ?? "", id: "title", class: "title", "aria-label": "Title", placeholder: "Title", onchange: () => change((now) => ({ ...now, title: input.value.trim() })) });
  return input;
}

/** The picker for a board that has a name. */
function boardField({ board }, change, engine) {
  if (typeof board !== "string" || board.includes("\n")) return null;
  const choose = (name) => change((now) => onBoard(now, name), { redraw: true });
  const [, kind, rows, columns] = /^(square|torus|cylinder) (\d+)x(\d+)$/.exec(board) ?? [];
  return h("div", {}, kind && sizeFields(rows, columns, (down, across) => choose(`${kind} ${down}x${across}`)), boardPicker(board, engine, choose));
}

/** The entries with another board. Drawn lights do not fit it, so all are lit. */
function onBoard(entries, board) {
  return "lit" in entries ? { ...entries, board, lit: "all" } : { ...entries, board };
}

function lights(data, change) {
  const lines = litLines(data);
  if (!lines) return null;
  const toggled = (old) => (old === "#" ? "." : "#");
  const draw = (rows, redraw = false) => change((now) => ({ ...now, lit: rows.join("\n") }), { redraw });
  return h(
    "div",
    {},
    h("p", { class: "quiet" }, "Click a light to switch it on or off."),
    h("div", { class: "lights" }, drawing(lines, { label: "The lights", paint: toggled, onchange: (rows) => draw(rows), look: () => "" })),
    h("div", { class: "row" }, button("All on", () => draw(lines.map((line) => "#".repeat(line.length)), true)), button("All off", () => draw(lines.map((line) => ".".repeat(line.length)), true))),
  );
}

/** The lights row by row, # for a lit one; null if the rows of the board are not known. */
function litLines({ board, lit }) {
  if (lit !== "all") return [lit].flat().join("\n").split("\n").filter((line) => line.trim()).map((line) => line.replaceAll(" ", "").replaceAll("1", "#").replaceAll("0", "."));
  const grid = /^(?:square|torus) (\d+)x(\d+)$/.exec(board);
  if (grid) return Array.from({ length: Number(grid[1]) }, () => "#".repeat(Number(grid[2])));
  const side = Number(/^hexagon (\d+)$/.exec(board)?.[1] ?? 0);
  return side ? Array.from({ length: 2 * side - 1 }, (_, i) => "#".repeat(2 * side - 1 - Math.abs(side - 1 - i))) : null;
}

/** Pieces drawn as squares, or side after side: click the teeth. */
function teeth(data, change) {
  const shape = (given) => (typeof given === "string" ? given : given.shape);
  const draw = (name, given) => {
    const lines = shape(given).trim().split("\n");
    const last = lines.length - 1;
    const fixed = (old, r, c) => (last ? r % last && c % last : old === " ");
    const paint = (old, r, c) => (fixed(old, r, c) ? null : old === "#" ? "." : "#");
    const written = (rows) => (typeof given === "string" ? rows.join("\n") : { ...given, shape: rows.join("\n") });
    const onchange = (rows) => change((now) => ({ ...now, pieces: { ...now.pieces, [name]: written(rows) } }));
    return h("div", { class: "foam" }, drawing(lines, { label: `Piece ${name}`, paint, onchange, look: () => "" }));
  };
  return h("div", {}, h("p", { class: "quiet" }, "Click the rim of a piece to cut a tooth or to add one."), named(data, "pieces", "piece", change, { draw }));
}

/** The board and the pieces as drawings of cells, layer below layer. */
function tiling(data, change) {
  if (typeof data.board !== "string" || Object.values(data.pieces).some((given) => typeof given !== "string")) return null;
  if (!data.board.includes("\n") || /^\s*(squares|hexagons|triangles)\s*\n/.test(data.board)) return null;
  const used = new Set([data.board, ...Object.values(data.pieces)].join("").replaceAll("\n", ""));
  const characters = [...new Set([...used, "."])].sort();
  let brush = characters.find((character) => character !== ".");
  const brushes = h("div", { class: "row", role: "radiogroup", "aria-label": "Paint" }, h("span", { class: "quiet" }, "Paint"));
  for (const character of characters) {
    const chosen = h("input", { type: "radio", name: "brush", value: character, checked: character === brush, onchange: () => (brush = character) });
    brushes.append(h("label", {}, chosen, character === "." ? " no cell" : character === "#" ? " cell" : ` ${character}`));
  }
  const paint = (old) => (old === brush ? "." : brush);
  const board = padded(data.board, 0);
  const draws = (rows, redraw = false) => change((now) => ({ ...now, board: rows.join("\n") }), { redraw });
  const draw = (name, text) => {
    const lines = padded(text, 1, 4);
    const onchange = (rows) => change((now) => ({ ...now, pieces: { ...now.pieces, [name]: trimmed(rows) } }));
    return h("div", { class: "cells" }, drawing(lines, { label: `Piece ${name}`, paint, onchange, look: letter }));
  };
  return h(
    "div",
    {},
    !data.board.trim().split("\n").includes("") && sizeFields(board.length, board[0].length, (rows, columns) => draws(resized(board, rows, columns, "#"), true)),
    brushes,
    h("div", { class: "cells" }, drawing(board, { label: "The board", paint, onchange: (rows) => draws(rows), look: letter })),
    named(data, "pieces", "piece", change, { draw, fresh: () => characters.find((character) => character !== ".") }),
  );
}

/** The guests, and the shapes of the tables. */
function seating(data, change) {
  const shapes = typeof data.tables === "string" ? [data.tables] : Object.values(data.tables);
  const tables = shapes.length === 1 && h("input", { value: shapes[0], id: "tables", onchange: () => change((now) => ({ ...now, tables: tables.value })) });
  return h("div", {}, tables && field("Table", tables, "such as round 8"), h("p", { class: "quiet" }, "The guests. Their rules are in the text."), named(data, "guests", "guest", change, { fresh: () => [] }));
}

const MOST_WORDS = 60; // longer lists are edited in the text

/** The grid, in which letters are typed and # is a block, and the words. */
function crossword(data, change) {
  const lines = [data.grid].flat().join("\n").trim().split("\n");
  const rows = lines.map((line) => [...line.toUpperCase()]);
  const write = (now, redraw = false) => change((old) => ({ ...old, grid: now.join("\n") }), { redraw });
  const { element } = grid(rows, { symbols: "ABCDEFGHIJKLMNOPQRSTUVWXYZ#", label: "The grid", onchange: () => write(rows.map((row) => row.join(""))), step: true });
  return h(
    "div",
    {},
    sizeFields(rows.length, rows[0].length, (down, across) => write(resized(rows.map((row) => row.join("")), down, across, "."), true)),
    h("p", { class: "quiet" }, "Type letters; # is a block."),
    element,
    [data.words].flat().join("\n").split("\n").length <= MOST_WORDS && h("div", {}, h("p", { class: "quiet" }, "The words, each perhaps with a score."), named(data, "words", "word", change)),
  );
}

const letter = (character) => (character === "." || character === "#" ? "" : character);

/** The rows of a drawing, equally long, with a margin of empty cells on the right and below, and at least `least` rows and columns;
 * layers are kept as they are. */
function padded(text, margin, least = 0) {
  const lines = text.trim().split("\n");
  if (lines.includes("")) return lines;
  const wide = Math.max(least, Math.max(...lines.map((line) => line.length)) + margin);
  return [...lines, ...Array(Math.max(margin, least - lines.length)).fill("")].map((line) => line.padEnd(wide, "."));
}

/** The drawing without empty rows and columns around it; layers are kept as they are. */
function trimmed(rows) {
  if (rows.includes("")) return rows.join("\n");
  const full = rows.map((row) => /[^.]/.test(row));
  const kept = rows.slice(full.indexOf(true), full.lastIndexOf(true) + 1);
  const left = Math.min(...kept.map((row) => row.search(/[^.]|$/)));
  const right = Math.max(...kept.map((row) => row.replace(/\.+$/, "").length));
  return kept.map((row) => row.slice(left, right)).join("\n");
}
