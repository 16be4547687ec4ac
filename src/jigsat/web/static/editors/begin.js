// New puzzles: what is asked first, by family, and the entries that the answers make. They may be a draft to which something is
// missing, such as the labels of tiles. A family that is not here begins with a copy of one of its instances.

import { valuesOf } from "../things.js";
import { figures } from "./tiles.js";
import { capitalized } from "../words.js";

const size = (rows, columns, most) => [
  { name: "rows", label: "Rows", kind: "number", value: rows, most },
  { name: "columns", label: "Columns", kind: "number", value: columns, most },
];
const title = { name: "title", label: "Title", kind: "optional", hint: "may be left out" };
const fillRows = (rows, columns, character) => Array(rows).fill(character.repeat(columns)).join("\n");
const split = (text, separator) => [...new Set(text.split(separator).map((part) => part.trim()).filter(Boolean))];
const numbered = (count, value) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, value]));
const letters = (count) => Array.from({ length: count }, (_, i) => String.fromCharCode(65 + i));

/** The polyominoes of a size, each once. */
const POLYOMINOES = {
  own: { A: "##" },
  4: { I: "####", O: "##\n##", T: "###\n.#.", S: ".##\n##.", L: "###\n#.." },
  5: { F: ".##\n##.\n.#.", I: "#####", L: "####\n#...", N: ".###\n##..", P: "###\n##.", T: "###\n.#.\n.#.", U: "#.#\n###", V: "#..\n#..\n###", W: "#..\n##.\n.##", X: ".#.\n###\n.#.", Y: "####\n.#..", Z: "##.\n.#.\n.##" },
};

const FACES = { "square 1x1": 1, tetrahedron: 4, cube: 6, octahedron: 8, dodecahedron: 12 };
const SIDES = { tetrahedron: 3, octahedron: 3, dodecahedron: 5 };

/** A piece of foam without teeth: drawn in rows if it is a square, or else side after side. */
function foam(sides, units) {
  if (sides !== 4) return Array(sides).fill(".".repeat(units - 1)).join(" ");
  return ["." .repeat(units), ...Array(units - 2).fill(`.${"-".repeat(units - 2)}.`), ".".repeat(units)].join("\n");
}

/** A pencil puzzle that begins with an empty drawing of one entry. */
const drawn = (family, entry, about, character = ".") => ({
  ...about,
  questions: [...size(8, 8, 40), title],
  draft: ({ rows, columns }) => ({ family, [entry]: fillRows(rows, columns, character) }),
});

/** A pencil puzzle with one room of all cells, and no numbers given. */
const numberedRooms = (family, about) => ({
  ...about,
  questions: [...size(6, 6, 20), title],
  draft: ({ rows, columns }) => ({ family, given: fillRows(rows, columns, "."), rooms: fillRows(rows, columns, "A") }),
});

export const FAMILIES = {
  "edge-matching": {
    title: "Tiles that match",
    words: "Square tiles; where two meet, their sides belong together.",
    cover: "cats",
    questions: [
      ...size(3, 3, 16),
      { name: "figures", label: "What is on the sides?", kind: "text", value: "cat, dog, fish, bird", hint: "figures or colours, with commas between them" },
      { name: "cut", label: "Which sides meet?", kind: "choice", value: "halves", options: [["halves", "a head and a tail"], ["equal", "equal ones"]] },
      title,
    ],
    draft({ rows, columns, figures, cut }) {
      const pair = (figure) => (cut === "halves" ? [`${figure} head`, `${figure} tail`] : [figure, figure]);
      return { family: "edge-matching", board: `square ${rows}x${columns}`, matching: split(figures, ",").map(pair), tiles: numbered(rows * columns, Array(4).fill("?")) };
    },
  },
  interlocking: {
    title: "Foam with teeth",
    words: "Flat pieces with teeth that close to a solid.",
    cover: "cube",
    questions: [
      { name: "board", label: "Which solid?", kind: "choice", value: "cube", options: Object.keys(FACES).slice(1).map((name) => [name, `${name}, ${FACES[name]} pieces`]) },
      { name: "units", label: "Small squares along a side", kind: "number", value: 6, most: 12, hint: "both corners included" },
      title,
    ],
    draft: ({ board, units }) => ({ family: "interlocking", board, pieces: Object.fromEntries(letters(FACES[board]).map((name) => [name, foam(SIDES[board] ?? 4, units)])) }),
  },
  tiling: {
    title: "Pieces that fill a board",
    words: "Polyominoes and other shapes made of squares.",
    cover: "pentominoes-8x8-hole",
    questions: [...size(6, 10), { name: "pieces", label: "Pieces", kind: "choice", value: "own", options: [["own", "my own, to be drawn"], ["4", "the 5 tetrominoes"], ["5", "the 12 pentominoes"]] }, title],
    draft: ({ rows, columns, pieces }) => ({ family: "tiling", board: fillRows(rows, columns, "#"), pieces: POLYOMINOES[pieces] }),
  },
  sudoku: {
    title: "Sudoku",
    words: "Digits in rows, columns and boxes.",
    cover: "sudoku-6x6",
    questions: [{ name: "size", label: "Digits", kind: "choice", value: "9", options: ["4", "6", "8", "9", "12", "16"].map((size) => [size, `1 to ${size}`]) }, title],
    draft: ({ size: digits }) => ({ family: "sudoku", grid: fillRows(Number(digits), Number(digits), ".") }),
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
    questions: [...size(4, 4), { name: "words", label: "Words", kind: "lines", hint: "one word per line, or with spaces" }, title],
    draft: ({ rows, columns, words }) => ({ family: "crossword", grid: fillRows(rows, columns, "."), words: split(words, /[\s,;]+/) }),
  },
  seating: {
    title: "Seating",
    words: "Guests around a table, and who sits beside whom.",
    told: true, // its rules are the puzzle, so they are shown at once
    cover: "dinner",
    questions: [{ name: "guests", label: "Guests", kind: "text", hint: "names, with commas between them" }, { name: "table", label: "Table", kind: "choice", value: "round", options: [["round", "round"], ["long", "long"]] }, title],
    draft: ({ guests, table }) => ({ family: "seating", tables: `${table} ${split(guests, ",").length + (table === "long" ? split(guests, ",").length % 2 : 0)}`, guests: split(guests, ",") }),
  },
  "lights-out": {
    title: "Lights Out",
    words: "Press lights until all are out.",
    cover: "lights-5x5",
    questions: [...size(5, 5), title],
    draft: ({ rows, columns }) => ({ family: "lights-out", board: `square ${rows}x${columns}`, lit: "all" }),
  },
  nonogram: {
    title: "Nonogram",
    words: "A picture from the lengths of its blocks.",
    cover: "nonogram-heart",
    questions: [...size(5, 5, 40), title],
    draft: ({ rows, columns }) => ({ family: "nonogram", lengths: { rows: Array(rows).fill("?"), columns: Array(columns).fill("?") } }),
  },
  slitherlink: drawn("slitherlink", "numbers", { title: "Slitherlink", words: "One loop along the sides of cells.", cover: "slitherlink-4" }),
  masyu: drawn("masyu", "pearls", { title: "Masyu", words: "One loop through white and black pearls.", cover: "masyu-5" }),
  yajilin: drawn("yajilin", "arrows", { title: "Yajilin", words: "Shaded cells, and one loop through all others.", cover: "yajilin-5" }),
  akari: drawn("akari", "cells", { title: "Akari", words: "Lamps that light every cell.", cover: "akari-6" }),
  nurikabe: drawn("nurikabe", "numbers", { title: "Nurikabe", words: "Islands in a sea that is connected.", cover: "nurikabe-5" }),
  hitori: drawn("hitori", "numbers", { title: "Hitori", words: "Shade what is twice in a row or column.", cover: "hitori-4" }, "1"),
  fillomino: drawn("fillomino", "numbers", { title: "Fillomino", words: "Regions as large as their numbers.", cover: "fillomino-5" }),
  shikaku: drawn("shikaku", "numbers", { title: "Shikaku", words: "A grid divided into rectangles.", cover: "shikaku-7" }),
  "star-battle": drawn("star-battle", "rooms", { title: "Star battle", words: "Stars in rows, columns and rooms, of which no two touch.", cover: "star-battle-7" }, "A"),
  skyscrapers: drawn("skyscrapers", "heights", { title: "Skyscrapers", words: "Heights, and how many are seen from beside.", cover: "skyscrapers-5" }),
  slant: {
    title: "Slant",
    words: "A diagonal in each cell, and no closed path.",
    cover: "slant-5",
    questions: [...size(5, 5, 30), title],
    draft: ({ rows, columns }) => ({ family: "slant", numbers: Array(rows + 1).fill(".".repeat(columns + 1)).join("\n") }),
  },
  heyawake: drawn("heyawake", "rooms", { title: "Heyawake", words: "Shaded cells in rooms; lines of others cross one border at most.", cover: "heyawake-5" }, "A"),
  mosaic: drawn("mosaic", "numbers", { title: "Mosaic", words: "Numbers count the shaded cells in and around theirs.", cover: "mosaic-7" }),
  minesweeper: drawn("minesweeper", "numbers", { title: "Minesweeper", words: "Mines, counted by the numbers around them.", cover: "minesweeper-7" }),
  binairo: drawn("binairo", "given", { title: "Binairo", words: "As many 0s as 1s in each line, and nowhere three in a row. Also known as Takuzu.", cover: "binairo-6" }),
  "yin-yang": drawn("yin-yang", "circles", { title: "Yin-yang", words: "Black and white cells, both connected.", cover: "yin-yang-6" }),
  kuromasu: drawn("kuromasu", "numbers", { title: "Kuromasu", words: "Shaded cells that hide others from the numbers.", cover: "kuromasu-5" }),
  futoshiki: {
    title: "Futoshiki",
    words: "Numbers once in each line, and signs for the smaller of two.",
    cover: "futoshiki-5",
    questions: [{ name: "size", label: "Size", kind: "number", value: 5, most: 20 }, title],
    draft: ({ size: order }) => ({ family: "futoshiki", given: fillRows(order, order, "."), signs: fillRows(2 * order - 1, 2 * order - 1, ".") }),
  },
  norinori: drawn("norinori", "rooms", { title: "Norinori", words: "Two shaded cells in each room, which are dominoes.", cover: "norinori-6" }, "A"),
  lits: drawn("lits", "rooms", { title: "LITS", words: "A piece of four cells in each room; all are connected.", cover: "lits-6" }, "A"),
  suguru: numberedRooms("suguru", { title: "Suguru", words: "Rooms with the numbers up to their size; equal ones do not touch. Also known as Tectonic.", cover: "suguru-6" }),
  "ripple-effect": numberedRooms("ripple-effect", { title: "Ripple effect", words: "Rooms with the numbers up to their size; equal ones are far apart.", cover: "ripple-effect-6" }),
  hidato: drawn("hidato", "given", { title: "Hidato", words: "A path of numbers from 1 on, also from corner to corner.", cover: "hidato-5" }),
  straights: {
    title: "Straights",
    words: "Runs of consecutive numbers between black cells. Also known as Str8ts.",
    cover: "straights-5",
    questions: [{ name: "size", label: "Size", kind: "number", value: 5, most: 20 }, title],
    draft: ({ size: order }) => ({ family: "straights", cells: fillRows(order, order, "."), given: fillRows(order, order, ".") }),
  },
  galaxies: {
    title: "Galaxies",
    words: "Regions that look the same after a half turn about their circle. Also known as Tentai Show.",
    cover: "galaxies-7",
    questions: [...size(7, 7, 30), title],
    draft: ({ rows, columns }) => ({ family: "galaxies", centres: fillRows(2 * rows - 1, 2 * columns - 1, ".") }),
  },
  hashi: drawn("hashi", "islands", { title: "Hashi", words: "Islands joined by bridges, which do not cross. Also known as Bridges.", cover: "hashi-8" }),
  numberlink: drawn("numberlink", "ends", { title: "Numberlink", words: "Lines that join equal numbers and do not cross.", cover: "numberlink-8" }),
  magnets: {
    title: "Magnets",
    words: "Plates with two poles or none, counted by the numbers; equal poles are not side by side.",
    cover: "magnets-6",
    questions: [...size(6, 6, 20), title],
    draft: ({ rows, columns }) => ({ family: "magnets", plates: fillRows(rows, columns, ".") }),
  },
  aquarium: drawn("aquarium", "tanks", { title: "Aquarium", words: "Tanks filled with water up to one level each.", cover: "aquarium-6" }, "A"),
  tents: drawn("tents", "trees", { title: "Tents", words: "A tent beside each tree; tents do not touch.", cover: "tents-7" }),
  calcudoku: drawn("calcudoku", "cages", { title: "Calcudoku", words: "Numbers once in each line, and cages with results. Also known as KenKen.", cover: "calcudoku-5" }),
  "killer-sudoku": drawn("killer-sudoku", "cages", { title: "Killer sudoku", words: "A sudoku whose cages have sums.", cover: "killer-sudoku-6" }),
  kakuro: {
    title: "Kakuro",
    words: "Digits that add up, across and down.",
    cover: "kakuro-5",
    questions: [...size(5, 5, 30), title],
    draft: ({ rows, columns }) => ({ family: "kakuro", sums: [Array(columns + 1).fill("\\"), ...Array(rows).fill(["\\", ...Array(columns).fill(".")])].map((row) => row.join(" ")).join("\n") }),
  },
};

/** What a kind of puzzle is called; one from another package has the name of its family. */
export const kindName = (family) => FAMILIES[family]?.title ?? capitalized(family.replaceAll("-", " "));

/** Whether the symbols of a kind are black and white stones, which mean something else when they are drawn in other colours. */
export const hasStones = (family) => ["masyu", "yin-yang"].includes(family);

/** The options of a generator that make puzzles of the kind and size of one. */
export function likeness(data) {
  const { family, board, grid, box, pieces, frame, tables, words } = data;
  const [first] = valuesOf(pieces ?? {});
  const rows = [grid ?? first?.shape ?? first ?? ""].flat().join("\n").trim().split("\n");
  const found = {
    "edge-matching": family === "edge-matching" && { board, frame: frame ? true : undefined, ...figures(data) },
    interlocking: { board, size: rows.length > 1 ? rows[0].length : undefined },
    tiling: { board },
    "lights-out": { board },
    sudoku: { size: rows.length, box },
    latin: { order: rows.length },
    crossword: { size: rows.length, words: words && [words].flat().join("\n") },
    seating: { tables: typeof tables === "string" ? tables : valuesOf(tables ?? {})[0] },
  };
  return Object.fromEntries(Object.entries(found[family] ?? {}).filter(([, value]) => value !== undefined));
}
