// Covers of the families: one solved puzzle of each.

import { fill, h, picture } from "../dom.js";
import { FAMILIES } from "../editors/begin.js";
import { one, onServer } from "../engines/engine.js";

/** The cards of the families. A static site has their pictures; a server solves the puzzles one after the other, each once. */
export class Covers {
  #drawn = new Map();
  #last = Promise.resolve();

  constructor(engine) {
    this.engine = engine;
  }

  /** A card for each family; `attributes(family, its cover)` are those of its link. */
  cards(attributes) {
    return Object.entries(FAMILIES).map(([family, { title, words, cover }]) => {
      const paper = h("div", { class: "paper", "aria-hidden": "true" }, !onServer && h("img", { src: `covers/solved/${cover}.svg`, alt: "" }));
      if (onServer) this.#draw(cover).then((svg) => fill(paper, picture(svg, "")), console.error);
      return h("li", {}, h("a", { class: "card", ...attributes(family, cover) }, paper, h("strong", {}, title), h("span", { class: "quiet" }, words)));
    });
  }

  #draw(cover) {
    if (!this.#drawn.has(cover)) {
      const asked = this.#last.then(() => one(this.engine, { kind: "solve", puzzle: { name: cover }, limit: 1, drawn: 1 }, "solution"));
      this.#last = asked.catch(() => this.#drawn.delete(cover)); // to be asked for again
      this.#drawn.set(cover, asked.then(({ svg }) => svg));
    }
    return this.#drawn.get(cover);
  }
}
