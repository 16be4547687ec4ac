// Playing: pieces are dragged onto the board, turned and turned over, by mouse, finger or keys; digits and letters are typed.

import { announce, button, fill, h, picture } from "../dom.js";
import { one } from "../engines/engine.js";
import { carry, keptMoves, keptPlacements, played, remember } from "../played.js";
import { advicePanel } from "./advice.js";
import { blank, sketch } from "./marks.js";
import { Table, gridOf, inPicture, numbered, outline, outlines, placeAt, text, touchable, withoutNotes, words } from "./table.js";
import { Tray, sized } from "./tray.js";
import { number, plural } from "../words.js";

const MOST_WORDS = 30; // that are listed
const MOST_TOLD = 60; // words that are all listed, wherever one writes
const DRAG = 6; // pixels that a pointer moves before it drags
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The words of a crossword that may be used; those without a score have 50. */
function allowed({ words: all, banned, least_score: least = 0 }) {
  const listed = (entry = []) => [entry].flat().join("\n").toUpperCase().split(/\s+/).map((each) => each.split(";"));
  const refused = new Set(listed(banned).map(([word]) => word));
  return listed(all).filter(([word, score]) => (score || 50) >= least && !refused.has(word)).map(([word]) => word);
}

export function playPanel(panel, work, stage) {
  const board = h("div", { class: "paper large", id: "board", "data-drawn": true, tabindex: 0, role: "application", "aria-label": "The board", onkeydown: key, onpointerdown: press, onfocus: cursorShown });
  const tray = new Tray(work, { onkeydown: key }, { pick: (piece) => pick(piece, true), press: (event, piece) => follow(event, table.typed ? null : piece, null, () => pick(piece)) });
  const said = h("p", { class: "count", id: "said", role: "status" });
  const help = h("p", { class: "quiet", id: "help" });
  const notes = h("p", { class: "quiet" }); // what is written below the picture
  const clues = h("ul", { id: "clues", hidden: true });
  const space = h("div", { class: "space", id: "play-space", hidden: true });
  const undo = button("Undo", () => step(-1), { id: "play-undo", "data-icon": "↶" });
  const redo = button("Redo", () => step(1), { id: "play-redo" });
  const again = button("Start again", () => moveTo([], "Everything is back."), { id: "play-again" });
  const check = button("Check", () => draw(true), { id: "check", "data-icon": "✓" });
  const turner = button("Turn", () => turn("turned"), { id: "turn", title: "R", "data-icon": "⟳" });
  const flipper = button("Turn over", () => turn("flipped"), { id: "flip", title: "F", "data-icon": "⇆" });
  const remover = button("Put back", () => putBack(), { id: "put-back", title: "Delete", "data-icon": "✕" });
  const ghost = h("div", { class: "ghost", "aria-hidden": "true", hidden: true });
  const advice = advicePanel(work, board, tray, {
    placed: () => placed,
    held: () => held?.piece,
    lying: () => on(cursor),
    make: (candidates) => moveTo([...placed, ...candidates], candidates.map(({ piece, places: [place] }) => `${piece} on ${words(place)}`).join(", ")),
    hush: () => (fill(said), checks++),
    takeBack: (candidate) => moveTo(placed.filter((each) => each !== candidate), `${candidate.piece} is back`),
  });
  const hand = h("div", { class: "hand" }, turner, flipper, remover);
  const told = h("div", { class: "told" }, h("div", {}, help, said, advice.said), hand);
  const tools = h("div", { class: "pinned tools" }, h("div", { class: "row bar" }, undo, check, advice.next));
  fill(panel, told, tray.element, advice.legend, notes, clues, space, tools, ghost);

  const fitting = h("li", { id: "fitting" });
  let list = []; // the words of a crossword that has no questions, if they are not told as a rule
  let table = null;
  let placed = []; // candidates
  let history = [[]];
  let at = 0;
  let held = null; // a piece that was picked up, with the candidate from which it comes if it lay on the board
  let showGhost = () => {}; // draws what a pointer drags
  let stroke = Promise.resolve(); // ends with the stroke of the pointer
  let cursor = null;
  let solid = null;
  let shown = false;
  let fresh = false;
  let asked = 0;
  let checks = 0; // a question asked after a check is answered, not the check
  let drawn = []; // the candidates that are seen on the board
  let draft = null; // which is played
  let past = null; // what was played before an edit: of which draft, its pieces, how they lay, the moves and the last of them
  let along = ARROWS.ArrowRight; // where one writes
  let touched = null; // the square that was just tapped: once more turns the way to write

  // -- the puzzle

  /** Play nothing while the text of the puzzle is wrong. */
  function refuse() {
    fresh = false;
    asked++;
    forget();
    fill(board);
    fill(said, `Mend the puzzle first, under Edit: ${work.problem.message}`);
  }

  async function start() {
    fresh = true;
    const mine = ++asked;
    if (table) fill(board); // the puzzle before
    forget();
    draft = work.id;
    fill(said, "Loading …");
    try {
      const puzzle = work.source;
      const position = (placements) => one(work.engine, { kind: "play", puzzle, placements }, "position");
      const empty = await position([]);
      const lying = keptPlacements(work); // of another version, maybe
      const { svg } = lying.length ? await position(lying).catch(() => empty) : empty;
      await hang(svg, "The board", () => mine === asked);
      const started = await one(work.engine, { kind: "start", puzzle }, "started");
      if (mine !== asked) return;
      const drawing = picture(empty.svg, "");
      table = new Table(started, drawing, work.puzzle.solid);
      fill(notes, ...[...drawing.querySelectorAll(".note")].map((each) => `On the ${table.board}: ${each.textContent}.`));
      drawn = table.candidates.filter(({ placement }) => lying.some((each) => text(each) === text(placement)));
    } catch (error) {
      if (mine !== asked) return;
      fill(board, picture(work.puzzle.svg, "The puzzle"));
      return fill(said, error.message);
    }
    if (!table.candidates.length) return fill(said, "This puzzle cannot be played by hand.");
    const places = [...table.outlines.keys()].filter((name) => table.at.has(name));
    cursor = places.find((name) => !table.given.has(name)) ?? places[0];
    const before = work.played === undefined && continued() ? carry({ pieces: past.pieces, lying: past.moves[past.last] }, table) : played(work, table);
    placed = before.placed.filter(free);
    const lost = before.lost + before.placed.filter((each) => !placed.includes(each) && !table.fixed.includes(each)).length;
    tray.fill(table);
    recall();
    if (placed.length) remember(work, table, placed, history, at);
    board.toggleAttribute("data-typed", table.typed);
    turner.hidden = !table.turns;
    flipper.hidden = !table.flips;
    fill(help, table.help());
    clues.hidden = !table.lettered;
    list = Object.keys(work.puzzle.data.questions ?? {}).length ? [] : allowed(work.puzzle.data);
    const more = list.length > MOST_TOLD ? [] : work.puzzle.rules.slice(1); // the questions of a crossword, or its words
    fill(clues, ...more.map((rule) => h("li", {}, rule)), more.length ? null : fitting);
    if (more.length) list = [];
    fill(remover, table.typed || table.toggles ? "Clear" : "Put back");
    advice.start(table);
    await draw();
    panel.removeAttribute("data-idle");
    controls();
    if (lost) fill(said, `Taken back after the edit, which has no such place or piece: ${plural(lost, "placement")}.`);
    if (work.puzzle.solid) showSolid();
  }

  const continued = () => Boolean(past) && [draft, work.parted].includes(past.draft);

  /** Take up the moves from before an edit or a reload, and how the pieces lay that were not on the board. */
  function recall() {
    if (!continued()) return reload();
    const { pieces, ways, moves, last } = past;
    const old = moves.map((lying) => carry({ pieces, lying }, table).placed.filter(free));
    const distinct = (all) => all.filter((each, i) => !i || !same(each, all[i - 1]));
    history = distinct([...old.slice(0, last), placed]);
    at = history.length - 1;
    history.push(...distinct([placed, ...old.slice(last + 1)]).slice(1));
    for (const [piece, way] of ways) if (table.of.get(piece)?.has(way)) tray.ways.set(piece, way);
  }

  /** The moves as they are kept in this browser. */
  function reload() {
    const kept = keptMoves(work, table);
    const whole = kept && same(kept.moves[kept.last] ?? [], placed);
    [history, at] = whole ? [kept.moves, kept.last] : [[placed], 0];
  }

  function forget() {
    if (table) past = { draft, pieces: [...table.copies.keys()], ways: tray.ways, moves: history, last: at };
    panel.setAttribute("data-idle", "");
    table = null;
    placed = [];
    history = [[]];
    at = 0;
    held = cursor = null;
    drawn = [];
    clues.hidden = true;
    tray.fill(null);
    advice.start(null);
    for (const element of [help, said, notes]) fill(element);
    controls();
  }

  // -- moves

  const same = (one, other) => text(one.map(({ number: n }) => n)) === text(other.map(({ number: n }) => n));
  const free = ({ names }) => !names.some((name) => table.given.has(name));

  /** Make a move: what is on the board from now on. */
  function moveTo(next, spoken) {
    if (!table || same(next, placed)) return;
    history = [...history.slice(0, at + 1), next];
    at = history.length - 1;
    show(spoken);
  }

  function step(by) {
    if (!history[at + by]) return;
    at += by;
    show(by < 0 ? "Undone." : "Redone.");
  }

  function show(spoken) {
    placed = history[at];
    remember(work, table, placed, history, at);
    fill(said);
    board.removeAttribute("data-solved");
    advice.moved();
    announce(spoken);
    return draw();
  }

  /** Put a candidate on the board; whatever lies there goes back, and so does a copy too many. */
  function put(candidate, from = null) {
    if (!candidate || !free(candidate)) return false;
    let rest = placed.filter((each) => each !== from && !each.names.some((name) => candidate.names.includes(name)));
    const copies = table.copies.get(candidate.piece) ?? Infinity;
    const same = rest.filter((each) => each.piece === candidate.piece);
    if (same.length >= copies) rest = rest.filter((each) => each !== same[0]);
    held = null;
    cursor = candidate.names.includes(cursor) ? cursor : candidate.names[0];
    tray.ways.set(candidate.piece, candidate.way);
    moveTo([...rest, candidate], `${candidate.piece} on ${words(candidate.places[0])}`);
    return true;
  }

  const on = (name) => placed.find((each) => each.names.includes(name));

  function putBack() {
    const gone = held ? held.from : on(cursor);
    held = null;
    if (gone) moveTo(placed.filter((each) => each !== gone), `${gone.piece} is back`);
    else trayShown();
  }

  /** Turn the piece that is held, or the one under the cursor. */
  function turn(how) {
    if (held) {
      const first = table.of.get(held.piece).get(tray.ways.get(held.piece))[0];
      tray.ways.set(held.piece, table[how](first));
      showGhost();
      return trayShown();
    }
    const lying = on(cursor);
    if (!lying) return;
    const way = table[how](lying);
    const others = placed.filter((each) => each !== lying).flatMap(({ names }) => names);
    const fitting = table.at.get(cursor).filter((each) => each.piece === lying.piece && each.way === way && free(each) && !each.names.some((name) => others.includes(name)));
    const far = ({ middle }) => Math.hypot(middle[0] - lying.middle[0], middle[1] - lying.middle[1]);
    fitting.sort((one, other) => far(one) - far(other));
    if (fitting.length) put(fitting[0], lying);
    else if (way !== lying.way) {
      tray.ways.set(lying.piece, way);
      hold(lying.piece, lying);
      fill(said, "There is no room to turn it here; put it somewhere else.");
    }
  }

  function hold(piece, from = null) {
    if (table.typed) {
      put((table.at.get(cursor) ?? []).find((each) => each.piece === piece));
      return;
    }
    const again = held?.piece === piece && !from;
    if (again && table.turns) return turn("turned");
    held = again ? null : { piece, from };
    trayShown();
    if (held) announce(`${piece} is picked up`);
  }

  function letGo() {
    held = null;
    trayShown();
  }

  /** A tap on a place. */
  function tap(name) {
    if (!table?.at.has(name)) return;
    if (table.lettered && name === touched) along = [along[1], along[0]];
    cursor = touched = name;
    if (held) {
      const { piece, from } = held;
      if (!put(table.find(piece, tray.ways.get(piece), name, table.middles.get(name)), from)) fill(said, "It does not fit there.");
    } else if (table.given.has(name)) fill(said, "This is given.");
    else if (table.toggles) {
      const [only] = table.at.get(name);
      if (placed.includes(only)) moveTo(placed.filter((each) => each !== only), `${words(only.places[0])}: cleared`);
      else put(only);
    } else if (on(name) && !table.typed) turn("turned");
    cursorShown();
  }

  // -- keys

  function key(event) {
    if (!table || event.ctrlKey || event.metaKey || event.altKey) return;
    const onBoard = event.currentTarget === board;
    const typed = event.key.length === 1 && event.key.trim() ? event.key.toUpperCase() : null;
    const named = typed && table.copies.has(typed) ? typed : null;
    touched = null;
    if (ARROWS[event.key] && onBoard) {
      along = ARROWS[event.key].map(Math.abs);
      cursor = table.beside(cursor, ARROWS[event.key]);
    }
    else if ((event.key === "Enter" || event.key === " ") && onBoard) tap(cursor);
    else if (named && table.typed) write(named);
    else if (typed === "R" && table.turns) turn("turned");
    else if (typed === "F" && table.flips) turn("flipped");
    else if (event.key === "Backspace" && table.lettered && !on(cursor)) write(null, -1);
    else if (event.key === "Delete" || event.key === "Backspace") putBack();
    else if (event.key === "Escape" && held) letGo();
    else if (named && left(named) > 0) hold(named);
    else return;
    event.preventDefault();
    event.stopPropagation();
    cursorShown();
    if (ARROWS[event.key]) announce([words(JSON.parse(cursor)), on(cursor)?.piece].filter(Boolean).join(": "));
  }

  /** Write a symbol; a letter, in the next squares of its word too. */
  function write(symbol, by = 1) {
    if (symbol) hold(symbol);
    if (!table.lettered) return;
    const run = word();
    cursor = run[run.indexOf(cursor) + by] ?? cursor;
    if (!symbol) putBack();
    cursorShown();
  }

  /** The words of the list that fit where one writes, in a sentence. */
  function fit() {
    const all = [...placed, ...table.fixed];
    const run = word();
    const pattern = new RegExp(`^${run.map((name) => all.find(({ names }) => names[0] === name)?.piece ?? ".").join("")}$`);
    const found = list.filter((each) => pattern.test(each)).sort();
    const more = found.length - MOST_WORDS;
    return `${plural(found.length, "word")} of the list fit${found.length === 1 ? "s" : ""} here${found.length ? ": " : ""}${found.slice(0, MOST_WORDS).join(", ")}${more > 0 ? `, and ${number(more)} more` : ""}.`;
  }

  /** The squares of the word in which one writes. */
  function word() {
    const run = table.line(cursor, along);
    if (run.length > 1) return run;
    along = [along[1], along[0]];
    return table.line(cursor, along);
  }

  // -- the pointer

  function press(event) {
    if (!table || event.button) return;
    const name = placeAt(board, event.clientX, event.clientY);
    if (!name) return;
    event.preventDefault();
    board.focus({ preventScroll: true });
    const lying = on(name);
    follow(event, movable(lying) ? lying.piece : null, lying, () => tap(name));
  }

  const movable = (lying) => Boolean(lying) && !table.typed && !table.toggles;

  /** Follow a pointer from the tray or the board: it drags a piece, or is a tap. */
  function follow(event, piece, from, tapped) {
    const { currentTarget: target, pointerId, clientX, clientY } = event;
    const scale = board.querySelector("svg").getScreenCTM()?.a ?? 1;
    const lies = from?.way;
    const [x, y] = inPicture(board, clientX, clientY);
    const off = from && from.names.length > 1 ? [(x - from.middle[0]) * scale, (y - from.middle[1]) * scale] : [0, 0];
    let dragging = false;
    let aim = null;
    let last = [clientX, clientY];
    target.setPointerCapture(pointerId);
    const ended = Promise.withResolvers();
    stroke = ended.promise;

    showGhost = () => {
      const way = tray.ways.get(piece);
      tray.look(from?.way === way ? from : table.of.get(piece).get(way)[0]).then(([found]) => {
        if (found && dragging) fill(ghost, sized(found.cloneNode(true), scale));
        ghost.hidden = !dragging;
      });
    };
    const move = ({ clientX: px, clientY: py }) => {
      if (!piece || (!dragging && Math.hypot(px - clientX, py - clientY) < DRAG)) return;
      last = [px, py];
      if (!dragging) {
        dragging = true;
        held = { piece, from };
        if (lies !== undefined) tray.ways.set(piece, lies);
        showGhost();
        trayShown();
      }
      take();
    };
    /** Show where the piece would lie. */
    const take = () => {
      const [px, py] = last;
      ghost.style.translate = `${px - off[0]}px ${py - off[1]}px`;
      const point = inPicture(board, px - off[0], py - off[1]);
      aim = table.find(piece, tray.ways.get(piece), placeAt(board, px, py), point, table.size * 0.9);
      overlay("aim", aim?.names ?? []);
    };
    const end = ({ type, clientX: px, clientY: py }) => {
      ended.resolve();
      for (const [kind, listener] of Object.entries(listeners)) target.removeEventListener(kind, listener);
      ghost.hidden = true;
      fill(ghost);
      overlay("aim", []);
      const dropped = dragging && type === "pointerup";
      if (!dragging && type === "pointerup") tapped();
      if (dragging) held = null;
      dragging = false;
      showGhost = () => {};
      if (!dropped) return trayShown();
      board.focus({ preventScroll: true }); // keys turn what was dropped
      if (aim && !put(aim, from)) fill(said, "This place is given.");
      else if (!aim && placeAt(board, px, py)) fill(said, "It does not fit there.");
      else if (!aim && from) moveTo(placed.filter((each) => each !== from), `${piece} is back`);
      trayShown();
    };
    const hold = (event) => dragging && event.preventDefault(); // the page stays in place
    const listeners = { pointermove: move, touchmove: hold, pointerup: end, pointercancel: end };
    for (const [kind, listener] of Object.entries(listeners)) target.addEventListener(kind, listener, { passive: false });
  }

  // -- the picture

  /** Show a move at once, until the picture of the board comes. A piece that cannot be drawn yet stays where it lay. */
  function sketchMove() {
    const svg = board.querySelector("svg");
    const coming = placed.filter((each) => !drawn.includes(each));
    const lift = (wanted) => {
      const gone = drawn.filter((each) => !placed.includes(each) && wanted(each));
      drawn = drawn.filter((each) => !gone.includes(each));
      blank(board, table, gone.flatMap(({ names }) => names).filter((name) => !drawn.some(({ names }) => names.includes(name))));
    };
    lift(({ piece }) => coming.every((each) => each.piece !== piece));
    for (const each of coming) {
      (table.typed || table.toggles ? Promise.resolve([]) : tray.look(each)).then(([look]) => {
        if (!placed.includes(each) || drawn.includes(each) || board.querySelector("svg") !== svg) return;
        lift(({ piece }) => piece === each.piece);
        drawn = [...drawn, each];
        sketch(board, table, each, look);
      });
    }
  }

  async function draw(checking = false) {
    const mine = ++asked;
    const wanted = checking && ++checks;
    trayShown();
    draggable();
    if (!checking) sketchMove();
    const lying = placed;
    const placements = [...placed].sort((one, other) => one.number - other.number).map(({ placement }) => placement);
    try {
      const { svg, solved, broken } = await one(work.engine, { kind: "play", puzzle: work.source, placements, check: checking || table?.typed }, "position");
      await hang(svg, `The board with ${plural(placed.length, "piece")} placed`, () => mine === asked);
      if (mine !== asked || !table) return;
      draggable();
      drawn = lying;
      cursorShown();
      advice.drawn();
      board.toggleAttribute("data-solved", solved);
      const told = wanted === checks;
      if (told) advice.quiet();
      said.toggleAttribute("data-solved", solved);
      const full = tray.element.firstChild && !tray.element.querySelector("button:not([hidden])");
      const clash = told || broken?.length; // of digits and letters, it is marked while one types
      fill(said, solved ? ending() : clash ? advice.faults(broken) : full ? "All pieces are placed, but not all fit. Check shows where." : "");
      if (solved || told) announce(said.textContent);
      if (told && !solved && !broken.length) advice.judge(said.textContent);
      solid?.show({ placements });
    } catch (error) {
      if (mine === asked) fill(said, error.message);
    }
  }

  /** Put a picture on the board in the place of the one before, once all in it can be seen, if it is still `wanted` then. */
  async function hang(svg, words, wanted) {
    const next = withoutNotes(touchable(picture(svg, words)));
    await Promise.allSettled([...next.querySelectorAll("image")].map((image) => image.decode?.()));
    await stroke; // a browser cancels the stroke of a finger whose first element is gone
    if (!wanted()) return;
    board.toggleAttribute("data-numbered", numbered(gridOf(outlines(next))));
    fill(board, next);
  }

  /** A finger drags the pieces that lie on the board; anywhere else it scrolls. */
  function draggable() {
    for (const place of board.querySelectorAll(".place")) place.toggleAttribute("data-draggable", movable(on(place.dataset.place)));
  }

  function ending() {
    const count = work.count ?? work.puzzle.known.solutions;
    if (count === undefined) return "Solved!";
    return String(count) === "1" ? "Solved! It is the only solution." : `Solved! This is one of ${number(count)} solutions.`;
  }

  const overlay = (kind, names) => outline(board, table, kind, names);

  function cursorShown() {
    if (!table?.candidates.length || !board.querySelector("svg")) return;
    overlay("run", table.lettered && cursor ? word() : []);
    if (list.length) fill(fitting, fit());
    overlay("cursor", cursor ? [cursor] : []);
    controls();
  }

  function controls() {
    undo.disabled = at === 0;
    redo.disabled = at === history.length - 1;
    again.disabled = !placed.length;
    check.disabled = panel.hasAttribute("data-idle");
    remover.disabled = turner.disabled = flipper.disabled = !held && !on(cursor);
    hand.hidden = remover.disabled;
  }

  // -- the tray

  const left = (piece) => (table.copies.get(piece) ?? Infinity) - [...placed, ...table.fixed].filter((each) => each.piece === piece).length;

  function trayShown() {
    controls();
    if (!table) return;
    tray.show(held?.piece, left);
    advice.held();
    if (document.activeElement?.closest("#tray [hidden]")) board.focus({ preventScroll: true });
  }

  /** Pick up a piece of the tray; by keys, the arrows then move over the board. */
  function pick(piece, byKey = false) {
    if (table.typed) write(piece);
    else hold(piece);
    if (byKey && held) board.focus({ preventScroll: true });
    cursorShown();
  }

  async function showSolid() {
    try {
      const { Solid } = await import("./solid.js");
      space.hidden = false;
      solid ??= new Solid(space, work);
      solid.show({ placements: placed.map(({ placement }) => placement) });
    } catch (error) {
      console.error(error);
      space.hidden = true;
    }
  }

  const resized = new ResizeObserver(() => table && shown && trayShown());
  resized.observe(panel.parentElement ?? panel);
  forget();
  fill(said, "Loading …");
  return {
    /** What the menu has for the board. */
    menu: [redo, ...advice.elements, again],
    /** Show a picture until the puzzle has been read. */
    preview: (svg) => fill(board, picture(svg, "The puzzle")),
    shown() {
      shown = true;
      stage.edit(board);
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
