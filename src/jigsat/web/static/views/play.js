// Playing: pieces are dragged onto the board, turned and turned over, by mouse, finger or keys; symbols are typed, lines and cells drawn.

import { announce, button, fill, h, picture } from "../dom.js";
import { one } from "../engines/engine.js";
import * as games from "../game.js";
import { afterEdit, afterReload, keptPlacements, remember } from "../played.js";
import { advicePanel } from "./advice.js";
import { Board } from "./board.js";
import { allowed, fitting, wordAt } from "./crossword.js";
import { actOf } from "./keys.js";
import { Switch } from "./own.js";
import { Dragging } from "./pointer.js";
import { drawing, selecting } from "./strokes.js";
import { Table, placeAt, text, words } from "./table.js";
import { Tray } from "./tray.js";
import { number, plural } from "../words.js";

const MOST_TOLD = 60; // words that are all listed, wherever one writes

/** What changes while one plays. All of it begins anew with another puzzle. */
const atStart = () => ({
  table: null,
  game: games.begin(),
  held: null, // a piece that was picked up, with the candidate from which it comes if it lay on the board
  cursor: null,
  chosen: [], // the places into which one writes; the cursor is one of them
  along: [1, 0], // where one writes
  touched: null, // the square that was just tapped: once more turns the way to write
  list: [], // the words of a crossword that has no questions, if they are not told as a rule
});

export function playPanel(panel, work, stage) {
  const board = new Board({ onkeydown: key, onpointerdown: press, onfocus: cursorShown });
  const tray = new Tray(work, { onkeydown: key }, { pick: (piece) => pick(piece, true), press: (event, piece) => follow(event, state.table.typed ? null : piece, null, () => pick(piece)) });
  const pens = new Switch(board.element, { onkeydown: key }, { turned: penTurned, painted: colour });
  const said = h("p", { class: "count", id: "said", role: "status" });
  const help = h("p", { class: "quiet", id: "help" });
  const notes = h("p", { class: "quiet" }); // what is written below the picture
  const clues = h("ul", { id: "clues", hidden: true });
  const space = h("div", { class: "space", id: "play-space", hidden: true });
  const undo = button("Undo", () => step(-1), { id: "play-undo", "data-icon": "↶" });
  const redo = button("Redo", () => step(1), { id: "play-redo" });
  const again = button("Start again", () => moveTo(games.EMPTY, "Everything is back."), { id: "play-again" });
  const check = button("Check", () => draw(true), { id: "check", "data-icon": "✓" });
  const turner = button("Turn", () => turn("turned"), { id: "turn", title: "R", "data-icon": "⟳" });
  const flipper = button("Turn over", () => turn("flipped"), { id: "flip", title: "F", "data-icon": "⇆" });
  const remover = button("Put back", () => putBack(), { id: "put-back", title: "Delete", "data-icon": "✕" });
  const ghost = h("div", { class: "ghost", "aria-hidden": "true", hidden: true });
  const dragging = new Dragging(board.element, tray, ghost, { aimed: (candidate) => board.outline(state.table, "aim", candidate?.names ?? []), taken, dropped });
  const advice = advicePanel(work, board.element, tray, {
    placed: () => position().placed,
    held: () => state.held?.piece,
    lying: () => on(state.cursor),
    make: (candidates) => moveTo({ ...position(), placed: [...position().placed, ...candidates] }, candidates.map(({ piece, places: [place] }) => `${piece} on ${words(place)}`).join(", ")),
    hush: () => (fill(said), checks++),
    takeBack: (candidate) => moveTo(games.without(position(), [candidate]), `${candidate.piece} is back`),
  });
  const hand = h("div", { class: "hand" }, turner, flipper, remover);
  const told = h("div", { class: "told" }, h("div", {}, help, said, advice.said), hand);
  const tools = h("div", { class: "pinned tools" }, h("div", { class: "row bar" }, undo, check, advice.next));
  const fits = h("li", { id: "fitting" });
  fill(panel, told, pens.element, tray.element, pens.colours, advice.legend, notes, clues, space, tools, ghost);

  let state = atStart();
  let solid = null;
  let shown = false;
  let fresh = false;
  let asked = 0;
  let checks = 0; // a question asked after a check is answered, not the check
  let draft = null; // which is played
  let past = null; // what was played before an edit: of which draft, its pieces, how they lay, and the game

  const position = () => games.positionOf(state.game);
  const on = (name) => games.on(position(), name);

  // -- the puzzle

  /** Play nothing while the text of the puzzle is wrong. */
  function refuse() {
    fresh = false;
    asked++;
    forget();
    board.clear();
    fill(said, `Mend the puzzle first, under Edit: ${work.problem.message}`);
  }

  async function start() {
    fresh = true;
    const mine = ++asked;
    if (state.table) board.clear(); // of the puzzle before
    forget();
    draft = work.id;
    fill(said, "Loading …");
    let table;
    try {
      table = await load(() => mine === asked);
    } catch (error) {
      if (mine !== asked) return;
      board.preview(work.puzzle.svg);
      return fill(said, error.message);
    }
    if (mine !== asked) return;
    state.table = table;
    if (!table.candidates.length) return fill(said, "This puzzle cannot be played by hand.");
    const places = [...table.outlines.keys()].filter((name) => table.at.has(name));
    choose([places.find((name) => !table.given.has(name)) ?? places[0]]);
    const lost = recall();
    tellAbout();
    advice.start(table);
    await draw();
    panel.removeAttribute("data-idle");
    controls();
    if (lost) fill(said, `Taken back after the edit, which has no such place or piece: ${plural(lost, "placement")}.`);
    if (work.puzzle.solid) showSolid();
  }

  /** What there is to play with, and its picture on the board, with what is kept here of another version of the page, maybe. */
  async function load(wanted) {
    const puzzle = work.source;
    const drawn = (placements) => one(work.engine, { kind: "play", puzzle, placements }, "position");
    const empty = await drawn([]);
    const lying = keptPlacements(work);
    const { svg } = lying.length ? await drawn(lying).catch(() => empty) : empty;
    await board.hang(svg, "The board", wanted);
    const started = await one(work.engine, { kind: "start", puzzle }, "started");
    const drawing = picture(empty.svg, "");
    const table = new Table(started, drawing, work.puzzle.solid);
    if (wanted()) {
      fill(notes, ...[...drawing.querySelectorAll(".note")].map((each) => `On the ${table.board}: ${each.textContent}.`));
      board.drawn = table.candidates.filter(({ placement }) => lying.some((each) => text(each) === text(placement)));
    }
    return table;
  }

  /** Take up what was played, and after an edit how the pieces lay that were not on the board. Returns how much is lost. */
  function recall() {
    const { table } = state;
    const edited = past && [draft, work.parted].includes(past.draft);
    const { game, lost } = edited ? afterEdit(work, table, past) : afterReload(work, table);
    state.game = game;
    tray.fill(table);
    for (const [piece, way] of edited ? past.ways : []) if (table.of.get(piece)?.has(way)) tray.ways.set(piece, way);
    if (position().placed.length) remember(work, table, game);
    return lost;
  }

  /** Offer what the puzzle has: how it is played, its words, and what can be written. */
  function tellAbout() {
    const { table } = state;
    board.element.toggleAttribute("data-typed", table.typed);
    turner.hidden = !table.turns;
    flipper.hidden = !table.flips;
    fill(help, table.help());
    fill(remover, table.typed || table.toggles ? "Clear" : "Put back");
    pens.start(table);
    clues.hidden = !table.lettered;
    state.list = Object.keys(work.puzzle.data.questions ?? {}).length ? [] : allowed(work.puzzle.data);
    const more = state.list.length > MOST_TOLD ? [] : work.puzzle.rules.slice(1); // the questions of a crossword, or its words
    fill(clues, ...more.map((rule) => h("li", {}, rule)), more.length ? null : fits);
    if (more.length) state.list = [];
  }

  function forget() {
    const { table, game } = state;
    if (table) past = { draft, pieces: [...table.copies.keys()], ways: tray.ways, game };
    panel.setAttribute("data-idle", "");
    state = atStart();
    board.drawn = [];
    clues.hidden = true;
    tray.fill(null);
    pens.start(null);
    advice.start(null);
    for (const element of [help, said, notes]) fill(element);
    controls();
  }

  // -- moves

  /** Make a move: what is on the board from now on. */
  function moveTo(next, spoken) {
    if (!state.table || games.same(next, position())) return;
    const before = position();
    state.game = games.moveTo(state.game, next);
    show(before, spoken);
  }

  function step(by) {
    if (!games.canStep(state.game, by)) return;
    const before = position();
    state.game = games.step(state.game, by);
    show(before, by < 0 ? "Undone." : "Redone.");
  }

  function show(before, spoken) {
    remember(work, state.table, state.game);
    announce(spoken);
    if (games.samePlaced(position(), before)) return cursorShown(); // only marks of one's own
    fill(said);
    board.element.removeAttribute("data-solved");
    advice.moved();
    draw();
  }

  /** Put a candidate on the board. Returns whether it can be there. */
  function put(candidate, from = null) {
    if (!candidate || !state.table.free(candidate)) return false;
    state.held = null;
    choose([candidate.names.includes(state.cursor) ? state.cursor : candidate.names[0]]);
    tray.ways.set(candidate.piece, candidate.way);
    moveTo(games.put(state.table, position(), candidate, from), `${candidate.piece} on ${words(candidate.places[0])}`);
    return true;
  }

  function putBack() {
    const { held, chosen, table } = state;
    const gone = held ? held.from : on(state.cursor);
    state.held = null;
    if (table.noted || table.draws) moveTo(games.clear(position(), chosen), "Cleared.");
    else if (gone) moveTo(games.without(position(), [gone]), `${gone.piece} is back`);
    else trayShown();
  }

  /** Turn the piece that is held, or the one under the cursor. */
  function turn(how) {
    const { table, held, cursor } = state;
    if (held) {
      const first = table.of.get(held.piece).get(tray.ways.get(held.piece))[0];
      tray.ways.set(held.piece, table[how](first));
      dragging.turned();
      return trayShown();
    }
    const lying = on(cursor);
    if (!lying) return;
    const way = table[how](lying);
    const others = position().placed.filter((each) => each !== lying).flatMap(({ names }) => names);
    const room = table.at.get(cursor).filter((each) => each.piece === lying.piece && each.way === way && table.free(each) && !each.names.some((name) => others.includes(name)));
    const far = ({ middle }) => Math.hypot(middle[0] - lying.middle[0], middle[1] - lying.middle[1]);
    room.sort((one, other) => far(one) - far(other));
    if (room.length) put(room[0], lying);
    else if (way !== lying.way) {
      tray.ways.set(lying.piece, way);
      hold(lying.piece, lying);
      fill(said, "There is no room to turn it here; put it somewhere else.");
    }
  }

  function hold(piece, from = null) {
    const before = state.held?.piece === piece && !from;
    if (before && state.table.turns) return turn("turned");
    state.held = before ? null : { piece, from };
    trayShown();
    if (state.held) announce(`${piece} is picked up`);
  }

  function letGo() {
    state.held = null;
    trayShown();
  }

  /** A tap on a place. */
  function tap(name) {
    const { table, held } = state;
    if (!table?.at.has(name)) return;
    if (table.lettered && name === state.touched) state.along = [state.along[1], state.along[0]];
    state.touched = name;
    choose([name]);
    if (held) {
      if (!put(table.find(held.piece, tray.ways.get(held.piece), name, table.middles.get(name)), held.from)) fill(said, "It does not fit there.");
    } else if (table.given.has(name)) fill(said, "This is given.");
    else if (table.draws) drawPlace(name, pens.kind === "cross");
    else if (table.toggles) {
      const [only] = table.at.get(name);
      if (on(name)) moveTo(games.without(position(), [only]), `${words(only.places[0])}: cleared`);
      else put(only);
    } else if (on(name) && !table.typed) turn("turned");
    cursorShown();
  }

  /** The places into which one writes; the cursor is on the last. */
  function choose(names) {
    state.chosen = names;
    state.cursor = names.at(-1);
  }

  // -- what is written and drawn

  /** Write a symbol, or note it; a letter, in the next squares of its word too. */
  function write(symbol, kind = pens.kind) {
    const { table, chosen } = state;
    const open = chosen.filter((name) => !table.given.has(name));
    if (!open.length && !table.lettered) return fill(said, "This is given.");
    if (kind === "pen") moveTo(games.write(table, position(), open, symbol), `${symbol} on ${open.map((name) => words(JSON.parse(name))).join(", ")}`);
    else {
      const empty = open.filter((name) => !on(name));
      if (empty.length) moveTo(games.note(position(), empty, kind, symbol), `${symbol} is noted`);
    }
    if (table.lettered) moveAlong(1);
  }

  function moveAlong(by) {
    const run = word();
    choose([run[run.indexOf(state.cursor) + by] ?? state.cursor]);
    cursorShown();
  }

  function colour(number) {
    if (state.chosen.length) moveTo(games.paint(position(), state.chosen, number), "Coloured.");
  }

  /** With colours, there are no symbols to choose. */
  function penTurned() {
    tray.element.hidden = pens.kind === "colour";
  }

  function drawPlace(name, crossing) {
    const next = games.tapped(games.stateOf(position(), name), crossing);
    moveTo(games.draw(state.table, position(), name, next), `${words(JSON.parse(name))}: ${next}`);
  }

  // -- keys

  function key(event) {
    const { table, held, cursor } = state;
    const act = table && actOf(event, table, { kind: pens.kind, onBoard: event.currentTarget === board.element, lies: Boolean(on(cursor)), held });
    if (!act) return;
    const [name, ...what] = act;
    state.touched = null;
    acts[name](...what);
    event.preventDefault();
    event.stopPropagation();
    cursorShown();
  }

  /** What keys do. */
  const acts = {
    write,
    colour,
    turn,
    putBack,
    letGo,
    tap: () => tap(state.cursor),
    cross: () => drawPlace(state.cursor, true),
    nextPen: () => pens.next(),
    pickUp: (piece) => left(piece) > 0 && hold(piece),
    goBack: () => (moveAlong(-1), putBack()),
    move(arrow, extending) {
      const { table, cursor, chosen } = state;
      state.along = arrow.map(Math.abs);
      const next = table.beside(cursor, arrow);
      choose(extending ? [...chosen.filter((name) => name !== next), next] : [next]);
      announce([words(JSON.parse(next)), on(next)?.piece].filter(Boolean).join(": "));
    },
  };

  /** The squares of the word in which one writes. */
  function word() {
    const { run, along } = wordAt(state.table, state.cursor, state.along);
    state.along = along;
    return run;
  }

  // -- the pointer

  function press(event) {
    const { table } = state;
    if (!table || event.button) return;
    const name = placeAt(board.element, event.clientX, event.clientY);
    if (!name) return;
    event.preventDefault();
    board.focus();
    if (table.noted) return select(event, name);
    if (table.draws) return drawAlong(event, name);
    const lying = on(name);
    follow(event, movable(lying) ? lying.piece : null, lying, () => tap(name));
  }

  const movable = (lying) => Boolean(lying) && !state.table.typed && !state.table.toggles;

  function follow(event, piece, from, tapped) {
    board.stroke = dragging.follow(event, state.table, piece, from, tapped);
  }

  /** A pointer has begun to drag a piece. */
  function taken(piece, from) {
    state.held = { piece, from };
    trayShown();
  }

  /** A piece was dropped: where it would lie, or outside of the board; null if the browser ended the stroke. */
  function dropped(what) {
    state.held = null;
    if (what) {
      const { piece, from, aim, outside } = what;
      board.focus(); // keys turn what was dropped
      if (aim && !put(aim, from)) fill(said, "This place is given.");
      else if (!aim && !outside) fill(said, "It does not fit there.");
      else if (!aim && from) moveTo(games.without(position(), [from]), `${piece} is back`);
    }
    trayShown();
  }

  /** Choose places; with Shift or Ctrl, besides those that were chosen. */
  function select(event, first) {
    const { table, chosen } = state;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!more && table.given.has(first)) fill(said, "This is given.");
    board.stroke = selecting(event, board.element, table, first, more ? chosen : [], (names) => (choose(names), cursorShown()));
  }

  /** Draw along edges or over cells. A stroke is one move. */
  function drawAlong(event, first) {
    const ended = (next, name) => {
      choose([name]);
      if (games.same(next, position())) sketchMove(); // nothing, or what the browser ended
      moveTo(next, "Drawn.");
      cursorShown();
    };
    board.stroke = drawing(event, board.element, state.table, first, { from: position(), crossing: pens.kind === "cross", tapped: () => tap(first), ended });
  }

  // -- the picture

  /** Ask for the picture of the position, and whether rules are broken if one checks or writes. The move is seen at once. */
  async function draw(checking = false) {
    const mine = ++asked;
    const wanted = checking && ++checks;
    trayShown();
    draggable();
    if (!checking) sketchMove();
    cursorShown();
    const { placed } = position();
    const placements = [...placed].sort((one, other) => one.number - other.number).map(({ placement }) => placement);
    try {
      const answer = await one(work.engine, { kind: "play", puzzle: work.source, placements, check: checking || state.table?.typed }, "position");
      await board.hang(answer.svg, `The board with ${plural(placed.length, "piece")} placed`, () => mine === asked);
      if (mine !== asked || !state.table) return;
      board.drawn = placed;
      draggable();
      cursorShown();
      advice.drawn();
      tell(answer, wanted === checks);
      solid?.show({ placements });
    } catch (error) {
      if (mine === asked) fill(said, error.message);
    }
  }

  /** Say that it is solved or which rules are broken; to one who checks, also whether it is right so far. */
  function tell({ solved, broken }, checked) {
    board.element.toggleAttribute("data-solved", solved);
    said.toggleAttribute("data-solved", solved);
    if (checked) advice.quiet();
    const full = tray.element.firstChild && !tray.element.querySelector("button:not([hidden])");
    const clash = checked || broken?.length; // of digits and letters, it is marked while one types
    fill(said, solved ? ending() : clash ? advice.faults(broken) : full ? "All pieces are placed, but not all fit. Check shows where." : "");
    if (solved || checked) announce(said.textContent);
    if (checked && !solved && !broken.length) advice.judge(said.textContent);
  }

  const sketchMove = () => board.sketch(state.table, position(), (piece) => tray.look(piece), (piece) => position().placed.includes(piece));

  function draggable() {
    const { table } = state;
    board.draggable((name) => table.noted || table.draws || movable(on(name)));
  }

  function ending() {
    const count = work.count ?? work.puzzle.known.solutions;
    if (count === undefined) return "Solved!";
    return String(count) === "1" ? "Solved! It is the only solution." : `Solved! This is one of ${number(count)} solutions.`;
  }

  function cursorShown() {
    const { table, cursor, chosen, list } = state;
    if (!table?.candidates.length || !board.svg) return;
    const run = table.lettered && cursor ? word() : [];
    board.show(table, position(), { run, chosen, cursor });
    if (list.length) fill(fits, fitting(list, run, [...position().placed, ...table.fixed]));
    controls();
  }

  function controls() {
    const { game, held, cursor } = state;
    undo.disabled = !games.canStep(game, -1);
    redo.disabled = !games.canStep(game, 1);
    again.disabled = games.same(position(), games.EMPTY);
    check.disabled = panel.hasAttribute("data-idle");
    const marked = state.chosen.some((name) => on(name) || position().marks[name]);
    remover.disabled = turner.disabled = flipper.disabled = !held && !on(cursor) && !marked;
    hand.hidden = remover.disabled;
  }

  // -- the tray

  const left = (piece) => (state.table.copies.get(piece) ?? Infinity) - [...position().placed, ...state.table.fixed].filter((each) => each.piece === piece).length;

  function trayShown() {
    controls();
    if (!state.table) return;
    tray.show(state.held?.piece, left);
    advice.held();
    if (document.activeElement?.closest("#tray [hidden]")) board.focus();
  }

  /** Pick up a piece of the tray, or write a symbol. The arrows then move over the board, unless one who writes by keys is in the tray. */
  function pick(piece, byKey = false) {
    if (state.table.typed) write(piece);
    else hold(piece);
    if (byKey ? state.held : state.table.typed) board.focus();
    cursorShown();
  }

  async function showSolid() {
    try {
      const { Solid } = await import("./solid.js");
      space.hidden = false;
      solid ??= new Solid(space, work);
      solid.show({ placements: position().placed.map(({ placement }) => placement) });
    } catch (error) {
      console.error(error);
      space.hidden = true;
    }
  }

  const resized = new ResizeObserver(() => state.table && shown && trayShown());
  resized.observe(panel.parentElement ?? panel);
  forget();
  fill(said, "Loading …");
  return {
    /** What the menu has for the board. */
    menu: [redo, ...advice.elements, again],
    /** Show a picture until the puzzle has been read. */
    preview: (svg) => board.preview(svg),
    shown() {
      shown = true;
      stage.edit(board.element);
      if (work.problem) refuse();
      else if (!fresh && work.puzzle) start();
    },
    left() {
      shown = false;
      stage.edit(null);
    },
    changed() {
      fresh = false;
      if (shown) start();
    },
    broken: refuse,
    step,
    close() {
      resized.disconnect();
      advice.close();
      solid?.close();
    },
  };
}
