// What can be put where: pieces, their ways to lie, and the places of the board in its picture.

export const text = (place) => JSON.stringify(place);

/** The places that a picture names, with their outlines; some are drawn again in other views. */
function places(svg) {
  return JSON.parse(svg.dataset.places ?? "[]").map(([place, points]) => [text(place), points]);
}

/** Add an outline that is not seen to each place, for pointers. */
export function touchable(svg) {
  for (const [name, points] of places(svg)) shape(svg, "place", points).dataset.place = name;
  return svg;
}

function shape(svg, kind, points) {
  const polygon = document.createElementNS(svg.namespaceURI, "polygon");
  polygon.setAttribute("points", points.join(" "));
  polygon.setAttribute("class", kind);
  svg.append(polygon);
  return polygon;
}

export function box(polygons) {
  const [xs, ys] = [0, 1].map((axis) => polygons.flat().map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

export const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
const mean = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);

/** The outline of each place that a picture names. */
export function outlines(svg) {
  const found = new Map();
  for (const [name, points] of places(svg)) if (!found.has(name)) found.set(name, points);
  return found;
}

export class Table {
  /** `svg` is the picture of the board. */
  constructor({ pieces, candidates, given }, svg) {
    this.outlines = outlines(svg);
    this.middles = new Map([...this.outlines].map(([name, points]) => [name, mean(points)]));
    const [first] = this.outlines.values();
    this.size = first ? Math.sqrt(box([first]).width * box([first]).height) : 1;
    this.copies = new Map(pieces.map(({ name, copies }) => [name, copies]));
    this.candidates = candidates.map((candidate, number) => this.#candidate(candidate, number)).filter(({ names }) => names.every((name) => this.outlines.has(name)));
    this.at = new Map();
    this.of = new Map();
    for (const each of this.candidates) {
      for (const name of each.names) this.at.set(name, [...(this.at.get(name) ?? []), each]);
      if (!this.of.has(each.piece)) this.of.set(each.piece, new Map());
      const ways = this.of.get(each.piece);
      ways.set(each.way, [...(ways.get(each.way) ?? []), each]);
    }
    const fixed = new Set(given.map(text));
    /** What is given, and its places. */
    this.fixed = this.candidates.filter(({ placement }) => fixed.has(text(placement)));
    this.given = new Set(this.fixed.flatMap(({ names }) => names));
    /** Each place is empty or not, as with lights to press. */
    this.toggles = [...this.at.values()].every((here) => here.length === 1);
    /** Symbols are typed into places. */
    this.typed = !this.toggles && [...this.copies].every(([name, copies]) => copies === null && name.length < 3 && this.of.get(name)?.size === 1);
    /** Symbols or names in places, which are noted as pencil marks. */
    this.pencil = !this.toggles && this.candidates.every(({ names }) => names.length === 1) && [...this.of.values()].every((ways) => ways.size === 1);
    this.turns = [...this.of.values()].some((ways) => ways.size > 1);
    this.flips = this.candidates.some(({ rest }) => rest.flipped) || [...this.of].some(([, ways]) => [...ways.values()].some(([each]) => each.names.length > 1 && this.flipped(each) !== each.way));
  }

  /** How it is played, in words. */
  help() {
    if (this.toggles) return "Tap a place to mark it or to clear it. Keys: arrows and Enter.";
    if (this.typed) return "Tap a place, then type or tap what belongs there. Keys: arrows; Delete clears a place.";
    const turning = this.turns ? " Tap a piece on the board to turn it." : "";
    const keys = ["Tab and Enter to pick up a piece, arrows and Enter to put it down", this.turns && "R turns it", this.flips && "F turns it over", "Delete puts it back"];
    return `Drag pieces onto the board, or tap a piece and then a place.${turning} Drag a piece off the board to put it back. Keys: ${keys.filter(Boolean).join(", ")}.`;
  }

  #candidate(candidate, number) {
    const names = candidate.places.map(text);
    const same = [text(candidate.places), text(candidate.places[0])];
    const rest = Object.fromEntries(Object.entries(candidate.placement).filter(([, value]) => value !== candidate.piece && !same.includes(text(value))));
    const shape = names.every((name) => this.outlines.has(name)) ? names.map((name) => this.outlines.get(name)) : [[[0, 0]]];
    const middle = centre(box(shape));
    const offsets = names.map((name) => (this.middles.get(name) ?? [0, 0]).map((x, axis) => x - middle[axis]));
    return { ...candidate, number, names, rest, middle, offsets, way: names.length > 1 ? this.#shape(offsets) : text(rest) };
  }

  /** A set of points as text, the same for a shifted one. */
  #shape(offsets) {
    const unit = this.size / 12;
    const whole = (x) => Math.round(x / unit + 0.01);
    return offsets.map((point) => point.map(whole).join(" ")).sort().join(",");
  }

  /** How a piece lies after a turn. */
  turned(candidate) {
    const ways = [...this.of.get(candidate.piece).values()].map(([first]) => first);
    if (candidate.names.length > 1) return this.#moved(candidate, 1) ?? next(ways, candidate).way;
    return next(ways.filter(({ rest }) => rest.flipped === candidate.rest.flipped), candidate).way;
  }

  /** How a piece lies after it is turned over. */
  flipped(candidate) {
    const ways = [...this.of.get(candidate.piece).values()].map(([first]) => first);
    if (candidate.names.length > 1) return this.#moved({ ...candidate, offsets: candidate.offsets.map(([x, y]) => [-x, y]) }, 0) ?? candidate.way;
    const over = ways.filter(({ rest }) => rest.flipped !== candidate.rest.flipped);
    return (over.find(({ rest }) => rest.turn === candidate.rest.turn) ?? over[0] ?? candidate).way;
  }

  /** The way to lie after the smallest turn, at least `from` twelfths of a full one, that the board allows. */
  #moved({ piece, offsets }, from) {
    for (let twelfths = from; twelfths < 12; twelfths++) {
      const [sine, cosine] = [Math.sin, Math.cos].map((of) => of((twelfths * Math.PI) / 6));
      const way = this.#shape(offsets.map(([x, y]) => [x * cosine - y * sine, x * sine + y * cosine]));
      if (this.of.get(piece).has(way)) return way;
    }
    return null;
  }

  /** The candidate of a piece on a place, or for larger pieces the one nearest to a point; it lies in this way if possible. */
  find(piece, way, name, point, reach = Infinity) {
    const here = (this.at.get(name) ?? []).filter((each) => each.piece === piece);
    if (here.length && here[0].names.length === 1) return here.find((each) => each.way === way) ?? here[0];
    const all = (reach === Infinity ? here : (this.of.get(piece)?.get(way) ?? [])).filter((each) => each.way === way);
    const far = ({ middle }) => Math.hypot(middle[0] - point[0], middle[1] - point[1]);
    const nearest = all.reduce((best, each) => (best && far(best) <= far(each) ? best : each), null);
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

/** A place in words. */
export function words(place) {
  const parts = [place].flat();
  if (parts.length === 2 && parts.every(Number.isInteger)) return `row ${parts[0] + 1}, column ${parts[1] + 1}`;
  return parts.join(" ");
}

/** The place of the board under a point of the window. */
export function placeAt(board, x, y) {
  return document.elementsFromPoint(x, y).find((found) => found.dataset.place && board.contains(found))?.dataset.place ?? null;
}

/** A point of the window in the units of the board's picture. */
export function inPicture(board, x, y) {
  const point = new DOMPoint(x, y).matrixTransform(board.querySelector("svg").getScreenCTM().inverse());
  return [point.x, point.y];
}

/** Outline places of the board, as those of the cursor or where a piece will lie. */
export function outline(board, table, kind, names) {
  const svg = board.querySelector("svg");
  for (const old of svg.querySelectorAll(`.${kind}`)) old.remove();
  for (const name of names) shape(svg, kind, table.outlines.get(name));
}
