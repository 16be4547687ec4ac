// Editing cages and rooms: a drag over cells encloses them, and a number is typed afterwards.

import { button, fill, h, svgElement } from "../dom.js";
import { brushes } from "./brushes.js";
import { showsEntry } from "./faults.js";
import { addRim } from "./rim.js";
import * as areas from "./areas.js";
import { capitalized, plural } from "../words.js";
import { sweep } from "../views/pointer.js";

const [ENCLOSE, CLEAR] = ["enclose", "clear"];
const DISTANCE = 0.08; // of the line around a cage from the sides of its cells, in cells
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** An editor for a kind of puzzle with areas: {entry, noun, number, partial}; `rim` are numbers
 * beside the board, if the kind has some. */
export const enclosing =
  (kind, rim) =>
  (data, change, { hand }) => {
    const { entry } = kind;
    const editor = new Enclosing(data, change, hand, kind);
    const board = showsEntry(editor.element, entry);
    const stage = rim ? addRim(board, data, rim, editor.size, change) : board;
    return { stage, tray: editor.tray, shows: [entry, "given", rim?.entry] };
  };

class Enclosing {
  #cells = []; // that are chosen: the pointer passes them, or arrows with Shift

  constructor(data, change, hand, { entry, noun, number, partial }) {
    this.change = change;
    this.hand = hand; // remembers the area that is chosen
    this.entry = entry;
    this.noun = noun;
    this.number = number;
    this.partial = partial;
    this.before = data[entry];
    this.areas = areas.read(data[entry]);
    this.given = areas.rowsOf(data.given);
    this.boxes = data.boxes ? areas.rowsOf(data.boxes) : null;
    this.buttons = this.areas.rows.map((row, r) => row.map((_, c) => this.#button(r, c)));
    this.lines = svgElement("svg", { "aria-hidden": "true" });
    this.element = h(
      "div",
      {
        class: "areas",
        role: "group",
        "aria-label": `The ${noun}s`,
        style: `--size: ${this.areas.rows[0].length}`,
        onpointerdown: (event) => this.#press(event),
        onkeydown: (event) => this.#type(event),
      },
      ...this.buttons.flat(),
      this.lines,
    );
    this.about = h("div", { class: "finding" });
    this.tray = h("div", {}, partial && this.#brushes(), this.about);
    this.#show();
    this.#tell();
  }

  #button(r, c) {
    return h("button", {
      type: "button",
      "data-at": `${r},${c}`,
      tabindex: r || c ? -1 : 0,
      onclick: ({ detail }) => detail === 0 && this.#take([[r, c]]),
    });
  }

  #brushes() {
    const options = [
      [ENCLOSE, `Draw ${this.noun}s`],
      [CLEAR, "Rub out"],
    ];
    return brushes("What a drag does", options, this.hand);
  }

  /** How many rows and columns there are. */
  get size() {
    return [this.areas.rows.length, this.areas.rows[0].length];
  }

  // -- pointers and keys

  #cellAt(x, y) {
    const found = document.elementFromPoint(x, y);
    return this.element.contains(found) ? cellOf(found) : null;
  }

  /** A press on the board: a drag encloses the cells that it passes. */
  #press(event) {
    const first = cellOf(event.target);
    if (!first || event.button) return;
    event.preventDefault(); // no text is selected
    this.#focus(first);
    this.#choose([first]);
    const pass = (x, y) => {
      const cell = this.#cellAt(x, y);
      if (cell && areas.touches(this.#cells, cell)) this.#choose([...this.#cells, cell]);
    };
    const end = (dropped, moved) => {
      const cells = this.#cells;
      this.#choose([]);
      if (!dropped) return;
      if (moved) this.#take(cells);
      else this.#tap(first);
    };
    sweep(event, this.buttons[0][0].offsetWidth / 4, { pass, end });
  }

  #type(event) {
    const cell = cellOf(event.target);
    const arrow = ARROWS[event.key];
    if (!cell || (!arrow && event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!arrow) return this.#clear([...this.#cells, cell]);
    const next = cell.map((place, axis) => place + arrow[axis]);
    if (!this.#focus(next)) return;
    this.#choose(event.shiftKey ? [...this.#cells, cell, next] : []);
  }

  #focus([r, c]) {
    const cell = this.buttons[r]?.[c];
    cell?.focus({ preventScroll: true });
    return Boolean(cell);
  }

  /** Show which cells are chosen. */
  #choose(cells) {
    this.#cells = cells;
    for (const each of this.buttons.flat())
      each.toggleAttribute(
        "data-passed",
        cells.some((cell) => `${cell}` === each.dataset.at),
      );
  }

  // -- changes

  #put(next) {
    this.areas = next;
    this.change((now) => ({ ...now, [this.entry]: areas.written(next, this.before) }));
    this.#show();
  }

  /** A tap chooses the area of a cell; an empty cell becomes one. */
  #tap([r, c]) {
    const name = this.areas.rows[r][c];
    if (name === areas.NONE || this.hand.brush === CLEAR) return this.#take([[r, c]]);
    this.hand.area = name;
    this.#show();
    this.#tell(true);
  }

  /** Enclose cells, or rub them out. */
  #take(chosen) {
    const cells = this.#cells.length ? this.#cells : chosen;
    this.#choose([]);
    if (this.partial && this.hand.brush === CLEAR) return this.#clear(cells);
    const next = areas.enclose(this.areas, cells);
    const [[r, c]] = cells;
    this.hand.area = next.rows[r][c];
    this.#put(next);
    this.#tell(matchMedia("(pointer: fine)").matches); // else a keyboard would cover the board
  }

  #clear(cells) {
    if (!this.partial) return;
    this.#choose([]);
    this.#put(areas.clear(this.areas, cells));
    this.#tell();
  }

  // -- what is seen

  #show() {
    const { rows, numbers } = this.areas;
    const firsts = new Map(
      areas.namesOf(this.areas).map((name) => [`${areas.cellsOf(this.areas, name)[0]}`, name]),
    );
    rows.forEach((row, r) =>
      row.forEach((name, c) => {
        const cell = this.buttons[r][c];
        const number = numbers.get(name) ?? "";
        const given = this.given[r]?.[c] ?? areas.NONE;
        fill(
          cell,
          firsts.has(`${r},${c}`) && number !== "" && h("small", {}, String(number)),
          given !== areas.NONE && h("span", {}, given),
        );
        cell.toggleAttribute("data-chosen", name === this.hand.area);
        cell.setAttribute("aria-label", this.#describe(r, c));
      }),
    );
    this.#draw();
  }

  #describe(r, c) {
    const name = this.areas.rows[r][c];
    const place = `row ${r + 1}, column ${c + 1}`;
    if (name === areas.NONE) return `${place}: in no ${this.noun}`;
    return `${place}: ${this.noun} ${[name, this.areas.numbers.get(name)].filter(Boolean).join(", ")}`;
  }

  /** The lines around the areas, and those between boxes. */
  #draw() {
    const { rows } = this.areas;
    this.lines.setAttribute("viewBox", `0 0 ${rows[0].length} ${rows.length}`);
    const line = (kind) => (ends) => {
      const [x1, y1, x2, y2] = ends;
      return svgElement("line", { x1, y1, x2, y2, class: kind });
    };
    const boxes = this.boxes ? areas.outlines({ rows: this.boxes }, 0) : [];
    const around = areas.outlines(this.areas, this.partial ? DISTANCE : 0);
    fill(
      this.lines,
      ...boxes.map(line("wall")),
      ...around.map(line(this.partial ? "cage" : "wall")),
    );
  }

  /** What is chosen, with a field for its number; `typing` goes there. */
  #tell(typing = false) {
    const name = this.hand.area;
    const { length } = name === undefined ? [] : areas.cellsOf(this.areas, name);
    if (!length)
      return fill(
        this.about,
        h("p", { class: "quiet" }, `Drag over cells to make a ${this.noun}.`),
      );
    const words = h("span", {}, `This ${this.noun}: ${plural(length, "cell")}`);
    const number = areas.hasNumbers(this.before) && this.#numberField(name);
    const remove = () => this.#clear(areas.cellsOf(this.areas, name));
    const remover = button("✕", remove, {
      class: "link",
      "aria-label": `Remove this ${this.noun}`,
    });
    fill(this.about, words, number, this.partial && remover);
    if (typing && number) number.focus({ preventScroll: true });
  }

  #numberField(name) {
    const field = h("input", {
      value: String(this.areas.numbers.get(name) ?? ""),
      placeholder: capitalized(this.number),
      "aria-label": `${capitalized(this.number)} of this ${this.noun}`,
      inputmode: "numeric",
      autocomplete: "off",
      onchange: () => this.#put(areas.withNumber(this.areas, name, field.value.trim())),
      onkeydown: ({ key }) => key === "Enter" && this.#next(name),
    });
    return field;
  }

  /** Go on to the next area without a number. */
  #next(name) {
    const names = areas.namesOf(this.areas);
    const after = [...names.slice(names.indexOf(name) + 1), ...names];
    this.hand.area = after.find((each) => !this.areas.numbers.has(each)) ?? name;
    this.#show();
    this.#tell(true);
  }
}

/** The cell of a button, or of what is in it. */
function cellOf(target) {
  const at = target?.closest("[data-at]")?.dataset.at;
  return at ? at.split(",").map(Number) : null;
}
