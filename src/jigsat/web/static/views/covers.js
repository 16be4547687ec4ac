// Covers of the families: one solved puzzle of each.

import { fill, h, picture } from "../dom.js";
import { FAMILIES, hasStones, otherNames } from "../editors/begin.js";
import { one, onServer } from "../engines/engine.js";

const AHEAD = "50%"; // of the window: how far below it pictures are drawn already
const MOST_NAMES = 3;
const TURN = 137.5; // degrees between the hues of two kinds, so that neighbours differ

/** The colour of a kind, on which its pictures stand. */
export const hue = (family) =>
  `--hue: ${(TURN * Math.max(0, Object.keys(FAMILIES).indexOf(family))) % 360}`;

/** What others call a kind, to be read on its card. */
function alsoKnown(family) {
  const names = otherNames(family).slice(0, MOST_NAMES);
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(names);
  return list && ` Also known as ${list}.`;
}

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

/** The cards of the families. A static site has their pictures; a server solves the puzzles
 * that are scrolled to, one after the other, each once. */
export class Covers {
  #drawn = new Map();
  #last = Promise.resolve();
  #watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.#fill(target);
    },
    { rootMargin: AHEAD },
  );

  constructor(engine) {
    this.engine = engine;
  }

  /** A card for each family; `attributes(family, its cover)` are those of its link. A kind from
   * outside may have no cover. */
  cards(attributes) {
    return Object.entries(FAMILIES).map(([family, { title, words, cover }]) => {
      const paper = h(
        "div",
        { class: "paper", "aria-hidden": "true", "data-cover": cover },
        !onServer && cover && h("img", { src: `covers/solved/${cover}.svg`, alt: "" }),
      );
      if (onServer && cover) this.#watch.observe(paper);
      return h(
        "li",
        { style: hue(family), class: hasStones(family) && "stones" },
        h(
          "a",
          { class: "card", ...attributes(family, cover) },
          paper,
          h("strong", {}, title),
          h("span", { class: "quiet" }, words, alsoKnown(family)),
        ),
        cover && makeMore(cover, title),
      );
    });
  }

  /** Fill a paper that is scrolled to. */
  #fill(paper) {
    this.#watch.unobserve(paper);
    this.#draw(paper.dataset.cover).then((svg) => fill(paper, picture(svg, "")), console.error);
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
