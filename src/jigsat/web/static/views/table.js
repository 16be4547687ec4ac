// What can be put where: pieces, their ways to lie, and the places of the board in its picture.

import { svgElement } from "../dom.js";

export const text = (place) => JSON.stringify(place);

/** The places that a picture names, with their outlines; some are drawn again in other views. */
export const placesOf = (svg) =>
  JSON.parse(svg.dataset.places ?? "[]").map(([place, points]) => [text(place), points]);

/** Add an outline that is not seen to each place, for pointers. */
export function touchable(svg) {
  for (const [name, points] of placesOf(svg)) shape(svg, "place", points).dataset.place = name;
  return svg;
}

const shape = (svg, kind, points) =>
  svg.appendChild(svgElement("polygon", { points: points.join(" "), class: kind }));

export function box(polygons) {
  const [xs, ys] = [0, 1].map((axis) => polygons.flat().map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** A list in words. */
export const listing = (names) =>
  names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");

/** A text of a picture, the same only for the same text at the same point. */
export const printed = (label) =>
  [label.textContent, label.getAttribute("x"), label.getAttribute("y")].join(" ");

// of so few rows or columns, by their number
const LINES = [["middle"], ["first", "last"], ["first", "middle", "last"]];
const SIDES = [
  { first: "top", middle: "middle", last: "bottom" },
  { first: "left", middle: "middle", last: "right" },
];

const isCell = (place) =>
  Array.isArray(place) && place.length === 2 && place.every(Number.isInteger);
const isEdge = (place) => Array.isArray(place) && place.length === 2 && place.every(isCell);

/** The rows and columns of a board of squares with these outlines, with the middle of each in its
 * picture; null if it has none. Places may also be edges, between cells or along their sides. */
export function gridOf(outlines) {
  const places = [...outlines].map(([name, points]) => [JSON.parse(name), points]);
  const cells = places.filter(([place]) => isCell(place));
  const edges = places.filter(([place]) => isEdge(place));
  if (cells.length + edges.length < places.length) return null;
  // An edge is outlined by a diamond, which begins at one of its ends.
  const ends = edges.flatMap(([edge, points]) => edge.map((end, i) => [end, points[2 * i]]));
  const lines = cells.length
    ? linesOf(cells.map(([place, points]) => [place, mean(points)]))
    : linesOf(ends)?.map(cellsAlong);
  if (!lines?.[0].size) return null;
  return Object.assign(lines, { hasEdges: edges.length > 0 });
}

/** The rows and columns of cells with their middles; null if they do not lie so. */
function linesOf(cells) {
  const lines = [new Map(), new Map()];
  for (const [place, middle] of cells)
    for (const axis of [0, 1]) {
      const at = middle[1 - axis];
      if (Math.abs((lines[axis].get(place[axis]) ?? at) - at) > 1) return null;
      lines[axis].set(place[axis], at);
    }
  return lines;
}

/** The rows or columns of the cells, by those in which edges end: in cells, or in their corners, of
 * which the first is at 0 in the picture. */
function cellsAlong(ends) {
  const sorted = [...ends].sort(([one], [other]) => one - other);
  const [[number, at], [last, end]] = [sorted[0], sorted.at(-1)];
  if (number === last) return ends;
  const apart = (end - at) / (last - number);
  const first = at - number * apart;
  const [count, middle] =
    Math.abs(first) < apart / 4 ? [last, first + apart / 2] : [last + 1, first];
  return new Map(Array.from({ length: count }, (_, i) => [i, middle + i * apart]));
}

/** Sentences in which places are named as people see them: 'top left' on a small board, else r1c1
 * as at its rim; one of a layer by its numbers, unless it is in a list. */
export function readable(grid, sentence) {
  sentence = sentence.replace(
    /(?<!l\d+r\d+c\d+ )\bl(\d+)r(\d+)c(\d+)\b(?! l\d)/g,
    "layer $1, row $2, column $3",
  );
  if (!grid || numbered(grid)) return sentence;
  const called = (...place) => {
    const [row, column] = place.map(
      (number, axis) => SIDES[axis][LINES[grid[axis].size - 1][number - 1]],
    );
    return row === column ? row : `${row} ${column}`;
  };
  return sentence
    .replace(
      /\b(cell|square|place|light) r(\d)c(\d)\b/g,
      (_, noun, row, column) => `the ${called(row, column)} ${noun}`,
    )
    .replace(/\br(\d)c(\d)\b(?= [=≠])/g, (_, row, column) => called(row, column))
    .replace(/\br(\d)c(\d)\b/g, (_, row, column) => `the ${called(row, column)}`);
}

/** Whether the rows and columns of a board get numbers, because they have no names. The sides of
 * cells are named by the cells' numbers. */
export const numbered = (grid) =>
  Boolean(grid && (grid.hasEdges || grid.some(({ size }) => size > LINES.length)));

/** Number the rows and columns at the rim of a larger board; beside clues, at the rim of the picture.
 * */
export function numberLines(board, table) {
  const svg = board.querySelector("svg");
  for (const old of svg.querySelectorAll(".ruler")) old.remove();
  if (!numbered(table.grid)) return;
  const [left, top] = rimOf(board, table);
  const size = Math.min(widthOf(table) * 0.4, 14 / (svg.getScreenCTM()?.a ?? 1));
  const frame = widthOf(table) * 0.03; // outside of the cells
  table.grid.forEach((lines, axis) => {
    for (const [number, at] of lines) {
      const where = axis
        ? { x: at, y: top - frame - size * 0.7 }
        : { x: left - frame - size * 0.9, y: at };
      svg.append(
        svgElement(
          "text",
          { ...where, class: "ruler", "font-size": size },
          `${"rc"[axis]}${number + 1}`,
        ),
      );
    }
  });
}

/** How wide a cell is. */
function widthOf({ outlines, grid }) {
  const [, columns] = grid;
  if (grid.hasEdges && columns.size > 1) return Math.abs(columns.get(1) - columns.get(0));
  return box([[...outlines.values()][0]]).width;
}

/** The corners of the first cell, as far as there are edges: these may not reach to the rim. */
function firstCell(table) {
  const [rows, columns] = table.grid;
  const half = table.grid.hasEdges ? widthOf(table) / 2 : 0;
  const [x, y] = [Math.min(...columns.values()), Math.min(...rows.values())];
  return [
    [x - half, y - half],
    [x + half, y + half],
  ];
}

/** Where the numbers of lines end: left of the board and above it, or of the clues there. */
function rimOf(board, table) {
  const { left, top } = box([...table.outlines.values(), firstCell(table)]);
  const svg = board.querySelector("svg");
  const edges = svg
    .getAttribute("viewBox")
    .split(/[\s,]+/)
    .map(Number);
  const middles = [...svg.querySelectorAll("text")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return inPicture(board, x + width / 2, y + height / 2);
  });
  return [left, top].map((rim, axis) =>
    middles.some((middle) => middle[axis] < rim) ? Math.min(edges[axis], rim) : rim,
  );
}

/** The sides that the outlines of places have in common. */
export function sharedSides(table, names) {
  const sides = names.flatMap((name) => {
    const points = table.outlines.get(name);
    return points.map((point, i) => [point, points[(i + 1) % points.length]]);
  });
  const same = ([a, b], [c, d]) =>
    [
      [a, c],
      [b, d],
    ].every(([p, q]) => Math.hypot(p[0] - q[0], p[1] - q[1]) < table.size / 50);
  return sides.filter((side, i) =>
    sides.slice(0, i).some((other) => same(side, other) || same(side, [other[1], other[0]])),
  );
}

export const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
export const mean = (points) =>
  [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);

/** The outline of each place that a picture names. */
export function outlines(svg) {
  const found = new Map();
  for (const [name, points] of placesOf(svg)) if (!found.has(name)) found.set(name, points);
  return found;
}

export class Table {
  /** `svg` is the picture of the board, or of a `solid`. */
  constructor({ pieces, candidates, given, in_words }, svg, { solid }) {
    this.solid = solid;
    this.outlines = outlines(svg);
    this.middles = new Map([...this.outlines].map(([name, points]) => [name, mean(points)]));
    const [first] = this.outlines.values();
    this.printed = new Set([...svg.querySelectorAll("text")].map(printed));
    this.grid = gridOf(this.outlines);
    this.size = first ? Math.sqrt(box([first]).width * box([first]).height) : 1;
    this.copies = new Map(pieces.map(({ name, copies }) => [name, copies]));
    /** How often each symbol is in a solution, if that is known. */
    this.needed = new Map(pieces.map(({ name, needed }) => [name, needed]));
    this.candidates = candidates
      .map((candidate, number) => this.#candidate(candidate, number))
      .filter(({ names }) => names.every((name) => this.outlines.has(name)));
    this.#sort();
    const fixed = new Set(given.map(text));
    /** What is given, and its places. */
    this.fixed = this.candidates.filter(({ placement }) => fixed.has(text(placement)));
    this.given = new Set(this.fixed.flatMap(({ names }) => names));
    this.#findWriting(in_words);
    this.#findDrawing();
    this.#findTurning();
  }

  /** The candidates by their places, and by piece and way. */
  #sort() {
    this.at = new Map();
    this.of = new Map();
    for (const each of this.candidates) {
      for (const name of each.names) this.at.set(name, [...(this.at.get(name) ?? []), each]);
      if (!this.of.has(each.piece)) this.of.set(each.piece, new Map());
      const ways = this.of.get(each.piece);
      ways.set(each.way, [...(ways.get(each.way) ?? []), each]);
    }
  }

  /** Whether symbols are written, and how. */
  #findWriting(inWords) {
    /** Each place is empty or not, as with lights to press. */
    this.toggles = [...this.at.values()].every((here) => here.length === 1);
    /** Symbols are typed into places. */
    this.typed =
      !this.toggles &&
      [...this.copies].every(
        ([name, copies]) => copies === null && name.length < 3 && this.of.get(name)?.size === 1,
      );
    /** What is written or drawn is cleared; a piece is put back. */
    this.clears = this.typed || this.toggles;
    /** Symbols or names in places, which are noted as pencil marks. */
    this.pencil =
      !this.toggles &&
      this.candidates.every(({ names }) => names.length === 1) &&
      [...this.of.values()].every((ways) => ways.size === 1);
    /** Letters are written in words, one after the other. */
    this.lettered = this.typed && inWords;
    /** The places are edges between nodes, not cells. */
    this.onEdges = [...this.at.keys()].every((name) => Array.isArray(JSON.parse(name)[0]));
    /** Symbols are written into cells, where the player notes others. */
    this.noted = this.typed && !this.lettered && !this.onEdges;
  }

  /** Whether cells and edges are drawn in. */
  #findDrawing() {
    /** Cells and edges are drawn in: what a layer of the answer has there, or nothing. */
    this.draws = this.toggles && this.candidates.every(({ placement }) => "layer" in placement);
    /** The edges, each with its two ends, and the points of all ends. */
    this.edges = new Map();
    this.nodes = new Map();
    for (const name of this.draws ? this.at.keys() : []) this.#addEdge(name);
  }

  /** Whether pieces are turned, and turned over. */
  #findTurning() {
    this.turns = [...this.of.values()].some((ways) => ways.size > 1);
    const over = (each) => each.names.length > 1 && this.flipped(each) !== each.way;
    this.flips =
      this.candidates.some(({ rest }) => rest.flipped) ||
      [...this.of.values()].some((ways) => [...ways.values()].some(([each]) => over(each)));
  }

  #addEdge(name) {
    const ends = JSON.parse(name);
    if (!Array.isArray(ends[0])) return;
    const outline = this.outlines.get(name); // a diamond that begins at one end
    this.edges.set(name, ends.map(text));
    ends.forEach((end, i) => this.nodes.set(text(end), outline[2 * i]));
  }

  /** The edge between two nodes, if there is one. */
  edgeBetween(one, other) {
    return [...this.edges].find(([, ends]) => ends.includes(one) && ends.includes(other))?.[0];
  }

  /** The node near a point of the picture, if one is near. */
  nodeAt([x, y]) {
    const far = ([, [px, py]]) => Math.hypot(px - x, py - y);
    const nearest = [...this.nodes].reduce(
      (best, each) => (best && far(best) <= far(each) ? best : each),
      null,
    );
    return nearest && far(nearest) < 0.4 * this.size * (this.edges.size ? Math.SQRT2 : 1)
      ? nearest[0]
      : null;
  }

  /** The cell in whose middle lines end, if a point is near that. */
  cellAt([x, y]) {
    const near = [...this.nodes].find(([, [px, py]]) => Math.hypot(px - x, py - y) < this.size / 4);
    return near && this.at.has(near[0]) ? near[0] : null;
  }

  /** Whether nothing is given where a candidate would lie. */
  free({ names }) {
    return !names.some((name) => this.given.has(name));
  }

  /** How it is played, in words; by keys only where there may be some. */
  help() {
    const touch = matchMedia("(pointer: coarse)").matches;
    const keys = (words) => (touch ? "" : ` Keys: ${words}.`);
    if (this.draws)
      return `${this.#drawing()} A second tap crosses out, a third clears.${keys("arrows and Enter, X crosses out")}`;
    if (this.toggles) return `Tap a place to mark it or to clear it.${keys("arrows and Enter")}`;
    if (this.lettered)
      return `Tap a square, then type; tap it again to write down or across.${keys("arrows; Delete clears a square")}`;
    if (this.typed && this.onEdges)
      return `Tap a place between two ends, then type or tap how many lines there are.${keys("arrows; Delete clears")}`;
    if (this.typed)
      return `Tap a cell, or drag over several, then type or tap what belongs there.${keys("arrows; space takes the pencil; Delete clears")}`;
    const turning = this.turns
      ? "Tap it there to turn it, or drag it off."
      : "Drag it off to put it back.";
    const more = [
      this.turns && "R turns it",
      this.flips && "F turns it over",
      "Delete puts it back",
    ]
      .filter(Boolean)
      .join(", ");
    return `Drag pieces onto the ${this.board}, or tap one and a place. ${turning}${keys(`Tab and Enter to pick up a piece, arrows and Enter to put it down, ${more}`)}`;
  }

  /** How lines and cells are drawn, in words. */
  #drawing() {
    if (!this.edges.size) return "Tap or drag to mark cells.";
    return [...this.nodes.keys()].some((name) => this.at.has(name))
      ? "Drag from cell to cell to draw lines, and tap a cell to mark it."
      : "Drag along lines to draw them, or tap them.";
  }

  /** What the pieces are put on: a board, or the net of a solid, whose places are not in rows and
   * columns. */
  get board() {
    return this.solid && [...this.outlines.keys()].some((name) => !/^\[\d+,\d+,\d+\]$/.test(name))
      ? "net"
      : "board";
  }

  /** What pieces are called, such as 'tile'. */
  get noun() {
    const [{ piece, placement }] = this.candidates;
    const [name] = Object.entries(placement).find(([, value]) => value === piece) ?? ["piece"];
    return name === "value" ? "symbol" : name;
  }

  readable = (sentence) => readable(this.grid, sentence);

  /** What lies there, and where, in words. */
  saidOf = ({ said }) => this.readable(said);

  /** The places in line with one, without a gap, as one reads them. */
  line(name, [dx, dy]) {
    const run = [name];
    for (const sign of [-1, 1]) {
      for (let at = name; ;) {
        const next = this.beside(at, [dx * sign, dy * sign]);
        const [x, y] = [0, 1].map(
          (axis) => (this.middles.get(next)[axis] - this.middles.get(at)[axis]) * sign,
        );
        if (
          next === at ||
          Math.abs(x - dx * this.size) + Math.abs(y - dy * this.size) > this.size / 2
        )
          break;
        at = next;
        if (sign < 0) run.unshift(at);
        else run.push(at);
      }
    }
    return run;
  }

  #candidate(candidate, number) {
    const names = candidate.places.map(text);
    const same = [text(candidate.places), text(candidate.places[0])];
    const rest = Object.fromEntries(
      Object.entries(candidate.placement).filter(
        ([, value]) => value !== candidate.piece && !same.includes(text(value)),
      ),
    );
    const shape = names.every((name) => this.outlines.has(name))
      ? names.map((name) => this.outlines.get(name))
      : [[[0, 0]]];
    const middle = centre(box(shape));
    const offsets = names.map((name) =>
      (this.middles.get(name) ?? [0, 0]).map((x, axis) => x - middle[axis]),
    );
    return {
      ...candidate,
      number,
      names,
      rest,
      middle,
      offsets,
      way: names.length > 1 ? this.#shape(offsets) : text(rest),
    };
  }

  /** A set of points as text, the same for a shifted one. */
  #shape(offsets) {
    const unit = this.size / 12;
    const whole = (x) => Math.round(x / unit + 0.01);
    return offsets
      .map((point) => point.map(whole).join(" "))
      .sort()
      .join(",");
  }

  /** How a piece lies after a turn. */
  turned(candidate) {
    const ways = [...this.of.get(candidate.piece).values()].map(([first]) => first);
    if (candidate.names.length > 1) return this.#moved(candidate, 1) ?? next(ways, candidate).way;
    return next(
      ways.filter(({ rest }) => rest.flipped === candidate.rest.flipped),
      candidate,
    ).way;
  }

  /** How a piece lies after it is turned over. */
  flipped(candidate) {
    const ways = [...this.of.get(candidate.piece).values()].map(([first]) => first);
    if (candidate.names.length > 1)
      return (
        this.#moved({ ...candidate, offsets: candidate.offsets.map(([x, y]) => [-x, y]) }, 0) ??
        candidate.way
      );
    const over = ways.filter(({ rest }) => rest.flipped !== candidate.rest.flipped);
    return (over.find(({ rest }) => rest.turn === candidate.rest.turn) ?? over[0] ?? candidate).way;
  }

  /** The middle of places. */
  centre(names) {
    return mean(names.map((name) => this.middles.get(name)));
  }

  /** By how many degrees a candidate is turned to lie as another one of its piece; null if that is
   * not known, as on triangles, whose middles move. */
  angle(one, other) {
    const corners = [...one.names, ...other.names].map((name) => this.outlines.get(name)?.length);
    if (!corners.every((count) => count === 4 || count === 6)) return null;
    return one.names.length > 1 ? this.#angleOfShape(one, other) : this.#angleOfTurn(one, other);
  }

  /** How a candidate is moved to lie as another one of its piece: by how many degrees it is turned,
   * and whether it is mirrored from left to right before; null if that is not known. */
  motion(one, other) {
    const degrees = this.angle(one, other);
    if (degrees !== null) return { degrees, mirrored: false };
    const over =
      one.names.length > 1 ? this.#overOfShape(one, other) : this.#overOfTurn(one, other);
    return over === null ? null : { degrees: over, mirrored: true };
  }

  #overOfShape({ offsets }, { way }) {
    const mirrored = offsets.map(([x, y]) => [-x, y]);
    const twelfths = Array.from({ length: 12 }, (_, i) => i);
    const turn = twelfths.find((each) => this.#rotated(mirrored, each) === way);
    return turn === undefined ? null : turn * 30;
  }

  /** A piece on one place is turned over from left to right, as it is seen from its own top, and then
   * turned. */
  #overOfTurn(one, other) {
    if (one.rest.flipped === other.rest.flipped || !Number.isInteger(one.rest.turn)) return null;
    const outline = this.outlines.get(one.names[0]);
    const [x, y] = mean(outline.slice(0, 2)).map((at, axis) => at - mean(outline)[axis]);
    const top = (Math.atan2(x, -y) * 180) / Math.PI;
    return 2 * top + ((one.rest.turn + other.rest.turn) * 360) / outline.length;
  }

  #angleOfShape({ offsets }, { way }) {
    const twelfths = Array.from({ length: 11 }, (_, i) => i + 1);
    const turn = twelfths.find((each) => this.#rotated(offsets, each) === way);
    return turn ? turn * 30 : null;
  }

  #angleOfTurn(one, other) {
    const turns = [...this.of.get(one.piece).values()].map(([first]) => first.rest);
    const alike = turns.filter(({ flipped }) => flipped === one.rest.flipped);
    if (one.rest.flipped !== other.rest.flipped || !Number.isInteger(other.rest.turn)) return null;
    return ((other.rest.turn - one.rest.turn) * 360) / alike.length;
  }

  /** The shape of points that are turned by twelfths of a full turn. */
  #rotated(offsets, twelfths) {
    const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((twelfths * Math.PI) / 6));
    return this.#shape(offsets.map(([x, y]) => [x * cosine - y * sine, x * sine + y * cosine]));
  }

  /** The way to lie after the smallest turn, at least `from` twelfths of a full one, that the board
   * allows. */
  #moved({ piece, offsets }, from) {
    for (let twelfths = from; twelfths < 12; twelfths++) {
      const way = this.#rotated(offsets, twelfths);
      if (this.of.get(piece).has(way)) return way;
    }
    return null;
  }

  /** The candidate of a piece on a place, or for larger pieces the one nearest to a point; it lies
   * in this way if possible. */
  find(piece, way, name, point, reach = Infinity) {
    const here = (this.at.get(name) ?? []).filter((each) => each.piece === piece);
    if (here.length && here[0].names.length === 1)
      return here.find((each) => each.way === way) ?? here[0];
    const all = (reach === Infinity ? here : (this.of.get(piece)?.get(way) ?? [])).filter(
      (each) => each.way === way,
    );
    const far = ({ middle }) => Math.hypot(middle[0] - point[0], middle[1] - point[1]);
    const nearest = all.reduce(
      (best, each) => (best && far(best) <= far(each) ? best : each),
      null,
    );
    return nearest && far(nearest) <= reach ? nearest : null;
  }

  /** The nearest place in a direction. */
  beside(name, [dx, dy]) {
    const from = this.middles.get(name);
    let best = null;
    for (const [other, to] of this.middles) {
      if (!this.at.has(other)) continue;
      const [x, y] = [to[0] - from[0], to[1] - from[1]];
      const [along, across] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
      const cost = along + 3 * across;
      if (along > this.size / 8 && (!best || cost < best.cost)) best = { other, cost };
    }
    return best?.other ?? name;
  }
}

/** The next way in order, beginning again after the last. */
function next(ways, { way }) {
  const sorted = [...ways].sort((a, b) => (a.rest.turn ?? 0) - (b.rest.turn ?? 0));
  return sorted[(sorted.findIndex((each) => each.way === way) + 1) % sorted.length];
}

/** A candidate in words: what is where. */
export const inWords = ({ piece, places, said }) =>
  isEdge(places[0]) ? said : `${piece} on ${words(places[0])}`;

/** A place in words. */
export function words(place) {
  if (isEdge(place)) return "this edge";
  const parts = [place].flat();
  if (![2, 3].includes(parts.length) || !parts.every(Number.isInteger)) return parts.join(" ");
  return parts
    .map((number, i) => `${["layer", "row", "column"].at(i - parts.length)} ${number + 1}`)
    .join(", ");
}

/** The place of the board under a point of the window. */
export function placeAt(board, x, y) {
  const here = document.elementsFromPoint(x, y).filter((element) => board.contains(element));
  const names = here.map((element) => /** @type {SVGElement} */ (element).dataset.place);
  return names.find((name) => name !== undefined) ?? null;
}

/** A point of the window in the units of the board's picture. */
export function inPicture(board, x, y) {
  const point = new DOMPoint(x, y).matrixTransform(
    board.querySelector("svg").getScreenCTM().inverse(),
  );
  return [point.x, point.y];
}

/** Outline places of the board, as those of the cursor or where a piece will lie. */
export function outline(board, table, kind, names) {
  const svg = board.querySelector("svg");
  for (const old of svg.querySelectorAll(`.${kind}`)) old.remove();
  for (const name of names) shape(svg, kind, table.outlines.get(name));
}
