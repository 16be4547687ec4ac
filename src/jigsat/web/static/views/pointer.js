// Pointers: a press is followed until it ends; it drags something, passes places, or is a tap.

import { fill } from "../dom.js";
import { inPicture, placeAt } from "./table.js";
import { sized } from "./tray.js";

export const DRAG = 6; // pixels that a pointer moves before it drags

/** Follow a pointer: `move(x, y)` hears of each point, `end(dropped, x, y)` of the last. `dragging()` tells whether the page must
 * stay in place. Returns a promise of the end. */
export function track({ currentTarget: target, pointerId }, { move, end, dragging = () => true }) {
  target.setPointerCapture(pointerId);
  const ended = Promise.withResolvers();
  const stop = ({ type, clientX, clientY }) => {
    ended.resolve();
    for (const [kind, listener] of Object.entries(listeners)) target.removeEventListener(kind, listener);
    end(type === "pointerup", clientX, clientY);
  };
  const hold = (event) => dragging() && event.preventDefault();
  const listeners = { pointermove: ({ clientX, clientY }) => move(clientX, clientY), touchmove: hold, pointerup: stop, pointercancel: stop };
  for (const [kind, listener] of Object.entries(listeners)) target.addEventListener(kind, listener, { passive: false });
  return ended.promise;
}

/** Follow a pointer over the board: `pass(point)` hears of points of its picture, close enough that no place is missed. */
export function sweep(event, board, table, { pass, end }) {
  let last = [event.clientX, event.clientY];
  let dragging = false;
  const close = (table.size * board.querySelector("svg").getScreenCTM().a) / 4;
  const move = (x, y) => {
    const far = Math.hypot(x - last[0], y - last[1]);
    if (!dragging && far < DRAG) return;
    dragging = true;
    const steps = Math.max(1, Math.ceil(far / close));
    const [fromX, fromY] = last;
    for (let i = 1; i <= steps; i++) pass(fromX + ((x - fromX) * i) / steps, fromY + ((y - fromY) * i) / steps);
    last = [x, y];
  };
  return track(event, { move, end: (dropped) => end(dropped, dragging) });
}

/** Drags a piece from the tray or the board, as a picture that follows the pointer. `play` tells where it would lie and what to do. */
export class Dragging {
  #show = () => {};

  constructor(board, tray, ghost, play) {
    Object.assign(this, { board, tray, ghost, play });
  }

  /** The piece lies otherwise now. */
  turned() {
    this.#show();
  }

  /** Follow a press on a `piece`, which lies on the board if it comes `from` there; a press that drags nothing is a tap. */
  follow(event, table, piece, from, tapped) {
    const { board, tray, ghost, play } = this;
    const { clientX, clientY } = event;
    const scale = board.querySelector("svg").getScreenCTM()?.a ?? 1;
    const lies = from?.way;
    const [x, y] = inPicture(board, clientX, clientY);
    const off = from && from.names.length > 1 ? [(x - from.middle[0]) * scale, (y - from.middle[1]) * scale] : [0, 0];
    let dragging = false;
    let aim = null;
    let last = [clientX, clientY];

    this.#show = () => {
      const way = tray.ways.get(piece);
      tray.look(from?.way === way ? from : table.of.get(piece).get(way)[0]).then(([found]) => {
        if (found && dragging) fill(ghost, sized(found.cloneNode(true), scale));
        ghost.hidden = !dragging;
      });
      if (dragging) take();
    };
    /** Show where the piece would lie. */
    const take = () => {
      const [px, py] = last;
      ghost.style.translate = `${px - off[0]}px ${py - off[1]}px`;
      const point = inPicture(board, px - off[0], py - off[1]);
      aim = table.find(piece, tray.ways.get(piece), placeAt(board, px, py), point, table.size * 0.9);
      play.aimed(aim);
    };
    const move = (px, py) => {
      if (!piece || (!dragging && Math.hypot(px - clientX, py - clientY) < DRAG)) return;
      last = [px, py];
      if (!dragging) {
        dragging = true;
        if (lies !== undefined) tray.ways.set(piece, lies);
        play.taken(piece, from);
        this.#show();
      }
      take();
    };
    const end = (dropped, px, py) => {
      const dragged = dragging;
      dragging = false;
      this.#show = () => {};
      ghost.hidden = true;
      fill(ghost);
      play.aimed(null);
      if (!dragged) return dropped && tapped();
      play.dropped(dropped ? { piece, from, aim, outside: !placeAt(board, px, py) } : null);
    };
    return track(event, { move, end, dragging: () => dragging });
  }
}
