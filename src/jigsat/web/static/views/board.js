// The board: the picture of a position, what a move looks like until the next picture comes, and
// the cursor.

import { fill, h, picture } from "../dom.js";
import { cursorOf, movable, positionOf, wordAt } from "../acts.js";
import { EMPTY, same } from "../game.js";
import { blank, sketch, sketchDrawn } from "./marks.js";
import { showOwn } from "./own.js";
import { gridOf, numbered, outline, outlines, touchable } from "./table.js";

export class Board {
  /** The candidates that are seen in the picture. */
  drawn = [];
  /** Ends with the stroke of the pointer. */
  stroke = Promise.resolve();

  constructor(listeners) {
    this.element = h("div", {
      class: "paper large",
      id: "board",
      "data-drawn": true,
      tabindex: 0,
      role: "application",
      "aria-label": "The board",
      ...listeners,
    });
  }

  get svg() {
    return this.element.querySelector("svg");
  }

  clear() {
    fill(this.element);
  }

  /** Show a picture that cannot be played on. */
  preview(svg) {
    fill(this.element, picture(svg, "The puzzle"));
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  /** Put a picture in the place of the one before, once all in it can be seen, if it is still
   * `wanted` then. */
  async hang(svg, words, wanted) {
    const next = touchable(picture(svg, words));
    await Promise.allSettled([...next.querySelectorAll("image")].map((image) => image.decode?.()));
    await this.stroke; // a browser cancels the stroke of a finger whose first element is gone
    if (!wanted()) return;
    this.element.toggleAttribute("data-numbered", numbered(gridOf(outlines(next))));
    fill(this.element, next);
  }

  /** Show a move at once, until its picture comes. A piece that cannot be drawn yet stays where it
   * lay; the tray draws one, and `lies` tells whether it still lies there then. */
  sketch(table, position, tray, lies) {
    const { svg, element } = this;
    const { placed } = position;
    if (table.draws) return sketchDrawn(element, table, { placed: this.drawn }, position);
    const coming = placed.filter((each) => !this.drawn.includes(each));
    const lift = (wanted) => {
      const gone = this.drawn.filter((each) => !placed.includes(each) && wanted(each));
      this.drawn = this.drawn.filter((each) => !gone.includes(each));
      blank(
        element,
        table,
        gone
          .flatMap(({ names }) => names)
          .filter((name) => !this.drawn.some(({ names }) => names.includes(name))),
      );
    };
    lift(({ piece }) => coming.every((each) => each.piece !== piece));
    const draw = (each, look) => {
      lift(({ piece }) => piece === each.piece);
      this.drawn = [...this.drawn, each];
      sketch(element, table, each, look);
    };
    for (const each of coming) {
      const plain = table.typed || table.toggles;
      const seen = plain ? null : tray.glimpse(each);
      if (plain || seen) draw(each, seen);
      else
        tray.look(each).then(([found]) => {
          if (lies(each) && !this.drawn.includes(each) && this.svg === svg) draw(each, found);
        });
    }
  }

  outline(table, kind, names) {
    outline(this.element, table, kind, names);
  }

  /** Show the player's marks, the word in which one writes, and the cursor with all that is chosen.
   * */
  show(state) {
    const { table, chosen } = state;
    if (!this.svg) return;
    showOwn(this.element, table, positionOf(state));
    this.outline(table, "run", table.lettered ? wordAt(state).run : []);
    this.outline(table, "chosen", chosen.length > 1 ? chosen : []);
    this.outline(table, "cursor", this.#needsNone(state) ? [] : [cursorOf(state)]);
    this.#markDraggable(state);
  }

  /** Whether the cursor would only puzzle: nothing is drawn, and nobody moves it by keys. */
  #needsNone(state) {
    const idle = state.table.draws && same(positionOf(state), EMPTY) && !state.touched;
    return idle && !this.element.matches(":focus-visible");
  }

  /** Mark the places that a finger drags or draws on; anywhere else it scrolls. */
  #markDraggable(state) {
    const { table } = state;
    const pieces = positionOf(state).placed.filter((each) => movable(state, each));
    const lie = new Set(pieces.flatMap(({ names }) => names));
    for (const place of this.element.querySelectorAll(".place")) {
      const dragged = table.noted || table.draws || lie.has(place.dataset.place);
      place.toggleAttribute("data-draggable", dragged);
    }
  }
}
