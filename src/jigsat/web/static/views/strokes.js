// Strokes over the board: a pointer chooses the places that it passes, or draws there.

import * as games from "../game.js";
import { sketchDrawn } from "./marks.js";
import { showOwn } from "./own.js";
import { sweep } from "./pointer.js";
import { inPicture, placeAt } from "./table.js";

/** A pointer chooses the places that it passes, besides those that `were` chosen; `chosen(names)`
 * hears of each change. */
export function selecting(event, board, table, first, were, chosen) {
  let names = were;
  const add = (name) => {
    if (!table.at.has(name) || name === names.at(-1)) return;
    names = [...names.filter((each) => each !== name), name];
    chosen(names);
  };
  add(first);
  return sweep(event, step(board, table), {
    pass: (x, y) => add(placeAt(board, x, y)),
    end: () => {},
  });
}

/** A pointer draws along edges or over cells, from a position on; `ended(position, name)` hears of
 * the new one and of the last place. What is drawn is seen meanwhile. A press that does not move is
 * a tap. */
export function drawing(event, board, table, first, { from, crossing, tapped, ended }) {
  let now = from;
  let last = first;
  let node = table.nodeAt(inPicture(board, event.clientX, event.clientY));
  let brush = null; // what it makes of each place, once it has passed one
  const draw = (name) => {
    if (!table.at.has(name)) return;
    brush ??= games.dragged(games.stateOf(from, name), crossing, table.edges.has(name));
    now = games.draw(table, now, name, brush);
    last = name;
    sketchDrawn(board, table, from, now);
    showOwn(board, table, now);
  };
  const overCells = (x, y) => {
    if (!brush) draw(first);
    draw(placeAt(board, x, y));
  };
  const alongEdges = (x, y) => {
    const next = table.nodeAt(inPicture(board, x, y));
    if (!next || next === node) return;
    if (node) draw(table.edgeBetween(node, next));
    else if (table.edges.get(first)?.includes(next)) draw(first);
    node = next;
  };
  const end = (dropped, moved) => {
    if (moved) ended(dropped ? now : from, last);
    else if (dropped) tapped();
  };
  return sweep(event, step(board, table), { pass: table.edges.size ? alongEdges : overCells, end });
}

/** A quarter of a place, in pixels. */
const step = (board, table) => (table.size * board.querySelector("svg").getScreenCTM().a) / 4;
