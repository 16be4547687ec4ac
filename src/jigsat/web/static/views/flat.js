// Putting a solid together where there is no 3-D: a sequence of flat pictures, one piece more in each.

import { fill, h, picture } from "../dom.js";
import { one } from "../engines/engine.js";
import {
  Assembly,
  areAssembled,
  describeBlock,
  describeFace,
  orderOf,
  placementOn,
} from "./assembly.js";
import { text } from "./table.js";

export class Flat {
  #steps = [];
  #solution = null;
  #asked = 0;

  /** `why` says why there is no 3-D. */
  constructor(container, work, why) {
    this.work = work;
    this.paper = h("div", { class: "paper flat" });
    this.assembly = new Assembly(() => this.#draw());
    const note = h("p", { class: "quiet" }, `${why} The pictures show the pieces flat.`);
    const controls = h("div", { class: "row" }, this.assembly.opener, note);
    fill(container, this.paper, controls, this.assembly.element);
  }

  /** Whether there is something to put together. */
  async serves(solution) {
    return (await this.#stepsOf(solution)).length > 1;
  }

  async show(solution) {
    const asked = ++this.#asked;
    const steps = await this.#stepsOf(solution);
    if (asked !== this.#asked) return;
    this.#solution = solution;
    this.#steps = steps;
    this.assembly.start(steps.map((step, part) => ({ ...step, part, out: true })));
    this.#draw();
  }

  /** Put it together from the first piece on. */
  begin() {
    this.assembly.begin();
  }

  close() {
    this.#asked++;
  }

  async #stepsOf({ placements }) {
    const request = { kind: "solid", puzzle: this.work.source, placements };
    const shape = await one(this.work.engine, request, "solid");
    return shape.faces.length ? faceSteps(shape, placements) : blockSteps(shape, placements);
  }

  /** Draw what lies there at the step that is shown, with the newest piece marked. */
  async #draw() {
    const asked = ++this.#asked;
    const { assembly } = this;
    const lying = this.#steps.filter((_, part) => assembly.shows(part));
    const newest = this.#steps.filter((_, part) => assembly.lifted(part));
    const [placements, marked] = [lying, newest].map((steps) =>
      steps.map(({ placement }) => placement),
    );
    const all = assembly.active ? placements : this.#solution.placements;
    const request = { kind: "draw", puzzle: this.work.source, placements: all, marked };
    const { svg } = await one(this.work.engine, request, "picture");
    if (asked === this.#asked) fill(this.paper, picture(svg, "What lies there so far"));
  }
}

/** The steps for blocks, each with its placement. */
function blockSteps({ blocks, ways }, placements) {
  return ways.map((way, part) => ({
    title: blocks[part].piece,
    words: describeBlock(blocks[part], way),
    placement: placements.find(
      ({ piece, cells }) => piece === blocks[part].piece && same(cells, blocks[part].cells),
    ),
  }));
}

const same = (cells, others) => text([...cells].sort()) === text([...others].sort());

/** The steps for faces; none unless all faces have pieces. */
function faceSteps({ faces }, placements) {
  if (!areAssembled(faces)) return [];
  const middle = (points, axis) =>
    points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  // their y axis points down, and their z axis away
  const middles = faces.map(({ points }) => ({ y: -middle(points, 1), z: -middle(points, 2) }));
  return orderOf(middles).map((part) => ({
    title: faces[part].piece,
    words: describeFace(faces[part], placements),
    placement: placementOn(faces[part], placements),
  }));
}
