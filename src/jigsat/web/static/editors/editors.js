// The direct editors, by family. A family without one is edited by menus, numbers and lists of
// things.
//
// An editor is a function of the entries of a puzzle, of `change`, and of {painted, hand}: the
// colours of labels, and an object that keeps the brush while the editor is drawn again. It returns
// {stage, tray, settings}: what is touched, which takes the place of the picture; what to choose
// from beside it, and fields; any of them may be missing. With `shows`, the names of entries, all
// others have fields. It returns null if it cannot show these entries. `change(function, {redraw})` replaces the entries by the function's result. The editor
// shows the change itself, unless `redraw`.

import { entryFields } from "./schema.js";
import { boardPicker } from "./boards.js";
import { brushes } from "./brushes.js";
import { button, fill, h } from "../dom.js";
import { FAMILIES } from "./begin.js";
import { drawing } from "./drawing.js";
import { enclosing } from "./enclosing.js";
import { showsEntry } from "./faults.js";
import { grid } from "./grid.js";
import { pictures } from "./pictures.js";
import { named, resized, sizeFields } from "./named.js";
import { seating } from "./seating.js";
import { marking } from "./marking.js";
import { sudoku } from "./sudoku.js";
import { tiles } from "./tiles.js";
import { valuesOf, withThing } from "../things.js";

const EDITORS = {
  "lights-out": lights,
  sudoku,
  "edge-matching": tiles,
  interlocking: teeth,
  tiling,
  seating,
  crossword,
  latin: (...given) => sudoku(...given, false),
};

/** Show the editor of a family in three containers {stage, tray, settings}. `given.known` is what is
 * known about the family, or undefined if `given.about()` has to fetch it; `given.drawn()` hears that
 * fields were drawn. All is exchanged at once, so that nothing scrolls. */
export function edit(places, data, family, change, engine, given) {
  const all = Object.values(places);
  const { activeElement } = document;
  const focused = all.some((place) => place.contains(activeElement)) && activeElement;
  const open = all.flatMap((each) =>
    [...each.querySelectorAll("details[open]")].map(({ id }) => id),
  );
  const editor = editorOf(family)?.(data, change, given);
  fill(places.stage, editor?.stage);
  fill(places.tray, editor?.tray);
  fill(
    places.settings,
    titleField(data, change),
    boardField(data, change, engine),
    editor?.settings,
    otherEntries(data, change, given, editor),
  );
  places.stage.toggleAttribute(
    "data-drawn",
    Boolean(places.stage.querySelector(".board, .sudoku, .areas, .tile")),
  );
  for (const each of all.flatMap((place) => [...place.querySelectorAll("details")]))
    each.open = open.includes(each.id);
  if (focused) focusSame(focused, all);
  given.drawn();
}

/** Focus what was drawn in the place of an element, with the same text selected. */
function focusSame(old, places) {
  const label = `[aria-label="${CSS.escape(old.getAttribute("aria-label") ?? "")}"]`;
  const same = old.id ? `#${CSS.escape(old.id)}` : label;
  const fresh = places.map((place) => place.querySelector(same)).find(Boolean);
  fresh?.focus({ preventScroll: true });
  if (typeof old.selectionStart === "number")
    fresh?.setSelectionRange(old.selectionStart, old.selectionEnd);
}

/** The editor of a family: its own, or that of cages and rooms, or of signs in cells. */
function editorOf(family) {
  const { areas, signs, rim } = FAMILIES[family] ?? {};
  return EDITORS[family] ?? (areas && enclosing(areas, rim)) ?? (signs && marking(signs, rim));
}

/** The entries by their schema: those that an editor does not show, or else all of them. Besides an
 * editor that does not tell what it shows, they are menus and numbers. */
function otherEntries(data, change, { known, about, drawn }, editor) {
  const simple = Boolean(editor && !editor.shows);
  const fields = h("div", { class: "entries" });
  const heading = h("summary", {}, "Other settings");
  const folded = h("details", { id: "settings", hidden: true }, heading, fields);
  const show = ({ entries }) => {
    const options = { simple, without: editor?.shows };
    fill(fields, ...entryFields(entries, data, change, options).filter(Boolean));
    folded.hidden = !fields.firstChild;
  };
  if (known) show(known);
  else about().then(show).then(drawn);
  return simple ? folded : fields;
}

function titleField({ title }, change) {
  return h("input", {
    value: title ?? "",
    id: "title",
    class: "title",
    "aria-label": "Title",
    placeholder: "Title",
    onchange: ({ target }) => change((now) => ({ ...now, title: target.value.trim() })),
  });
}

/** The picker for a board that has a name. */
function boardField({ board }, change, engine) {
  if (typeof board !== "string" || board.includes("\n")) return null;
  const choose = (name) => change((now) => onBoard(now, name), { redraw: true });
  const [, kind, rows, columns] = /^(square|torus|cylinder) (\d+)x(\d+)$/.exec(board) ?? [];
  return h(
    "div",
    {},
    kind && sizeFields(rows, columns, (down, across) => choose(`${kind} ${down}x${across}`)),
    boardPicker(board, engine, choose),
  );
}

/** The entries with another board. Drawn lights do not fit it, so all are lit. */
const onBoard = (entries, board) => ({
  ...entries,
  board,
  ...("lit" in entries && { lit: "all" }),
});

function lights(data, change) {
  const lines = litLines(data);
  if (!lines) return null;
  const toggled = (old) => (old === "#" ? "." : "#");
  const draw = (rows, redraw = false) =>
    change((now) => ({ ...now, lit: rows.join("\n") }), { redraw });
  const all = (words, character) =>
    button(words, () =>
      draw(
        lines.map((line) => character.repeat(line.length)),
        true,
      ),
    );
  return {
    stage: showsEntry(
      h(
        "div",
        { class: "lights" },
        drawing(lines, {
          label: "The lights",
          paint: toggled,
          onchange: (rows) => draw(rows),
          look: () => "",
        }),
      ),
      "lit",
    ),
    tray: h(
      "div",
      {},
      h("p", { class: "quiet" }, "Tap a light to switch it on or off."),
      h("div", { class: "row" }, all("All on", "#"), all("All off", ".")),
    ),
  };
}

/** The lights row by row, # for a lit one; null if the rows of the board are not known. */
function litLines({ board, lit }) {
  if (lit !== "all")
    return [lit]
      .flat()
      .join("\n")
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => line.replaceAll(" ", "").replaceAll("1", "#").replaceAll("0", "."));
  const grid = /^(?:square|torus) (\d+)x(\d+)$/.exec(board);
  if (grid) return Array.from({ length: Number(grid[1]) }, () => "#".repeat(Number(grid[2])));
  const side = Number(/^hexagon (\d+)$/.exec(board)?.[1] ?? 0);
  return side
    ? Array.from({ length: 2 * side - 1 }, (_, i) =>
        "#".repeat(2 * side - 1 - Math.abs(side - 1 - i)),
      )
    : null;
}

/** Pieces drawn as squares, or side after side: click the teeth. */
function teeth(data, change, { painted, hand }) {
  const shape = (given) => (typeof given === "string" ? given : given.shape);
  const draw = (name, given) => {
    const lines = shape(given).trim().split("\n");
    const last = lines.length - 1;
    const fixed = (old, r, c) => (last ? r % last && c % last : old === " ");
    const paint = (old, r, c) => (fixed(old, r, c) ? null : old === "#" ? "." : "#");
    const written = (rows) =>
      typeof given === "string" ? rows.join("\n") : { ...given, shape: rows.join("\n") };
    const onchange = (rows) =>
      change((now) => ({ ...now, pieces: withThing(now.pieces, name, written(rows)) }));
    return h(
      "div",
      { class: "foam", style: painted[name] && `--foam: ${painted[name][0]}` },
      drawing(lines, { label: `Piece ${name}`, paint, onchange, look: () => "" }),
    );
  };
  const own = pictures(data, "pieces", "piece", change, hand);
  return {
    stage: h("div", own.drop, named(data, "pieces", "piece", change, { draw })),
    tray: h(
      "p",
      { class: "quiet hint" },
      "Tap the rim of a piece to cut a tooth or to add one, or draw along it.",
    ),
    settings: own.fields,
  };
}

/** The board and the pieces as drawings of cells, layer below layer. */
function tiling(data, change, { hand }) {
  if (
    typeof data.board !== "string" ||
    valuesOf(data.pieces).some((given) => typeof given !== "string")
  )
    return null;
  if (!data.board.includes("\n") || /^\s*(squares|hexagons|triangles)\s*\n/.test(data.board))
    return null;
  const used = new Set([data.board, ...valuesOf(data.pieces)].join("").replaceAll("\n", ""));
  const characters = [...new Set([...used, "."])].sort();
  const options = characters.map((character) => [
    character,
    { ".": "no cell", "#": "cell" }[character] ?? character,
  ]);
  hand.brush ??= characters.find((character) => character !== ".");
  const tray = brushes("Paint", options, hand);
  const paint = (old) => (old === hand.brush ? "." : hand.brush);
  const board = padded(data.board, 0);
  const draws = (rows, redraw = false) =>
    change((now) => ({ ...now, board: rows.join("\n") }), { redraw });
  const draw = (name, text) => {
    const lines = padded(text, 1, 4);
    const onchange = (rows) =>
      change((now) => ({ ...now, pieces: withThing(now.pieces, name, trimmed(rows)) }));
    return h(
      "div",
      { class: "cells" },
      drawing(lines, { label: `Piece ${name}`, paint, onchange, look: letter }),
    );
  };
  const own = pictures(data, "pieces", "piece", change, hand);
  return {
    stage: h(
      "div",
      own.drop,
      showsEntry(
        h(
          "div",
          { class: "cells" },
          drawing(board, {
            label: "The board",
            paint,
            onchange: (rows) => draws(rows),
            look: letter,
          }),
        ),
        "board",
      ),
      named(data, "pieces", "piece", change, {
        draw,
        fresh: () => characters.find((character) => character !== "."),
      }),
    ),
    tray: h(
      "div",
      {},
      h(
        "p",
        { class: "quiet" },
        "Tap a cell of the board or of a piece to draw it, and again to rub it out.",
      ),
      tray,
    ),
    settings: h(
      "div",
      {},
      !data.board.trim().split("\n").includes("") &&
        sizeFields(board.length, board[0].length, (rows, columns) =>
          draws(resized(board, rows, columns, "#"), true),
        ),
      own.fields,
    ),
  };
}

const MOST_WORDS = 60; // longer lists are edited in the text

/** The grid, in which letters are typed and # is a block, and the words. */
function crossword(data, change, { hand }) {
  const lines = [data.grid].flat().join("\n").trim().split("\n");
  const rows = lines.map((line) => [...line.toUpperCase()]);
  const write = (now, redraw = false) =>
    change((old) => ({ ...old, grid: now.join("\n") }), { redraw });
  const { element, tray } = grid(rows, {
    symbols: "ABCDEFGHIJKLMNOPQRSTUVWXYZ#",
    painted: "#",
    label: "The grid",
    onchange: () => write(rows.map((row) => row.join(""))),
    hand,
  });
  const size = sizeFields(rows.length, rows[0].length, (down, across) =>
    write(
      resized(
        rows.map((row) => row.join("")),
        down,
        across,
        ".",
      ),
      true,
    ),
  );
  const few = [data.words ?? []].flat().join("\n").split("\n").length <= MOST_WORDS;
  return {
    stage: showsEntry(element, "grid"),
    tray: h(
      "div",
      {},
      h("p", { class: "quiet" }, "Type given letters, or choose the block and tap squares."),
      tray,
    ),
    settings: h(
      "div",
      {},
      size,
      few &&
        h(
          "div",
          {},
          h("p", { class: "quiet" }, "The words, each perhaps with a score, such as oar;30."),
          named(data, "words", "word", change, { separator: /[,\s]+/ }),
        ),
    ),
  };
}

const letter = (character) => (character === "." || character === "#" ? "" : character);

/** The rows of a drawing, equally long, with a margin of empty cells on the right and below, and at
 * least `least` rows and columns; layers are kept as they are. */
function padded(text, margin, least = 0) {
  const lines = text.trim().split("\n");
  if (lines.includes("")) return lines;
  const wide = Math.max(least, Math.max(...lines.map((line) => line.length)) + margin);
  return [...lines, ...Array(Math.max(margin, least - lines.length)).fill("")].map((line) =>
    line.padEnd(wide, "."),
  );
}

/** The drawing without empty rows and columns around it; layers are kept as they are. */
function trimmed(rows) {
  if (rows.includes("")) return rows.join("\n");
  const full = rows.map((row) => /[^.]/.test(row));
  const kept = rows.slice(full.indexOf(true), full.lastIndexOf(true) + 1);
  const left = Math.min(...kept.map((row) => row.search(/[^.]|$/)));
  const right = Math.max(...kept.map((row) => row.replace(/\.+$/, "").length));
  return kept.map((row) => row.slice(left, right)).join("\n");
}
