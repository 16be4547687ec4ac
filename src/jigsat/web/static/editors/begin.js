// New puzzles: what is asked first, by family, and the entries that the answers make. They may be a
// draft to which something is missing, such as the labels of tiles. A family that is not here
// begins with a copy of one of its instances.

import { one } from "../engines/engine.js";
import { KINDS, OTHER_NAMES } from "../kinds.js"; // made by the server, or with the site
import { valuesOf } from "../things.js";
import { figures } from "./tiles.js";
import { capitalized } from "../words.js";

const size = (rows, columns, most) => [
  { name: "rows", label: "Rows", kind: "number", value: rows, most },
  { name: "columns", label: "Columns", kind: "number", value: columns, most },
];
const title = { name: "title", label: "Title", kind: "optional", hint: "may be left out" };
const fillRows = (rows, columns, character) =>
  Array(rows).fill(character.repeat(columns)).join("\n");
const split = (text, separator) => [...new Set(partsOf(text, separator))];

const partsOf = (text, separator) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** Guests at one table. Throws if two have the same name. */
function draftSeating({ guests, table }) {
  const names = partsOf(guests, ",");
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice) throw new Error(`${twice} is listed twice: give each guest a name of their own.`);
  const empty = table === "long" ? names.length % 2 : 0; // both sides of a long table are as long
  return { family: "seating", tables: `${table} ${names.length + empty}`, guests: names };
}

const numbered = (count, value) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, value]));
const letters = (count) => Array.from({ length: count }, (_, i) => String.fromCharCode(65 + i));

/** The polyominoes of a size, each once. */
const POLYOMINOES = {
  own: { A: "##" },
  4: { I: "####", O: "##\n##", T: "###\n.#.", S: ".##\n##.", L: "###\n#.." },
  5: {
    F: ".##\n##.\n.#.",
    I: "#####",
    L: "####\n#...",
    N: ".###\n##..",
    P: "###\n##.",
    T: "###\n.#.\n.#.",
    U: "#.#\n###",
    V: "#..\n#..\n###",
    W: "#..\n##.\n.##",
    X: ".#.\n###\n.#.",
    Y: "####\n.#..",
    Z: "##.\n.#.\n.##",
  },
};

const FACES = { "square 1x1": 1, tetrahedron: 4, cube: 6, octahedron: 8, dodecahedron: 12 };
const SIDES = { tetrahedron: 3, octahedron: 3, dodecahedron: 5 };

/** A piece of foam without teeth: drawn in rows if it is a square, or else side after side. */
function foam(sides, units) {
  if (sides !== 4)
    return Array(sides)
      .fill(".".repeat(units - 1))
      .join(" ");
  return [
    ".".repeat(units),
    ...Array(units - 2).fill(`.${"-".repeat(units - 2)}.`),
    ".".repeat(units),
  ].join("\n");
}

export const FAMILIES = {
  "edge-matching": {
    title: "Tiles that match",
    words: "Square tiles; where two meet, their sides belong together.",
    cover: "cats",
    questions: [
      ...size(3, 3, 16),
      {
        name: "figures",
        label: "What is on the sides?",
        kind: "text",
        value: "cat, dog, fish, bird",
        hint: "figures or colours, with commas between them",
      },
      {
        name: "cut",
        label: "Which sides meet?",
        kind: "choice",
        value: "halves",
        options: [
          ["halves", "a head and a tail"],
          ["equal", "equal ones"],
        ],
      },
      title,
    ],
    draft({ rows, columns, figures, cut }) {
      const pair = (figure) =>
        cut === "halves" ? [`${figure} head`, `${figure} tail`] : [figure, figure];
      return {
        family: "edge-matching",
        board: `square ${rows}x${columns}`,
        matching: split(figures, ",").map(pair),
        tiles: numbered(rows * columns, Array(4).fill("?")),
      };
    },
  },
  interlocking: {
    title: "Foam with teeth",
    words: "Flat pieces with teeth that close to a solid.",
    cover: "cube",
    questions: [
      {
        name: "board",
        label: "Which solid?",
        kind: "choice",
        value: "cube",
        options: Object.keys(FACES)
          .slice(1)
          .map((name) => [name, `${name}, ${FACES[name]} pieces`]),
      },
      {
        name: "units",
        label: "Small squares along a side",
        kind: "number",
        value: 6,
        most: 12,
        hint: "both corners included",
      },
      title,
    ],
    draft: ({ board, units }) => ({
      family: "interlocking",
      board,
      pieces: Object.fromEntries(
        letters(FACES[board]).map((name) => [name, foam(SIDES[board] ?? 4, units)]),
      ),
    }),
  },
  tiling: {
    title: "Pieces that fill a board",
    words: "Polyominoes and other shapes made of squares.",
    cover: "pentominoes-8x8-hole",
    questions: [
      ...size(6, 10),
      {
        name: "pieces",
        label: "Pieces",
        kind: "choice",
        value: "own",
        options: [
          ["own", "my own, to be drawn"],
          ["4", "the 5 tetrominoes"],
          ["5", "the 12 pentominoes"],
        ],
      },
      title,
    ],
    draft: ({ rows, columns, pieces }) => ({
      family: "tiling",
      board: fillRows(rows, columns, "#"),
      pieces: POLYOMINOES[pieces],
    }),
  },
  sudoku: {
    title: "Sudoku",
    words: "Digits in rows, columns and boxes.",
    cover: "sudoku-6x6",
    questions: [
      {
        name: "size",
        label: "Digits",
        kind: "choice",
        value: "9",
        options: ["4", "6", "8", "9", "12", "16"].map((size) => [size, `1 to ${size}`]),
      },
      title,
    ],
    draft: ({ size: digits }) => ({
      family: "sudoku",
      grid: fillRows(Number(digits), Number(digits), "."),
    }),
  },
  latin: {
    title: "Latin square",
    words: "Symbols once in each row and column.",
    cover: "latin-4",
    questions: [{ name: "size", label: "Size", kind: "number", value: 5, most: 20 }, title],
    draft: ({ size: order }) => ({ family: "latin", grid: fillRows(order, order, ".") }),
  },
  crossword: {
    title: "Crossword",
    words: "Words from a list, across and down.",
    cover: "crossword-5x5",
    questions: [
      ...size(4, 4),
      { name: "words", label: "Words", kind: "lines", hint: "one word per line, or with spaces" },
      title,
    ],
    draft: ({ rows, columns, words }) => ({
      family: "crossword",
      grid: fillRows(rows, columns, "."),
      words: split(words, /[\s,;]+/),
    }),
  },
  seating: {
    title: "Seating",
    words: "Guests around a table, and who sits beside whom.",
    told: true, // its rules are the puzzle, so they are shown at once
    cover: "dinner",
    questions: [
      { name: "guests", label: "Guests", kind: "text", hint: "names, with commas between them" },
      {
        name: "table",
        label: "Table",
        kind: "choice",
        value: "round",
        options: [
          ["round", "round"],
          ["long", "long"],
        ],
      },
      title,
    ],
    draft: draftSeating,
  },
  "lights-out": {
    title: "Lights Out",
    words: "Press lights until all are out.",
    cover: "lights-5x5",
    questions: [...size(5, 5), title],
    draft: ({ rows, columns }) => ({
      family: "lights-out",
      board: `square ${rows}x${columns}`,
      lit: "all",
    }),
  },
};

const MOST_CELLS = 40; // along a side of a new puzzle on a grid

/** The kinds of puzzles on a grid, as their Python classes describe them. */
for (const {
  family,
  size: [rows, columns],
  square,
  ...card
} of KINDS) {
  const sides = { name: "rows", label: "Size", kind: "number", value: rows, most: MOST_CELLS };
  FAMILIES[family] = {
    ...card,
    told: true, // most people do not know them
    questions: [...(square ? [sides] : size(rows, columns, MOST_CELLS)), title],
    async draft(answers, engine) {
      const asked = {
        kind: "draft",
        family,
        rows: answers.rows,
        columns: answers.columns ?? answers.rows,
      };
      return (await one(engine, asked, "draft")).data;
    },
  };
}

/** What a kind of puzzle is called; one from another package has the name of its family. */
export const kindName = (family) =>
  FAMILIES[family]?.title ?? capitalized(family.replaceAll("-", " "));

/** What others call the puzzles of a kind. */
export const otherNames = (family) => OTHER_NAMES[family] ?? [];

/** What a kind is searched for with: its names, here and elsewhere. */
export const wordsOf = (family) =>
  [kindName(family), family, family.replaceAll("-", " "), ...otherNames(family)]
    .join(" ")
    .toLowerCase();

/** What a puzzle is called; one without a title has the name of its instance or, read from a text,
 * its kind and its size. */
export const titleOf = ({ title, name, family, svg = "" }) => {
  if (title) return title;
  if (name && name !== family) return name;
  // Kinds on a grid may be called by a plural, such as Nonograms.
  const kind = FAMILIES[family]?.told ? capitalized(family.replaceAll("-", " ")) : kindName(family);
  return [kind, sizeOf(svg)].join(" ").trim();
};

/** The rows and columns of a picture of a grid; '' of another one. */
function sizeOf(svg) {
  const [, listed = "[]"] = /data-places="([^"]*)"/.exec(svg) ?? [];
  const places = JSON.parse(listed.replaceAll("&quot;", '"')).map(([place]) => place);
  const inRows = (place) =>
    Array.isArray(place) && place.length === 2 && place.every(Number.isInteger);
  if (!places.length || !places.every(inRows)) return "";
  return [0, 1].map((axis) => Math.max(...places.map((place) => place[axis])) + 1).join("×");
}

/** Whether the symbols of a kind are black and white stones, which mean something else when they
 * are drawn in other colours. */
export const hasStones = (family) => Boolean(FAMILIES[family]?.stones);

/** The options of a generator that make puzzles of the kind and size of one. */
export function likeness({ data, size }) {
  const options = LIKE[data.family]?.(data) ?? sizeOptions(size);
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The options of a kind on a grid of this size. */
const sizeOptions = (size) => (size ? { rows: size[0], columns: size[1] } : {});

const LIKE = {
  "edge-matching": (data) => ({
    board: data.board,
    frame: data.frame ? true : undefined,
    ...figures(data),
  }),
  interlocking: ({ board, pieces }) => ({ board, size: sizeOfPieces(pieces) }),
  tiling: ({ board }) => ({ board }),
  "lights-out": ({ board }) => ({ board }),
  sudoku: ({ grid, box }) => ({ size: rowsOf(grid).length, box }),
  latin: ({ grid }) => ({ order: rowsOf(grid).length }),
  crossword: ({ grid, words }) => ({
    size: rowsOf(grid).length,
    words: words && [words].flat().join("\n"),
  }),
  seating: ({ tables }) => ({
    tables: typeof tables === "string" ? tables : valuesOf(tables ?? {})[0],
  }),
};

const rowsOf = (text) => [text ?? ""].flat().join("\n").trim().split("\n");

/** The length of a side of pieces that are drawn as squares. */
function sizeOfPieces(pieces) {
  const [first] = valuesOf(pieces ?? {});
  const rows = rowsOf(first?.shape ?? first);
  return rows.length > 1 ? rows[0].length : undefined;
}
