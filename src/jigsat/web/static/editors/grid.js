// A grid of characters that are typed, painted or pasted, such as digits and letters; the arrow
// keys move.

import { brushes } from "./brushes.js";
import { fill, h } from "../dom.js";
import { plural } from "../words.js";

const [TYPE, RUB] = ["type", "."];
const SKIP = "0. "; // typed, they leave a cell empty
const MOST_SYMBOLS = 12; // that are told one by one

/** @typedef {{symbols: string, painted: string, black?: string, label: string, thick?: (row: number, column: number) => string[],
 * onchange: () => void, onpaste?: () => void, hand: object}} Options */

/** `rows` are lists of characters, which change; `symbols` may be typed, and `painted` are those to
 * paint with, as brushes; `black` are those on a black ground. `thick(row, column)` gives the sides with a thick line. `onchange()`
 * hears of each change, `onpaste()` of a whole grid. Returns the element, the tray with the
 * brushes, and `put`, which sets a cell. */
export function grid(
  rows,
  /** @type {Options} */ {
    symbols,
    painted,
    black = "",
    label,
    thick = () => [],
    onchange,
    onpaste = onchange,
    hand,
  },
) {
  const cells = [];
  const problem = h("p", { class: "problem", role: "alert" });
  const [height, width] = [rows.length, rows[0]?.length ?? 0];
  const expected = `one of ${shorten(symbols)}`;

  const looks = (value) => (value === "#" ? "block" : black.includes(value) ? "black" : "");

  function put(r, c, value) {
    rows[r][c] = value;
    cells[r][c].value = value === "." ? "" : value;
    cells[r][c].className = looks(value);
  }

  /** Paint a cell with the brush; a second time clears it. */
  function paint(event, r, c) {
    if (!painted || hand.brush === TYPE) return;
    event.preventDefault(); // no keyboard on a phone
    put(r, c, rows[r][c] === hand.brush ? "." : hand.brush);
    onchange();
  }

  function typed(r, c) {
    const last = cells[r][c].value.toUpperCase().slice(-1);
    const value = SKIP.includes(last) && !symbols.includes(last) ? "" : last;
    const fits = symbols.includes(value);
    fill(problem, fits ? "" : `“${value}” does not belong here; write ${expected}`);
    put(r, c, !fits ? rows[r][c] : value || ".");
    if (!fits) return;
    onchange();
    if (last) go(r, c, 1); // typing moves on
  }

  function go(r, c, by) {
    const all = cells.flat();
    all.at((r * width + c + by) % all.length).focus();
  }

  function move(event, r, c) {
    if (event.key === "Backspace" && !cells[r][c].value) {
      event.preventDefault();
      return go(r, c, -1);
    }
    const [dr, dc] =
      { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ??
      [];
    if (dr === undefined) return;
    event.preventDefault();
    cells[(r + dr + height) % height][(c + dc + width) % width].focus();
  }

  /** A whole grid, as rows or as one line; bars and spaces are ignored. One character goes into the
   * cell, as if it was typed. */
  function paste(event) {
    const pasted = event.clipboardData.getData("text").trim();
    const values = [
      ...pasted
        .replace(/[\s|+-]/g, "")
        .replace(/[0_]/g, ".")
        .toUpperCase(),
    ];
    if (pasted.length < 2) return;
    event.preventDefault();
    const strange = values.findIndex((value) => value !== "." && !symbols.includes(value));
    const fits = values.length === height * width && strange < 0;
    const place = `row ${Math.floor(strange / width) + 1}, column ${(strange % width) + 1}`;
    const why =
      values.length === height * width
        ? `${place} is “${values[strange]}”; expected ${expected}, or . for an empty cell`
        : `${plural(values.length, "cell")} instead of ${height} × ${width}`;
    fill(problem, fits ? "" : `What was pasted is no grid: ${why}. Nothing was changed.`);
    if (!fits) return;
    values.forEach((value, i) => put(Math.floor(i / width), i % width, value));
    onpaste();
  }

  const element = h("div", {
    class: "sudoku",
    role: "group",
    "aria-label": label,
    style: `--size: ${width}`,
    onpaste: paste,
  });
  rows.forEach((row, r) => {
    cells.push(
      row.map((value, c) =>
        h("input", {
          inputmode: /[A-Z]/.test(symbols) ? "text" : "numeric",
          maxlength: 2,
          "aria-label": `row ${r + 1}, column ${c + 1}`,
          class: looks(value),
          style: thick(r, c)
            .map((side) => `border-${side}: 3px solid var(--edge) !important;`)
            .join(" "),
          value: value === "." ? "" : value,
          onpointerdown: (event) => paint(event, r, c),
          oninput: () => typed(r, c),
          onkeydown: (event) => move(event, r, c),
        }),
      ),
    );
    element.append(...cells[r]);
  });
  const symbolsToPaint = [...painted].map((symbol) => [
    symbol,
    symbol === "#" ? "■ block" : symbol,
  ]);
  const choices = [[TYPE, "⌨ type"], ...symbolsToPaint, [RUB, "✕"]];
  const tray = h("div", {}, problem, painted && brushes("Write", choices, hand));
  return { element, put, tray };
}

/** Symbols in a few characters, such as 'ABC…YZ#'. */
const shorten = (symbols) =>
  symbols.length > MOST_SYMBOLS ? `${symbols.slice(0, 3)}…${symbols.slice(-3)}` : symbols;
