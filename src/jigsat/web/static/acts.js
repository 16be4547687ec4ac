// Playing: the state of a game on a table, and what each act makes of it. Nothing here touches the
// page.
//
// An act takes a state and returns the next one. In a state, `said` is what the player is told
// until something else lies on the board, and `spoken` is heard once by those who do not see the
// board.

import * as games from "./game.js";
import { inWords, words } from "./views/table.js";

/** The state in which a game goes on; `before` has how pieces lay in the tray. */
export function begin(table, game, before = new Map()) {
  const places = [...table.outlines.keys()].filter((name) => table.at.has(name));
  const ways = new Map([...table.of].map(([piece, all]) => [piece, all.keys().next().value]));
  for (const [piece, way] of before) if (table.of.get(piece)?.has(way)) ways.set(piece, way);
  return {
    table,
    game,
    ways, // how each piece lies
    // a piece that was picked up, with the candidate from which it comes if it lay on the board
    held: null,
    // where one writes; the cursor is on the last
    chosen: [places.find((name) => !table.given.has(name)) ?? places[0]],
    along: [1, 0], // the direction in which one writes
    touched: null, // the square that was just tapped: once more turns the direction
    kind: "pen", // what is written
    pencil: "corner", // the kind of notes that was used last
    drawn: false, // whether the board has shown what is played
    solved: false,
    said: "",
    spoken: "",
  };
}

// -- what a state tells

export const positionOf = ({ game }) => games.positionOf(game);
export const cursorOf = ({ chosen }) => chosen.at(-1);
export const on = (state, name) => games.on(positionOf(state), name);
export const lying = (state) => on(state, cursorOf(state));

/** Whether what lies on a place can be dragged. */
export const movable = ({ table }, candidate) =>
  Boolean(candidate) && !table.typed && !table.toggles;

/** How many of a piece are not on the board, of a symbol that occurs `all` times or of copies. */
export function left(state, piece, all = state.table.copies.get(piece) ?? Infinity) {
  const lie = [...positionOf(state).placed, ...state.table.fixed];
  return all - lie.filter((each) => each.piece === piece).length;
}

/** Whether no piece is left. */
export const isFull = (state) =>
  !state.table.toggles && [...state.table.of.keys()].every((piece) => left(state, piece) <= 0);

/** Whether there is something to clear, to turn or to put back. */
export const canClear = (state) =>
  Boolean(state.held) ||
  state.chosen.some((name) => on(state, name) || positionOf(state).marks[name]);

/** The squares of the word in which one writes, and the direction: the other one where no word runs
 * along. */
export function wordAt(state) {
  const { table, along } = state;
  const run = table.line(cursorOf(state), along);
  if (run.length > 1) return { run, along };
  const across = [along[1], along[0]];
  return { run: table.line(cursorOf(state), across), along: across };
}

// -- moves

/** A move: what is on the board from now on. */
function moveTo(state, next, spoken) {
  const before = positionOf(state);
  if (games.same(next, before)) return state;
  return told({ ...state, game: games.moveTo(state.game, next) }, before, spoken);
}

/** Take a move back (−1), or make it again (1). */
export function step(state, by) {
  if (!games.canStep(state.game, by)) return state;
  const stepped = { ...state, game: games.step(state.game, by) };
  return told(stepped, positionOf(state), by < 0 ? "Undone." : "Redone.");
}

function told(state, before, spoken) {
  // only marks of one's own
  if (games.samePlaced(positionOf(state), before)) return { ...state, spoken };
  return { ...state, spoken, said: "", solved: false };
}

const say = (state, said) => ({ ...state, said });

export const startAgain = (state) => moveTo(state, games.EMPTY, "Everything is back.");

/** What a hint places. */
export function lay(state, candidates) {
  const spoken = candidates.map(inWords);
  const { placed, marks } = positionOf(state);
  return moveTo(state, { placed: [...placed, ...candidates], marks }, spoken.join(", "));
}

export const takeBack = (state, candidate) =>
  moveTo(state, games.without(positionOf(state), [candidate]), `${candidate.piece} is back`);

// -- pieces

/** A candidate is put on the board, in the place of `from`. */
export function put(state, candidate, from = null) {
  const { piece, names, way } = candidate;
  const cursor = names.includes(cursorOf(state)) ? cursorOf(state) : names[0];
  const laid = { ...withWay(state, piece, way), held: null, chosen: [cursor] };
  const position = games.put(state.table, positionOf(state), candidate, from);
  return moveTo(laid, position, inWords(candidate));
}

const withWay = (state, piece, way) => ({ ...state, ways: new Map(state.ways).set(piece, way) });

/** Pick up a piece of the tray; once more turns it, or lets it go. */
export function pickUp(state, piece) {
  const again = state.held?.piece === piece;
  if (again) return state.table.turns ? turn(state, "turned") : letGo(state);
  return left(state, piece) > 0 ? hold(state, piece) : state;
}

const hold = (state, piece, from = null) => ({
  ...state,
  held: { piece, from },
  spoken: `${piece} is picked up`,
});

export const letGo = (state) => ({ ...state, held: null });

/** A pointer drags a piece, which lies as it did on the board. */
export function take(state, piece, from) {
  const taken = { ...state, held: { piece, from } };
  return from ? withWay(taken, piece, from.way) : taken;
}

/** A dragged piece is dropped where it would lie as `aim`, or outside of the board. */
export function drop(state, { from, aim, outside }) {
  const empty = letGo(state);
  if (aim)
    return state.table.free(aim) ? put(empty, aim, from) : say(empty, "This place is given.");
  if (!outside) return say(empty, "It does not fit there.");
  return from ? takeBack(empty, from) : empty;
}

/** Turn the piece that is held, or the one under the cursor; `how` is "turned" or "flipped". */
export function turn(before, how) {
  const state = say(before, "");
  const next = state.held ? turnHeld(state, how) : turnLying(state, how);
  return next.said ? next : say(next, sideOf(next.held ? firstHeld(next) : lying(next)));
}

const turnHeld = (state, how) =>
  withWay(state, state.held.piece, state.table[how](firstHeld(state)));

/** A candidate of the piece that is held, as it lies now. */
const firstHeld = ({ table, held, ways }) => table.of.get(held.piece).get(ways.get(held.piece))[0];

/** Which side of a piece is up, if that is its back. */
const sideOf = (candidate) =>
  candidate?.rest.flipped
    ? `${candidate.piece} is turned over: its back is up, so its letter is mirrored.`
    : "";

/** Turn what lies under the cursor, as near to where it is as there is room. */
function turnLying(state, how) {
  const here = lying(state);
  if (!here) return state;
  const way = state.table[how](here);
  const room = roomFor(state, here, way);
  if (room.length) return put(state, room[0], here);
  if (way === here.way) return state;
  const held = hold(withWay(state, here.piece, way), here.piece, here);
  return say(held, "There is no room to turn it here; put it somewhere else.");
}

/** How else a piece on the board would lie if it was turned again and again. */
export function turnsOf(state, candidate) {
  const turns = [];
  let now = { ...letGo(state), chosen: [candidate.names[0]] };
  for (let count = 1; count < state.table.of.get(candidate.piece).size; count++) {
    now = turn(now, "turned");
    const lies = lying(now);
    if (now.held || lies === candidate || turns.includes(lies)) break;
    turns.push(lies);
  }
  return turns;
}

/** Where a piece could lie otherwise on the cursor, the nearest first. */
function roomFor(state, here, way) {
  const { table } = state;
  const others = positionOf(state).placed.filter((each) => each !== here);
  const taken = new Set(others.flatMap(({ names }) => names));
  const far = ({ middle }) => Math.hypot(middle[0] - here.middle[0], middle[1] - here.middle[1]);
  return table.at
    .get(cursorOf(state))
    .filter((each) => each.piece === here.piece && each.way === way && table.free(each))
    .filter(({ names }) => !names.some((name) => taken.has(name)))
    .sort((one, other) => far(one) - far(other));
}

/** Put back or clear what is held, or what the cursor is on. */
export function putBack(state) {
  const { table, held, chosen } = state;
  const empty = letGo(state);
  if (table.noted || table.draws)
    return moveTo(empty, games.clear(positionOf(state), chosen), "Cleared.");
  const gone = held ? held.from : lying(state);
  return gone ? takeBack(empty, gone) : empty;
}

// -- places

/** A tap on a place, by default on the one at the cursor. */
export function tap(state, name = cursorOf(state)) {
  const { table, touched, along, held } = state;
  if (!table.at.has(name)) return state;
  const turns = table.lettered && name === touched;
  const tapped = {
    ...state,
    chosen: [name],
    touched: name,
    along: turns ? [along[1], along[0]] : along,
  };
  if (held) return layHeld(tapped, name);
  if (table.given.has(name)) return say(tapped, "This is given.");
  if (table.draws) return drawPlace(tapped, name, state.kind === "cross");
  if (table.toggles) return toggle(tapped, name);
  return on(tapped, name) && !table.typed ? turn(tapped, "turned") : tapped;
}

function layHeld(state, name) {
  const { table, held, ways } = state;
  const candidate = table.find(held.piece, ways.get(held.piece), name, table.middles.get(name));
  const fits = candidate && table.free(candidate);
  return fits ? put(state, candidate, held.from) : say(state, "It does not fit there.");
}

function toggle(state, name) {
  const [only] = state.table.at.get(name);
  if (!on(state, name)) return put(state, only);
  return moveTo(
    state,
    games.without(positionOf(state), [only]),
    `${words(only.places[0])}: cleared`,
  );
}

/** Choose the places into which one writes. */
export const choose = (state, names) => ({ ...state, chosen: names });

export const sayIfGiven = (state, name) =>
  state.table.given.has(name) ? say(state, "This is given.") : state;

/** Move the cursor, or choose one more place. */
export function move(state, arrow, extending) {
  const { table, chosen } = state;
  const next = table.beside(cursorOf(state), arrow);
  const others = extending ? chosen.filter((name) => name !== next) : [];
  const spoken = [words(JSON.parse(next)), on(state, next)?.piece].filter(Boolean).join(": ");
  return { ...state, along: arrow.map(Math.abs), chosen: [...others, next], spoken };
}

// -- what is written and drawn

export function takePen(state, kind) {
  const pencil = kind === "corner" || kind === "centre" ? kind : state.pencil;
  return { ...state, kind, pencil };
}

/** Take the pen, or else the pencil. */
export const nextPen = (state) => takePen(state, state.kind === "pen" ? state.pencil : "pen");

/** Write a symbol, or note it; a letter, in the next squares of its word too. */
export function write(state, symbol, kind = state.kind) {
  const { table, chosen } = state;
  const open = chosen.filter((name) => !table.given.has(name));
  if (!open.length && !table.lettered) return say(state, "This is given.");
  const written = kind === "pen" ? enter(state, open, symbol) : note(state, open, kind, symbol);
  return table.lettered ? moveAlong(written, 1) : written;
}

function enter(state, names, symbol) {
  const places = names.map((name) => words(JSON.parse(name)));
  const next = games.write(state.table, positionOf(state), names, symbol);
  return moveTo(state, next, `${symbol} on ${places.join(", ")}`);
}

function note(state, names, kind, symbol) {
  const empty = names.filter((name) => !on(state, name));
  if (!empty.length) return state;
  return moveTo(state, games.note(positionOf(state), empty, kind, symbol), `${symbol} is noted`);
}

function moveAlong(state, by) {
  const { run, along } = wordAt(state);
  const cursor = cursorOf(state);
  return { ...state, along, chosen: [run[run.indexOf(cursor) + by] ?? cursor] };
}

/** Clear the square before. */
export const goBack = (state) => putBack(moveAlong(state, -1));

export const paint = (state, colour) =>
  moveTo(state, games.paint(positionOf(state), state.chosen, colour), "Coloured.");

/** Cross out the place at the cursor. */
export const cross = (state) => drawPlace(state, cursorOf(state), true);

function drawPlace(state, name, crossing) {
  const position = positionOf(state);
  const next = games.tapped(games.stateOf(position, name), crossing);
  const spoken = `${words(JSON.parse(name))}: ${next}`;
  return moveTo(state, games.draw(state.table, position, name, next), spoken);
}

/** A stroke that drew to a position and ended on a place. A stroke is one move. */
export const stroke = (state, next, name) => moveTo(choose(state, [name]), next, "Drawn.");
