// What was played, kept in this browser and in the link.

import { readList, writeList } from "./kept.js";
import { again, begin, changedBy, difference, positionOf, samePlaced } from "./game.js";

const KEY = "jigsat-played";
const MOST = 30;
const MOST_MOVES = 100; // that are kept before the position, and after it

const entryOf = (work) =>
  readList(KEY).find(({ id, puzzle }) => id === work.id || puzzle === work.puzzle.toml) ?? {};

/** The placements that were played on a puzzle, if they are kept here; they are known before the
 * table is. */
export function keptPlacements(work) {
  const { puzzle, code, lying } = entryOf(work);
  return puzzle === work.puzzle.toml && code === (work.played ?? code)
    ? lying.map(({ placement }) => placement).filter(Boolean)
    : [];
}

/** The candidates of a table that were played on a puzzle, by the link or as kept here, and how
 * many more there were before it was edited. */
function played(work, table) {
  const entry = entryOf(work);
  const code = work.played ?? (entry.puzzle === work.puzzle.toml ? entry.code : undefined);
  if (code === undefined) return carry(entry, table);
  const numbers = new Set(
    code
      .split(".")
      .filter(Boolean)
      .map((digits) => parseInt(digits, 36)),
  );
  return { placed: table.candidates.filter(({ number }) => numbers.has(number)), lost: 0 };
}

/** What lies as it did before an edit; a piece that got another name is known by the names that
 * went and came. */
function carry({ pieces = [], lying = [] }, table) {
  const came = [...table.copies.keys()].filter((piece) => !pieces.includes(piece));
  const went = pieces.filter((piece) => !table.copies.has(piece));
  const named = (piece) =>
    came.length === went.length ? (came[went.indexOf(piece)] ?? piece) : piece;
  const known = new Map(table.candidates.map((each) => [whole(each), each]));
  const found = lying
    .map((each) => known.get(whole({ ...each, piece: named(each.piece) })))
    .filter(Boolean);
  return { placed: found, lost: lying.length - found.length };
}

const whole = ({ piece, places, rest }) => JSON.stringify([piece, places, rest]);

const numbersOf = ({ placed }) => placed.map(({ number }) => number);

/** The moves around the present one; those that are further back are not kept. Of the marks, each
 * move has what is new. */
function nearby({ moves, at }) {
  const first = Math.max(0, at - MOST_MOVES);
  const kept = moves.slice(first, at + MOST_MOVES);
  const marks = kept.map((position, i) => difference(kept[i - 1]?.marks ?? {}, position.marks));
  return { moves: kept.map(numbersOf), marks, last: at - first };
}

/** The game that is kept here, with the moves that were taken back; null if it is of another
 * position. */
function keptGame(work, table) {
  const { puzzle, code, moves, marks = [], last } = entryOf(work);
  if (puzzle !== work.puzzle.toml || !moves || code !== (work.played ?? code)) return null;
  const byNumber = new Map(table.candidates.map((each) => [each.number, each]));
  let noted = {};
  const positions = moves.map((numbers, i) => {
    noted = changedBy(noted, marks[i] ?? {});
    return { placed: numbers.map((number) => byNumber.get(number)).filter(Boolean), marks: noted };
  });
  return { moves: positions, at: last };
}

/** The game as the link or this browser has it, and how much of it was lost by an edit before the
 * page was loaded. */
export function afterReload(work, table) {
  const { present, lost } = possible(played(work, table), table);
  const kept = keptGame(work, table);
  return { game: kept && samePlaced(positionOf(kept), present) ? kept : begin(present), lost };
}

/** The game that goes on after an edit, with the moves from before, and how much of it is lost;
 * `before` is the table of that game. */
export function afterEdit(work, table, { game, table: before }) {
  const pieces = [...before.copies.keys()];
  const carried = (position) => carry({ pieces, lying: position.placed }, table);
  const marksOf = ({ marks }) =>
    Object.fromEntries(Object.entries(marks).filter(([name]) => table.at.has(name)));
  const renewed = (position) => ({
    ...possible(carried(position), table).present,
    marks: marksOf(position),
  });
  const { present, lost } = possible(
    work.played === undefined ? carried(positionOf(game)) : played(work, table),
    table,
  );
  return { game: again(game, renewed, { ...present, marks: marksOf(positionOf(game)) }), lost };
}

/** The position with what was `placed` where nothing is given, and how much is lost with what was
 * lost before. */
function possible({ placed, lost }, table) {
  const free = placed.filter((each) => table.free(each));
  const covered = placed.filter((each) => !free.includes(each) && !table.fixed.includes(each));
  return { present: { placed: free, marks: {} }, lost: lost + covered.length };
}

/** Keep a game: what lies on the board, and the moves before and after it. */
export function remember(work, table, game) {
  const { placed } = positionOf(game);
  work.played = placed.map(({ number }) => number.toString(36)).join(".");
  const puzzle = work.puzzle.toml;
  const lying = placed.map(({ piece, places, rest, placement }) => ({
    piece,
    places,
    rest,
    placement,
  }));
  const others = readList(KEY).filter((each) => each.puzzle !== puzzle);
  writeList(
    KEY,
    [
      {
        puzzle,
        id: work.id,
        code: work.played,
        pieces: [...table.copies.keys()],
        lying,
        ...nearby(game),
      },
      ...others,
    ].slice(0, MOST),
  );
  work.link();
}
