// Putting a solid together: its parts in an order, one a step, each lifted off its place first.

import { announce, button, fill, h } from "../dom.js";

export const SHOW_HOW = "Show me how";

/** Where a block comes from and where it lies, in words. */
export function describeBlock({ cells }, way) {
  const layers = [...new Set(cells.map(([layer]) => layer + 1))].sort();
  return `${way}, in ${layers.length > 1 ? "layers" : "layer"} ${layers.join(" and ")} from the top`;
}

/** Where a face with a piece of foam lies and how, in words: where the top of its letter
 * points, and whether it is turned over. */
export function describeFace({ piece, cell, points }, placements) {
  const placement = placementOn({ piece, cell }, placements);
  const up = placement && topOf(points, placement.turn);
  const parts = [placeOf(cell), up && `the top of its letter ${up}`];
  if (placements.some(({ flipped }) => flipped))
    parts.push(placement?.flipped ? "turned over, so that its letter is mirrored" : "as printed");
  return parts.filter(Boolean).join(", ");
}

/** Where the top of a piece points that lies turned by some sides on a face with these corners, each
 * [x, y, z], where y points down and z away; '' if that is no plain direction. */
export function topOf(points, turn) {
  const mean = (all, axis) => all.reduce((sum, point) => sum + point[axis], 0) / all.length;
  const side = [points[turn], points[(turn + 1) % points.length]];
  const towards = [0, 1, 2].map((axis) => mean(side, axis) - mean(points, axis));
  const length = Math.hypot(...towards);
  const axis = towards.findIndex((step) => Math.abs(step) > 0.95 * length);
  if (axis < 0) return "";
  return DIRECTIONS[axis][towards[axis] > 0 ? 1 : 0];
}

/** The directions against an axis and along it. */
const DIRECTIONS = [
  ["to the left", "to the right"],
  ["up", "down"],
  ["to the front", "to the back"],
];

/** The placement of the piece that lies on a face. */
export const placementOn = ({ piece, cell }, placements) =>
  placements.find((placement) => placement.piece === piece && nameOf(placement) === cell);

/** Whether faces are put together: all of them have pieces of foam. */
export const areAssembled = (faces) => faces.every(({ piece, rim }) => piece && rim.length);

/** The order in which faces are put in: from the bottom up and from the back to the front. Their
 * middles are {y, z}, where y points up and z to the front. */
export function orderOf(middles) {
  const before = (one, other) =>
    middles[one].y - middles[other].y || middles[one].z - middles[other].z;
  const nearly = (one, other) =>
    Math.abs(before(one, other)) < 1e-6 ? one - other : before(one, other);
  return middles.map((_, part) => part).sort(nearly);
}

const nameOf = ({ cell }) => [cell].flat().join(" ");

/** A face in words: a side has its name, one of a cube among others also the place of that cube. */
function placeOf(cell) {
  const side = /[a-z]+$/.exec(cell)?.[0];
  const [layer, row, column] = cell.split(" ").map((number) => Number(number) + 1);
  if (side && side === cell) return `on the ${side}`;
  if (side) return `on the ${side} of layer ${layer}, row ${row}, column ${column}`;
  return `on face ${cell}`;
}

export class Assembly {
  #steps = [];
  #at = -1; // the step that is shown; none while the whole solid is
  #drawn;

  /** `drawn()` hears that another step is shown. */
  constructor(drawn) {
    this.#drawn = drawn;
    this.opener = button(SHOW_HOW, () => this.begin(), { id: "show-how", hidden: true });
    this.words = h("p", { id: "how", role: "status" });
    this.back = button("‹ Back", () => this.#go(this.#at - 1), { id: "how-back" });
    this.next = button("Next step ›", () => this.#go(this.#at + 1), {
      id: "how-next",
      class: "main",
    });
    this.ender = button("Done", () => this.#go(-1), { id: "how-done" });
    const buttons = h("div", { class: "row" }, this.back, this.ender, this.next);
    this.element = h("div", { class: "how", hidden: true }, this.words, buttons);
  }

  start(steps) {
    this.#steps = steps;
    this.#at = -1;
    this.#show();
  }

  begin() {
    this.#go(0);
  }

  get active() {
    return this.#at >= 0;
  }

  /** Whether a part is seen. */
  shows(part) {
    return !this.active || this.#steps.slice(0, this.#at + 1).some((step) => step.part === part);
  }

  /** How far a part is lifted off its place, and where to; null if it lies there. */
  lifted(part) {
    const step = this.#steps[this.#at];
    return step?.part === part ? step.out : null;
  }

  #go(to) {
    this.#at = to;
    this.#show();
    this.#drawn();
    if (!this.active) this.opener.focus({ preventScroll: true });
    else if (to === 0 || this.next.disabled) this.#nextOne().focus({ preventScroll: true });
  }

  /** The button to press next, because one that is gone or disabled loses the focus. */
  #nextOne() {
    return this.next.disabled ? this.ender : this.next;
  }

  #show() {
    const count = this.#steps.length;
    const step = this.#steps[this.#at];
    this.opener.hidden = count < 2 || this.active;
    this.element.hidden = !this.active;
    this.back.disabled = this.#at <= 0;
    this.next.disabled = this.#at > count - 1;
    if (!this.active) return fill(this.words);
    const told = step
      ? `Step ${this.#at + 1} of ${count}: ${step.title} ${step.words}.`
      : "All pieces are in place.";
    fill(this.words, told);
    announce(told);
  }
}
