// Putting a solid together: its parts in an order, one a step, each lifted off its place first.

import { Vector3 } from "../vendor/three.module.js";
import { announce, button, fill, h } from "../dom.js";
import { middle } from "./folding.js";

/** The directions from which blocks are put in. */
const DIRECTIONS = {
  "from above": new Vector3(0, 1, 0),
  "from the front": new Vector3(0, 0, 1),
  "from the right": new Vector3(1, 0, 0),
  "from behind": new Vector3(0, 0, -1),
  "from the left": new Vector3(-1, 0, 0),
};

/** The steps for blocks: each with its part, the direction from which it comes, and words. */
export function blockSteps({ blocks, ways }) {
  return ways.map((way, part) => {
    const layers = [...new Set(blocks[part].cells.map(([layer]) => layer + 1))].sort();
    const words = `${layers.length > 1 ? "layers" : "layer"} ${layers.join(" and ")} from the top`;
    return { part, out: DIRECTIONS[way], title: blocks[part].piece, words: `${way}, in ${words}` };
  });
}

/** The steps for faces with pieces of foam, from the bottom up and from the back to the front; none
 * unless all faces have pieces. */
export function faceSteps(faces, normals, placements) {
  if (!faces.every(({ piece, rim }) => piece && rim.length)) return [];
  const turns = placements.some(({ flipped }) => flipped);
  const heights = faces.map(({ points }) => middle(points));
  const order = faces.map((_, part) => part);
  const before = (one, other) =>
    heights[one].y - heights[other].y || heights[one].z - heights[other].z;
  const nearly = (one, other) =>
    Math.abs(before(one, other)) < 1e-6 ? one - other : before(one, other);
  return order.sort(nearly).map((part) => {
    const { piece, cell } = faces[part];
    const flipped = placements.find(
      (placement) => placement.piece === piece && nameOf(placement) === cell,
    )?.flipped;
    const side = flipped ? "turned over, so that its letter is mirrored" : "as printed";
    const words = turns ? `${placeOf(cell)}, ${side}` : placeOf(cell);
    return { part, out: normals[part], title: piece, words };
  });
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
    this.opener = button("Show me how", () => this.#go(0), { id: "show-how", hidden: true });
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
