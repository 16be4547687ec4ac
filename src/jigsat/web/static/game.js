// A game: the moves from position to position, and what a move makes of a position. Nothing here
// touches the page.
//
// A position has the candidates that were `placed`, and the player's own `marks` by place: symbols
// in its `corner`s and in its `centre`, the number of a `colour`, and a `cross` where nothing
// belongs.

export const EMPTY = { placed: [], marks: {} };

export const begin = (position = EMPTY) => ({ moves: [position], at: 0 });

export const positionOf = ({ moves, at }) => moves[at];

/** The game after a move to a position; what was taken back before is gone. */
export function moveTo(game, position) {
  const moves = [...game.moves.slice(0, game.at + 1), position];
  return { moves, at: moves.length - 1 };
}

export const canStep = ({ moves, at }, by) => at + by in moves;

export const step = (game, by) => ({ ...game, at: game.at + by });

/** The game with the positions that it had before an edit, each made anew; those that are equal
 * then are one. `present` is where it goes on. */
export function again({ moves, at }, renew, present) {
  const past = withoutRepeats([...moves.slice(0, at).map(renew), present]);
  const future = withoutRepeats([present, ...moves.slice(at + 1).map(renew)]).slice(1);
  return { moves: [...past, ...future], at: past.length - 1 };
}

const withoutRepeats = (positions) =>
  positions.filter((each, i) => !i || !same(each, positions[i - 1]));

export const same = (one, other) =>
  samePlaced(one, other) && !Object.keys(difference(one.marks, other.marks)).length;

export const samePlaced = ({ placed }, other) =>
  placed.length === other.placed.length && placed.every((each, i) => each === other.placed[i]);

// -- what is placed

export const on = ({ placed }, name) => placed.find(({ names }) => names.includes(name));

/** A candidate is put on the board in the place of `from`; whatever lies there goes back, and so
 * does a copy too many. */
export function put(table, { placed, marks }, candidate, from = null) {
  let rest = placed.filter(
    (each) => each !== from && !each.names.some((name) => candidate.names.includes(name)),
  );
  const copies = table.copies.get(candidate.piece) ?? Infinity;
  const alike = rest.filter(({ piece }) => piece === candidate.piece);
  if (alike.length >= copies) rest = rest.filter((each) => each !== alike[0]);
  return { placed: [...rest, candidate], marks };
}

export const without = ({ placed, marks }, gone) => ({
  placed: placed.filter((each) => !gone.includes(each)),
  marks,
});

/** A symbol is written into places. */
export function write(table, position, names, symbol) {
  const candidates = names.map((name) => table.at.get(name)?.find(({ piece }) => piece === symbol));
  return candidates
    .filter((each) => each && table.free(each) && !position.placed.includes(each))
    .reduce((now, each) => put(table, now, each), position);
}

/** Places are cleared: of what was placed there, or else of their marks. */
export function clear(position, names) {
  const gone = position.placed.filter((each) => each.names.some((name) => names.includes(name)));
  return gone.length
    ? without(position, gone)
    : { ...position, marks: change(position.marks, names, () => ({})) };
}

// -- one's own marks

/** A symbol is noted in the `corner`s or in the `centre` of places, or no longer if it is noted in
 * all of them. */
export function note(position, names, kind, symbol) {
  const everywhere = names.every((name) => position.marks[name]?.[kind]?.includes(symbol));
  const others = (noted = []) => noted.filter((each) => each !== symbol);
  const noted = (old) => ({
    ...old,
    [kind]: everywhere ? others(old[kind]) : [...others(old[kind]), symbol].sort(),
  });
  return { ...position, marks: change(position.marks, names, noted) };
}

/** Places get a colour by its number; if all have it already, they lose it. */
export function paint(position, names, colour) {
  const everywhere = names.every((name) => position.marks[name]?.colour === colour);
  return {
    ...position,
    marks: change(position.marks, names, (old) => ({ ...old, colour: everywhere ? 0 : colour })),
  };
}

/** The marks after those of some places were changed; a place without any has no entry. */
function change(marks, names, changed) {
  const next = { ...marks };
  for (const name of names) {
    const kept = Object.entries(changed(marks[name] ?? {}, name)).filter(
      ([, value]) => value && value.length !== 0,
    );
    if (kept.length) next[name] = Object.fromEntries(kept);
    else delete next[name];
  }
  return next;
}

/** The places whose marks differ, each with its new marks or null. */
export function difference(before, after) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => !sameMarks(before[name], after[name]))
      .map((name) => [name, after[name] ?? null]),
  );
}

const sameMarks = (one = {}, other = {}) =>
  one === other ||
  ["corner", "centre", "colour", "cross"].every(
    (kind) => String(one[kind] ?? "") === String(other[kind] ?? ""),
  );

/** The marks after a difference. */
export const changedBy = (marks, different) =>
  change(marks, Object.keys(different), (_, name) => different[name] ?? {});

// -- drawing: each place is empty, drawn or crossed out

export const stateOf = (position, name) =>
  on(position, name) ? "drawn" : position.marks[name]?.cross ? "cross" : "empty";

/** What a tap makes of a place, with the pen or with crosses. */
export const tapped = (state, crossing) =>
  crossing
    ? ({ cross: "empty" }[state] ?? "cross")
    : { empty: "drawn", drawn: "cross", cross: "empty" }[state];

/** What a drag makes of the places that it passes, after what is at the first of them. A line that
 * is there is drawn no longer. */
export const dragged = (state, crossing, alongEdges) =>
  alongEdges && !crossing && state === "drawn"
    ? "empty"
    : alongEdges && !crossing
      ? "drawn"
      : tapped(state, crossing);

/** A place gets a state. */
export function draw(table, position, name, state) {
  const [only] = table.at.get(name);
  if (!table.free(only) || stateOf(position, name) === state) return position;
  const marks = change(position.marks, [name], (old) => ({ ...old, cross: state === "cross" }));
  const { placed } = without(position, [only]);
  return { placed: state === "drawn" ? [...placed, only] : placed, marks };
}
