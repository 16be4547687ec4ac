// The tray of the pieces that are not on the board. Each is drawn as it lies on the board, cut out
// of the picture of the board.

import { dress, fill, h, picture, svgElement } from "../dom.js";
import { left } from "../acts.js";
import { box, printed } from "./table.js";

// pixels of a cell in a piece of several, and of a piece of one cell
const LEAST = { cell: 18, piece: 54 };
const MOST = { cell: 44, piece: 200 };
const GROWTH = 1.5; // times as large are pieces when the tray is arranged anew
const AROUND = 14; // pixels of a button around its picture
const GAP = 8; // pixels between buttons
const TOUCH = 44; // pixels of the smallest button
const FEW_SYMBOLS = 10; // of which each gets a large key
const READABLE = 6; // pixels: the least size of a text

export class Tray {
  #table = null;
  #looks = new Map();
  #drawn = new Map(); // those looks that have come
  #latest = 1; // the scale, which may change before a picture comes
  #kept = new Set(); // the pieces that have a place in the tray, also while they lie on the board

  /** `press(event, piece)` and `pick(piece)` hear of pointers and of keys. */
  constructor(work, listeners, { press, pick }) {
    this.work = work;
    this.press = press;
    this.pick = pick;
    this.element = h("div", {
      class: "tray",
      id: "tray",
      role: "group",
      "aria-label": "Pieces",
      ...listeners,
    });
  }

  /** Make the buttons. They stay the same elements, because a pointer may be dragging from one. */
  start(state) {
    const { table } = state;
    this.#table = table;
    this.#looks = new Map();
    this.#drawn = new Map();
    this.#kept = new Set();
    this.element.classList.toggle("symbols", table.typed);
    this.element.toggleAttribute("data-many", table.of.size > FEW_SYMBOLS);
    this.element.style.setProperty("--keys", table.of.size === 6 ? "6" : "5"); // in a row
    const pieces = table.toggles ? [] : [...table.of.keys()];
    fill(this.element, ...pieces.map((piece) => this.#button(piece)));
    if (pieces.length && !table.typed) this.#drawAll(pieces.map((piece) => firstOf(state, piece)));
  }

  stop() {
    fill(this.element);
  }

  /** Draw each of several candidates alone, in one request. */
  async #drawAll(candidates) {
    const table = this.#table;
    const found = candidates.map((candidate) => {
      const { promise, resolve } = Promise.withResolvers();
      this.#looks.set(candidate, promise);
      return { candidate, resolve };
    });
    const waiting = [...found];
    try {
      const placements = candidates.map(({ placement }) => placement);
      for await (const { kind, svg } of this.work.engine.ask({
        kind: "draw",
        puzzle: this.work.source,
        placements,
        apart: true,
      })) {
        const next = kind === "picture" && waiting.shift();
        if (!next) continue;
        const look = cutOut(svg, next.candidate, table);
        this.#drawn.set(next.candidate, look);
        next.resolve(look);
      }
    } finally {
      for (const { resolve } of waiting) resolve(null);
    }
  }

  #button(piece) {
    const { typed } = this.#table;
    const attributes = {
      type: "button",
      class: typed ? "symbol" : "piece",
      "data-piece": piece,
      onpointerdown: (event) => !event.button && this.press(event, piece),
      onclick: ({ detail }) => detail === 0 && this.pick(piece),
    };
    return h(
      "button",
      attributes,
      typed ? piece : h("span", {}),
      h("span", { class: "unseen" }, typed ? "" : piece || "piece"),
      h("small", {}),
    );
  }

  /** Show what is left of each piece, and the one that is held. With colours, there are no symbols
   * to choose. */
  show(state) {
    const { copies, needed, typed } = state.table;
    const held = state.held?.piece;
    const shown = this.#shown(state);
    const scale = (this.#latest = typed ? 1 : this.#arrange(state, shown));
    this.element.hidden = state.kind === "colour";
    for (const made of this.element.children) {
      const { piece } = made.dataset;
      const count = left(state, piece);
      made.hidden = !shown.has(piece);
      made.toggleAttribute("data-kept", this.#kept.has(piece));
      made.setAttribute("aria-pressed", String(piece === held));
      if (copies.get(piece) > 1) fill(made.lastChild, `×${count}`);
      if (needed.get(piece)) this.#count(made, left(state, piece, needed.get(piece)));
      if (!typed) this.#draw(made, firstOf(state, piece), scale);
    }
  }

  /** The pieces of which there are some left, and the one that is held. */
  #shown(state) {
    const pieces = [...state.table.of.keys()];
    return new Set(pieces.filter((piece) => left(state, piece) > 0 || piece === state.held?.piece));
  }

  /** How many of a symbol are still to be written. */
  #count(made, count) {
    fill(made.lastChild, `${Math.max(0, count)} left`);
    made.toggleAttribute("data-none", count <= 0);
  }

  /** Pixels per unit of the picture. Pieces stay where they are when one leaves the tray, until those
   * that are left can be much larger. */
  #arrange(state, shown) {
    const room = this.#room();
    const present = this.#scale(state, this.#kept, room);
    const possible = this.#scale(state, shown, room);
    const missing = [...shown].some((piece) => !this.#kept.has(piece));
    if (!missing && possible < GROWTH * present) return present;
    this.#kept = shown;
    return possible;
  }

  /** The most pixels per unit with which all of these pieces are seen at once in a room, if they can
   * be. */
  #scale(state, pieces, room) {
    const [width, height] = room;
    const { candidates, size } = state.table;
    const kind = candidates.some(({ names }) => names.length > 1) ? "cell" : "piece";
    const sizes = [...pieces].map((piece) => frame(firstOf(state, piece), state.table).slice(2));
    let [low, high] = [LEAST[kind] / size, MOST[kind] / size];
    for (let halving = 0; halving < 8; halving++) {
      const middle = (low + high) / 2;
      if (heightOf(sizes, middle, width) <= height) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The width and the height that the rail has for the tray. */
  #room() {
    const rail = this.element.closest(".panels");
    const others = [...rail.querySelectorAll(".told, .tools")].map((each) => each.offsetHeight);
    return [
      this.element.clientWidth,
      rail.clientHeight - others.reduce((sum, each) => sum + each, 0) - 4 * GAP,
    ];
  }

  #draw(made, candidate, scale) {
    const [, , width, height] = frame(candidate, this.#table);
    // before it is drawn, too
    made.firstChild.style = `width: ${width * scale}px; height: ${height * scale}px`;
    const [old] = made.firstChild.children;
    if (made.dataset.shown === String(candidate.number)) {
      if (old) sized(old, scale);
      return;
    }
    made.dataset.shown = candidate.number;
    const seen = this.glimpse(candidate);
    if (seen) fill(made.firstChild, sized(seen.cloneNode(true), scale));
    this.look(candidate).then(
      ([drawn]) =>
        drawn &&
        made.dataset.shown === String(candidate.number) &&
        fill(made.firstChild, sized(drawn.cloneNode(true), this.#latest)),
    );
  }

  /** The pictures of candidates, or of those that look the same somewhere else, because they may be
   * there already. */
  look(...candidates) {
    const alike = candidates.map((each) => this.#alike(each));
    const missing = [...new Set(alike)].filter((each) => !this.#looks.has(each));
    if (missing.length) this.#drawAll(missing);
    return Promise.all(alike.map((each) => this.#looks.get(each)));
  }

  /** A candidate as it is seen at once: its picture, or that of its piece before a turn, turned or
   * mirrored. Null if there is none yet. */
  glimpse(candidate) {
    const wanted = this.#alike(candidate);
    if (this.#drawn.has(wanted)) return this.#drawn.get(wanted);
    for (const [first] of this.#table.of.get(candidate.piece).values()) {
      const motion = this.#drawn.has(first) ? this.#table.motion(first, wanted) : null;
      if (motion) return turned(this.#drawn.get(first), first, wanted, motion, this.#table);
    }
    return null;
  }

  #alike(candidate) {
    const corners = ({ names, middle }) =>
      names
        .flatMap((name) => this.#table.outlines.get(name))
        .map((point) => point.map((x, axis) => x - middle[axis]));
    const [first] = this.#table.of.get(candidate.piece).get(candidate.way);
    const [ours, theirs] = [corners(candidate), corners(first)];
    const same =
      ours.length === theirs.length &&
      ours.every(
        ([x, y], i) => Math.hypot(x - theirs[i][0], y - theirs[i][1]) < this.#table.size / 50,
      );
    return same ? first : candidate;
  }
}

/** The first candidate of a piece that lies as the piece does now. */
const firstOf = ({ table, ways }, piece) => table.of.get(piece).get(ways.get(piece))[0];

/** How high a tray of this width is whose pieces have these sizes, at a scale. */
function heightOf(sizes, scale, most) {
  let [height, row, left] = [0, 0, 0];
  for (const size of sizes) {
    const [width, high] = size.map((each) => Math.max(TOUCH, each * scale + AROUND) + GAP);
    if (width > left) [height, row, left] = [height + row, 0, most + GAP];
    row = Math.max(row, high);
    left -= width;
  }
  return height + row;
}

/** Give a picture its size: pixels per unit. Texts that are too small to be read are left out. */
export function sized(svg, scale) {
  for (const label of svg.querySelectorAll("text"))
    label.toggleAttribute("hidden", label.getAttribute("font-size") * scale < READABLE);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  return dress(svg, { width: width * scale, height: height * scale });
}

/** The part of the picture of a board that shows a candidate: left, top, width and height. */
function frame({ names }, { outlines }) {
  const { left, top, width, height } = box(names.map((name) => outlines.get(name)));
  const edge = 0.03 * Math.min(width, height);
  return [left - edge, top - edge, width + 2 * edge, height + 2 * edge];
}

/** The picture of a candidate moved so that it is one of another. */
function turned(drawn, from, to, { degrees, mirrored }, table) {
  const [[x1, y1], [x2, y2]] = [from, to].map(({ names }) => table.centre(names));
  const mirror = mirrored ? "scale(-1 1)" : "";
  const transform = `translate(${x2} ${y2}) rotate(${degrees}) ${mirror} translate(${-x1} ${-y1})`;
  const copy = drawn.cloneNode(true);
  // letters on shapes are drawn upright, and those on tiles with the tile
  for (const label of from.names.length > 1 ? copy.querySelectorAll("text") : []) {
    const [x, y] = ["x", "y"].map((axis) => Number(label.getAttribute(axis)));
    const upright = `translate(${x} ${y}) ${mirror} rotate(${-degrees}) translate(${-x} ${-y})`;
    label.setAttribute("transform", upright);
  }
  return svgElement(
    "svg",
    { viewBox: frame(to, table).join(" "), "aria-hidden": "true" },
    svgElement("g", { transform }, ...copy.childNodes),
  );
}

let clips = 0;

/** The part of a picture that a candidate covers. */
function cutOut(svg, candidate, table) {
  const element = picture(svg, candidate.piece);
  element.removeAttribute("role");
  element.removeAttribute("aria-label");
  const shape = candidate.names.map((name) => table.outlines.get(name));
  for (const label of element.querySelectorAll("text"))
    if (table.printed.has(printed(label))) label.remove();
  dress(element, { viewBox: frame(candidate, table).join(" "), "aria-hidden": "true" });
  const id = `clip${++clips}`;
  const clip = svgElement(
    "clipPath",
    { id },
    ...shape.map((points) => svgElement("polygon", { points: points.join(" ") })),
  );
  element.append(clip, svgElement("g", { "clip-path": `url(#${id})` }, ...element.childNodes));
  return element;
}
