// What follows from something supposed, to be watched on the board step by step: which constraint
// strikes out what, and what remains.
//
// A state is {table, implied, said, at}: what the engine has found, the candidate that is supposed,
// and how many of the steps are seen. What is seen of a state is made by functions without effects.

import { announce, button, fill, h, svgElement } from "../dom.js";
import { one } from "../engines/engine.js";
import { capitalized } from "../words.js";
import { squareIn } from "./marks.js";
import { box, listing, outline, readable, words } from "./table.js";

const MOST_SYMBOLS = 16; // in a cell
const ROOM = 0.86; // of a cell, for all of its symbols

/** Whether what can be in a cell is a few symbols, so that one can point at them. */
export const playable = (table) =>
  table.candidates.length > 0 &&
  table.candidates.every(({ names }) => names.length === 1) &&
  [...table.at.values()].every((here) => here.length <= MOST_SYMBOLS);

/** The room for symbols in a cell, or on an edge, whichever way that runs. */
function roomOf(table, name) {
  const whole = box([table.outlines.get(name)]);
  return table.onEdges ? squareIn(whole) : whole;
}

/** Where the symbols of a cell stand, as [candidate, x, y], and how large they are. */
function slots(table, name) {
  const here = table.at.get(name) ?? [];
  const { width, height } = roomOf(table, name);
  const [x, y] = table.middles.get(name);
  const across = Math.ceil(Math.sqrt(here.length));
  const down = Math.ceil(here.length / across);
  const step = [(ROOM * width) / across, (ROOM * height) / down];
  const at = (i, number, count) => (i - (number - 1) / 2) * step[count];
  const places = here.map((candidate, i) => [
    candidate,
    x + at(i % across, across, 0),
    y + at(Math.floor(i / across), down, 1),
  ]);
  return { places, size: 0.62 * Math.min(...step) };
}

/** The candidate at a point of a cell. */
export function candidateAt(table, name, point) {
  const [x, y] = point;
  const far = ([, cx, cy]) => Math.hypot(cx - x, cy - y);
  const { places } = slots(table, name);
  return places.reduce((best, each) => (far(each) < far(best) ? each : best), places[0])?.[0];
}

/** What is known after the steps that are seen: for each candidate the number of the step that
 * struck it out or left it, 0 by the givens. */
function knownBy({ implied, said, at }) {
  const holds = new Map(implied.given.map((number) => [number, 0]));
  const out = new Map(implied.excluded.map((number) => [number, 0]));
  if (said) holds.set(said.number, 0);
  implied.steps.slice(0, at).forEach(({ placed, excluded }, i) => {
    for (const number of placed) holds.set(number, i + 1);
    for (const number of excluded) if (!out.has(number)) out.set(number, i + 1);
  });
  return { holds, out };
}

// -- words

const number = (count) => ["none", "one", "two", "three", "four"][count] ?? String(count);

/** How many, such as 'exactly one' and 'at most two'. */
function many([least, most], all) {
  if (least === most) return `exactly ${number(least)}`;
  if (!least) return `at most ${number(most)}`;
  return most >= all ? `at least ${number(least)}` : `${number(least)} to ${number(most)}`;
}

/** Whether candidates are all about what is at one place. */
const isOfOnePlace = (about) => new Set(about.map(({ names: [name] }) => name)).size === 1;

/** How often a symbol is where a rule is about, such as '1 is exactly once in row 2.' */
export function timesInWords(symbol, amount, rule) {
  const times = amount.endsWith(" one") ? amount.replace(/ one$/, " once") : `${amount} times`;
  return capitalized(`${symbol} is ${times} in ${rule}.`);
}

/** The rule of a step in words, with the names of what it is about. */
export function ruleInWords(table, { rule, clause, bounds }) {
  const about = clause.map((each) => table.candidates[each]);
  const pieces = new Set(about.map(({ piece }) => piece));
  const amount = many(bounds, clause.length);
  if (isOfOnePlace(about))
    return capitalized(`${rule} holds ${many(bounds, clause.length)} ${table.noun}.`);
  if (pieces.size === 1 && !table.toggles && amount.endsWith(" one"))
    return timesInWords([...pieces][0], amount, rule);
  return capitalized(`${rule}: ${many(bounds, clause.length)} of these ${clause.length}.`);
}

/** What a step strikes out or leaves. */
export function stepInWords(table, { rule, clause, placed, excluded, broken }) {
  const about = (numbers) => numbers.map((each) => table.candidates[each]);
  if (broken) return `That is impossible: ${rule} cannot be right any more.`;
  if (placed.length) {
    const [left] = about(placed);
    const rest = clause.length > 1 && `all others are struck out in ${rule}, so `;
    return capitalized(`${rest || `${rule}: `}${left.said}.`);
  }
  const gone = about(excluded);
  if (isOfOnePlace(about(clause)) && !table.onEdges)
    return capitalized(`${rule} holds nothing else.`);
  const [piece, ...otherPieces] = new Set(gone.map((each) => each.piece));
  const [place, ...otherPlaces] = new Set(gone.map(({ names: [name] }) => name));
  if (!otherPlaces.length && table.onEdges)
    return capitalized(`${rule}: ${listing(gone.map(({ said }) => said))} cannot be.`);
  if (!otherPieces.length && !table.toggles) return `${piece} is nowhere else in ${rule}.`;
  if (!otherPlaces.length) return `${capitalized(words(JSON.parse(place)))} holds nothing else.`;
  return capitalized(`${rule}: ${number(gone.length)} struck out.`);
}

/** Why a candidate cannot be supposed: step 0 are the givens. */
export function struckInWords(table, candidate, by) {
  const why = by ? `step ${by} struck it out` : "the givens exclude it";
  return `${capitalized(table.saidOf(candidate))} cannot be: ${why}.`;
}

// -- the picture

/** Draw the symbols of all cells: what is struck out and by which step, and what holds. */
function drawState(board, state) {
  const svg = board.querySelector("svg");
  svg.querySelector(".toy")?.remove();
  const layer = svgElement("g", { class: "toy" });
  const { table, implied } = state;
  const { holds, out } = knownBy(state);
  const now = implied.steps[state.at - 1];
  for (const name of table.at.keys()) layer.append(...drawCell(state, name, holds, out, now));
  const about = now ? now.clause.map((each) => table.candidates[each].names[0]) : [];
  if (about.length) outline(board, table, "area", new Set(about)); // each place once
  svg.append(layer); // above the ground of what the step is about
}

function drawCell({ table, said, implied }, name, holds, out, now) {
  const { places, size } = slots(table, name);
  const held = places.find(([{ number }]) => holds.has(number));
  if (held && implied.given.includes(held[0].number)) return []; // it is printed
  if (held) {
    const [{ piece, number }] = held;
    const [x, y] = table.middles.get(name);
    const large = 0.6 * roomOf(table, name).height;
    const kind =
      number === said?.number ? "said" : now?.placed.includes(number) ? "left new" : "left";
    return [
      svgElement("text", { x, y, "font-size": large, class: kind }, symbol(table, piece, true)),
    ];
  }
  return places.flatMap(([{ piece, number }, x, y]) => {
    const by = out.get(number);
    const fresh = now?.excluded.includes(number) ? " new" : "";
    const kind = by === undefined ? "open" : `out${fresh}`;
    const parts = [
      svgElement("text", { x, y, "font-size": size, class: kind }, symbol(table, piece)),
    ];
    if (by === undefined) return parts;
    const [dx, dy] = [0.42 * size, 0.36 * size];
    parts.push(
      svgElement("line", {
        x1: x - dx,
        y1: y + dy,
        x2: x + dx,
        y2: y - dy,
        class: `strike${fresh}`,
      }),
    );
    const small = { x: x + 0.6 * size, y: y - 0.36 * size, "font-size": 0.42 * size };
    if (by) parts.push(svgElement("text", { ...small, class: "by" }, String(by)));
    return parts;
  });
}

const symbol = (table, piece, holds = false) => (!table.toggles ? piece : holds ? "●" : "·");

// -- the part of the page

/** `board` is the picture on which it is watched. */
export class Toy {
  /** What is watched; null while nothing can be. */
  state = null;
  #asked = 0;

  constructor(work, board) {
    this.work = work;
    this.board = board;
    this.refused = h("p", { class: "problem", id: "toy-refused", role: "status" });
    this.element = h("section", { id: "toy", "aria-label": "What follows", hidden: true });
    this.back = button("Back", () => this.#go(this.state.at - 1), { "data-icon": "‹" });
    this.next = button("Step", () => this.#go(this.state.at + 1), {
      class: "main",
      id: "toy-step",
    });
    this.end = button("To the end", () => this.#go(Infinity), { "data-icon": "▷" });
    this.bar = h(
      "div",
      { class: "pinned", hidden: true },
      h("div", { class: "row bar" }, this.back, this.next, this.end),
    );
  }

  /** Begin on a table, which is drawn; null: there is nothing to watch. */
  async start(table) {
    const mine = ++this.#asked;
    this.state = null;
    this.#show();
    if (!table || !playable(table)) return;
    const implied = await this.#ask([]);
    if (mine !== this.#asked) return;
    this.state = { table, implied, said: null, at: 0 };
    this.#show();
  }

  /** Suppose a candidate; the same once more, nothing. What is struck out cannot be supposed. */
  async suppose(candidate) {
    const by = knownBy(this.state).out.get(candidate.number);
    if (by !== undefined) return this.#refuse(struckInWords(this.state.table, candidate, by));
    const mine = ++this.#asked;
    const said = candidate.number === this.state.said?.number ? null : candidate;
    const implied = await this.#ask(said ? [said.placement] : []);
    if (mine !== this.#asked) return;
    this.state = { ...this.state, implied, said, at: 0 };
    this.#go(Math.min(1, implied.steps.length));
  }

  #refuse(words) {
    fill(this.refused, words);
    announce(words);
  }

  #ask(placements) {
    const request = { kind: "imply", puzzle: this.work.source, placements };
    return one(this.work.engine, request, "implied");
  }

  #go(at) {
    const { implied, table } = this.state;
    this.state = { ...this.state, at: Math.min(Math.max(0, at), implied.steps.length) };
    this.#show();
    const step = implied.steps[this.state.at - 1];
    if (step) announce(stepInWords(table, step));
    this.element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  #show() {
    const { state } = this;
    this.element.hidden = !state;
    this.bar.hidden = !state?.said;
    if (!state) return;
    drawState(this.board, state);
    const { at, implied, said } = state;
    this.back.disabled = at === 0;
    this.next.disabled = this.end.disabled = at === implied.steps.length;
    fill(this.refused);
    fill(
      this.element,
      ...(said
        ? this.#told()
        : [h("p", {}, "Click a symbol on the board: what follows if it is so?"), this.refused]),
    );
  }

  /** The rule of the step that is seen, its clause, and the steps up to there. */
  #told() {
    const { table, implied, said, at } = this.state;
    const grid = table.grid;
    const steps = implied.steps
      .slice(0, at)
      .map((step, i) =>
        h(
          "li",
          { "aria-current": i + 1 === at && "step" },
          readable(grid, stepInWords(table, step)),
        ),
      );
    const now = implied.steps[at - 1];
    const ended = at === implied.steps.length && !now?.broken;
    return [
      h(
        "p",
        { class: "said" },
        "You said: ",
        h("strong", {}, `${table.saidOf(said)}.`),
        " ",
        button("Take it back", () => this.suppose(said), { class: "link", id: "toy-undo" }),
      ),
      this.refused,
      now?.clause.length > 1 && h("h2", {}, readable(grid, ruleInWords(table, now))),
      now?.clause.length > 1 && this.#clause(now),
      h("ol", { class: "steps" }, ...steps),
      ended && h("p", { class: "quiet" }, "Nothing more follows from one constraint at a time."),
    ].filter(Boolean);
  }

  /** The constraint of a step as chips. One that is pressed is supposed, unless it is struck out. */
  #clause({ clause, bounds, placed }) {
    const { table } = this.state;
    const { holds, out } = knownBy(this.state);
    const chips = clause.map((each) => {
      const candidate = table.candidates[each];
      const looks = out.has(each) ? "out" : holds.has(each) ? "holds" : "open";
      const kind = placed.includes(each) ? "chip holds new" : `chip ${looks}`;
      const words = candidate.said;
      if (out.has(each)) return h("span", { class: kind }, words);
      return button(words, () => this.suppose(candidate), { class: kind });
    });
    const solver = `For the solver: ${many(bounds, clause.length)} of these`;
    return h(
      "div",
      {},
      h("p", { class: "quiet" }, solver),
      h("div", { class: "row chips-of" }, ...chips),
    );
  }
}
