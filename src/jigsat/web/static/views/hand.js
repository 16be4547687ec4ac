// The hand: what a pointer does on the board and in the tray. It taps, drags pieces, chooses cells,
// or draws.

import { fill, h } from "../dom.js";
import { movable, on, positionOf } from "../acts.js";
import { same } from "../game.js";
import { DRAG, track } from "./pointer.js";
import { drawing, selecting } from "./strokes.js";
import { inPicture, placeAt } from "./table.js";
import { sized } from "./tray.js";

export class Hand {
  /** The picture of the piece that follows the pointer. */
  ghost = h("div", { class: "ghost", "aria-hidden": "true", hidden: true });
  #drag = null;

  /** `play` has the state, what acts on it, the board and the tray. */
  constructor(play) {
    this.play = play;
  }

  /** A press on the board. */
  press(event) {
    const { state, board } = this.play;
    if (!state || event.button) return;
    const point = [event.clientX, event.clientY];
    const cell = state.table.cellAt(inPicture(board.element, ...point));
    const name = cell ?? placeAt(board.element, ...point);
    if (!name) return;
    event.preventDefault();
    board.focus();
    if (state.table.noted) this.#select(event, name);
    else if (state.table.draws) this.#draw(event, name);
    else this.#follow(event, on(state, name), () => this.play.act("tap", name));
  }

  /** A press on a piece of the tray. */
  pressPiece(event, piece) {
    getSelection().removeAllRanges(); // else the browser would drag selected text instead
    const { table } = this.play.state;
    this.#start(event, table.typed ? null : piece, null, () => this.play.pick(piece));
  }

  /** The piece that is dragged lies otherwise now. */
  turned() {
    this.#drag?.show();
  }

  #follow(event, here, tapped) {
    const piece = movable(this.play.state, here) ? here.piece : null;
    this.#start(event, piece, piece && here, tapped);
  }

  #start(event, piece, from, tapped) {
    this.#drag = new Drag(this.play, this.ghost, event, { piece, from, tapped });
    this.play.board.stroke = this.#drag.follow(event);
  }

  /** Choose places; with Shift or Ctrl, besides those that were chosen. */
  #select(event, first) {
    const { state, act, board } = this.play;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!more) act("sayIfGiven", first);
    const before = more ? state.chosen : [];
    const chosen = (names) => act("choose", names);
    board.stroke = selecting(event, board.element, state.table, first, before, chosen);
  }

  /** Draw along edges or over cells. */
  #draw(event, first) {
    const { state, act, board } = this.play;
    const ended = (next, name) => {
      act("stroke", next, name);
      if (same(next, positionOf(state))) this.play.sketch(); // nothing, or what the browser ended
    };
    const tapped = () => act("tap", first);
    const stroke = { from: positionOf(state), crossing: state.kind === "cross", tapped, ended };
    board.stroke = drawing(event, board.element, state.table, first, stroke);
  }
}

/** A press on a piece of the tray, or on one that lies on the board as `from`. The piece is dragged
 * once the pointer has moved. */
class Drag {
  #dragging = false;
  #aim = null; // where the piece would lie

  constructor(play, ghost, { clientX, clientY }, { piece, from, tapped }) {
    this.play = play;
    this.ghost = ghost;
    this.piece = piece;
    this.from = from;
    this.tapped = tapped;
    const { svg, element } = play.board;
    this.scale = svg.getScreenCTM()?.a ?? 1;
    const [x, y] = inPicture(element, clientX, clientY);
    const several = from && from.names.length > 1;
    const { middle } = several ? from : { middle: [x, y] };
    // from the middle of the piece
    this.grip = [(x - middle[0]) * this.scale, (y - middle[1]) * this.scale];
    this.first = this.last = [clientX, clientY];
  }

  follow(event) {
    const move = (x, y) => this.#move(x, y);
    const end = (dropped, x, y) => this.#end(dropped, x, y);
    return track(event, { move, end, dragging: () => this.#dragging });
  }

  /** Draw the piece at the pointer, as it lies now. */
  async show() {
    if (!this.#dragging) return;
    const { state, tray } = this.play;
    const way = state.ways.get(this.piece);
    const [first] = state.table.of.get(this.piece).get(way);
    this.#pull();
    const wanted = this.from?.way === way ? this.from : first;
    const put = (drawn) => {
      if (drawn && this.#dragging) fill(this.ghost, sized(drawn.cloneNode(true), this.scale));
      this.ghost.hidden = !this.#dragging;
    };
    put(tray.glimpse(wanted));
    put((await tray.look(wanted))[0]);
  }

  #move(x, y) {
    const far = Math.hypot(x - this.first[0], y - this.first[1]);
    if (!this.piece || !this.play.state || (!this.#dragging && far < DRAG)) return;
    this.last = [x, y];
    if (this.#dragging) return this.#pull();
    this.#dragging = true;
    this.play.act("take", this.piece, this.from);
    this.show();
  }

  /** Show where the piece would lie. */
  #pull() {
    const { state, board } = this.play;
    const { table, ways } = state;
    const [x, y] = this.last;
    const [left, top] = [x - this.grip[0], y - this.grip[1]];
    this.ghost.style.translate = `${left}px ${top}px`;
    const point = inPicture(board.element, left, top);
    const place = placeAt(board.element, x, y);
    this.#aim = table.find(this.piece, ways.get(this.piece), place, point, table.size * 0.9);
    board.outline(table, "aim", this.#aim?.names ?? []);
  }

  #end(dropped, x, y) {
    const { state, act, board } = this.play;
    const dragged = this.#dragging;
    this.#dragging = false;
    this.ghost.hidden = true;
    fill(this.ghost);
    if (!dragged) return dropped && this.tapped();
    if (state) board.outline(state.table, "aim", []);
    if (!dropped) return act("letGo");
    board.focus(); // keys turn what was dropped
    act("drop", { from: this.from, aim: this.#aim, outside: !placeAt(board.element, x, y) });
  }
}
