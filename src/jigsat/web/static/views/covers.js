// Covers of the families: one solved puzzle of each.

import { fill, h, picture } from "../dom.js";
import { FAMILIES, hasStones } from "../editors/begin.js";
import { one, onServer } from "../engines/engine.js";

const TURN = 137.5; // degrees between the hues of two kinds, so that neighbours differ

/** The colour of a kind, on which its pictures stand. */
export const hue = (family) =>
  `--hue: ${(TURN * Math.max(0, Object.keys(FAMILIES).indexOf(family))) % 360}`;

/** A link to have more puzzles made that are like an instance. */
export function makeMore(name, title) {
  return h(
    "a",
    {
      class: "more",
      href: `#puzzle=${encodeURIComponent(name)}&tab=make`,
      "aria-label": `Make new ones for me, like ${title}`,
    },
    "Make new ones for me",
  );
}

/** The cards of the families. A static site has their pictures; a server solves the puzzles one
 * after the other, each once. */
export class Covers {
  #drawn = new Map();
  #last = Promise.resolve();

  constructor(engine) {
    this.engine = engine;
  }

  /** A card for each family; `attributes(family, its cover)` are those of its link. A kind from
   * outside may have no cover. */
  cards(attributes) {
    return Object.entries(FAMILIES).map(([family, { title, words, cover }]) => {
      const paper = h(
        "div",
        { class: "paper", "aria-hidden": "true" },
        !onServer && cover && h("img", { src: `covers/solved/${cover}.svg`, alt: "" }),
      );
      if (onServer && cover)
        this.#draw(cover).then((svg) => fill(paper, picture(svg, "")), console.error);
      return h(
        "li",
        { style: hue(family), class: hasStones(family) && "stones" },
        h(
          "a",
          { class: "card", ...attributes(family, cover) },
          paper,
          h("strong", {}, title),
          h("span", { class: "quiet" }, words),
        ),
        cover && makeMore(cover, title),
      );
    });
  }

  #draw(cover) {
    if (!this.#drawn.has(cover)) {
      const asked = this.#last.then(() =>
        one(
          this.engine,
          { kind: "solve", puzzle: { name: cover }, limit: 1, drawn: 1 },
          "solution",
        ),
      );
      this.#last = asked.catch(() => this.#drawn.delete(cover)); // to be asked for again
      this.#drawn.set(
        cover,
        asked.then(({ svg }) => svg),
      );
    }
    return this.#drawn.get(cover);
  }
}
