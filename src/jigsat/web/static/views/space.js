// The solid beside the board, in 3-D where three.js and WebGL are there.

import { h } from "../dom.js";

export class Space {
  element = h("div", { class: "space", id: "play-space", hidden: true });
  #solid = null;

  constructor(work) {
    this.work = work;
  }

  async start(placements) {
    try {
      const { Solid } = await import("./solid.js");
      this.element.hidden = false;
      this.#solid ??= new Solid(this.element, this.work);
      this.show(placements);
    } catch (error) {
      console.error(error);
      this.element.hidden = true;
    }
  }

  show(placements) {
    this.#solid?.show({ placements });
  }

  close() {
    this.#solid?.close();
  }
}
