// Cages and rooms: what they are as data, and what enclosing cells makes of them. Nothing here
// touches the page.
//
// Areas are {rows, numbers}: the name of the area of each cell, row by row, with NONE for a cell in
// none, and a Map of numbers by the names of areas.

import { pairsOf } from "../things.js";

export const NONE = ".";
const SIDES = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/** The areas of an entry: a drawing, or a table with it and with numbers. */
export function read(value) {
  const { cells, numbers = {} } = hasNumbers(value) ? value : { cells: value };
  return { rows: rowsOf(cells), numbers: new Map(pairsOf(numbers)) };
}

export const hasNumbers = (value) => Boolean(value?.cells);

/** The rows of a drawing, whose names are characters or have spaces between them. */
export const rowsOf = (drawing) =>
  [drawing ?? ""]
    .flat()
    .join("\n")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => (line.includes(" ") ? line.split(/\s+/) : [...line]));

/** Areas as an entry like the one that was `before`. */
export function written({ rows, numbers }, before) {
  const long = rows.flat().some((name) => name.length > 1);
  const cells = rows.map((row) => row.join(long ? " " : "")).join("\n");
  return hasNumbers(before) ? { cells, numbers: Object.fromEntries(numbers) } : cells;
}

const at = (rows, [row, column]) => rows[row]?.[column];
const same = ([row, column], [otherRow, otherColumn]) => row === otherRow && column === otherColumn;
const includes = (cells, cell) => cells.some((each) => same(each, cell));
const beside = ([row, column]) => SIDES.map(([down, right]) => [row + down, column + right]);

/** Whether a cell is one of some cells, or has a side in common with one. */
export const touches = (cells, cell) =>
  includes(cells, cell) || beside(cell).some((each) => includes(cells, each));

/** The cells of an area, row by row. */
export const cellsOf = ({ rows }, name) =>
  rows.flatMap((row, r) => row.flatMap((each, c) => (each === name ? [[r, c]] : [])));

/** The names of all areas, by their first cells. */
export const namesOf = ({ rows }) => [...new Set(rows.flat())].filter((name) => name !== NONE);

/** Cells become one area. It is an old one, with its number, if that lies in it as a whole. An area
 * that loses cells and falls apart becomes several. */
export function enclose(areas, cells) {
  const whole = (name) => cellsOf(areas, name).every((cell) => includes(cells, cell));
  const kept = [...new Set(cells.map((cell) => at(areas.rows, cell)))].filter(
    (name) => name !== NONE && whole(name),
  );
  const name = kept.find((each) => areas.numbers.has(each)) ?? kept[0] ?? freshName(areas);
  return parted(named(areas, cells, name));
}

/** Cells are in no area any more. */
export const clear = (areas, cells) => parted(named(areas, cells, NONE));

/** Give an area a number; "" takes it away. */
export function withNumber(areas, name, number) {
  const numbers = new Map(areas.numbers);
  if (number === "") numbers.delete(name);
  else numbers.set(name, /^\d+$/.test(number) ? Number(number) : number);
  return { ...areas, numbers };
}

function named({ rows, numbers }, cells, name) {
  const renamed = rows.map((row, r) => row.map((old, c) => (includes(cells, [r, c]) ? name : old)));
  return { rows: renamed, numbers };
}

/** The first name that no area has. */
function freshName({ rows }) {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const used = new Set(rows.flat());
  return [...letters, ...pairs].find((name) => !used.has(name));
}

/** The same with a name of its own for each part of an area; the largest part keeps the number. */
function parted(areas) {
  let now = areas;
  for (const name of namesOf(areas)) {
    const [, ...others] = partsOf(cellsOf(areas, name)).sort(
      (one, other) => other.length - one.length,
    );
    for (const part of others) now = named(now, part, freshName(now));
  }
  const left = new Set(namesOf(now));
  return { ...now, numbers: new Map([...now.numbers].filter(([name]) => left.has(name))) };
}

/** Cells in parts that are connected by sides. */
function partsOf(cells) {
  const parts = [];
  for (const cell of cells) {
    const [near, far] = [[], []];
    for (const part of parts) (touches(part, cell) ? near : far).push(part);
    parts.splice(0, parts.length, ...far, [...near.flat(), cell]);
  }
  return parts;
}

/** The lines around areas, each [x1, y1, x2, y2] in cells. They run inside of the cells, at a
 * distance, so that each area has its own. */
export function outlines({ rows }, distance) {
  return rows.flatMap((row, r) =>
    row.flatMap((name, c) => (name === NONE ? [] : around(rows, [r, c], distance))),
  );
}

/** The lines of a cell along the sides at which its area ends. */
function around(rows, [row, column], distance) {
  const name = at(rows, [row, column]);
  const [y, x] = [row + 0.5, column + 0.5];
  const inside = (down, right) => at(rows, [row + down, column + right]) === name;
  return SIDES.filter(([down, right]) => !inside(down, right)).map(([down, right]) => {
    // to the corners on both sides of it
    const ends = [-1, 1].map((sign) => {
      const [alongDown, alongRight] = [right * sign, down * sign];
      const on = inside(alongDown, alongRight);
      const bent = on && inside(down + alongDown, right + alongRight);
      const reach = 0.5 + (bent ? distance : on ? 0 : -distance);
      const out = 0.5 - distance;
      return [x + right * out + alongRight * reach, y + down * out + alongDown * reach];
    });
    return ends.flat();
  });
}
