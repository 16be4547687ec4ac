// Covers of the families: one solved puzzle of each.

import { dress, fill, h, picture } from "../dom.js";
import { FAMILIES, hasStones, otherNames } from "../editors/begin.js";
import { one, onServer } from "../engines/engine.js";
import { instanceLink, keptPicture } from "../link.js";
import { placesOf } from "./table.js";

const AHEAD = "50%"; // of the window: how far below it pictures are drawn already
const MOST_NAMES = 3;
const TURN = 137.5; // degrees between the hues of two kinds, so that neighbours differ

/** The colour of a kind, on which its pictures stand. */
const hue = (family) =>
  `--hue: ${(TURN * Math.max(0, Object.keys(FAMILIES).indexOf(family))) % 360}`;

/** How what shows a kind looks. */
export const looksOf = (family) => ({ style: hue(family), class: hasStones(family) && "stones" });

/** What others call a kind, to be read on its card. */
function alsoKnown(family) {
  const names = otherNames(family).slice(0, MOST_NAMES);
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(names);
  return list && ` Also known as ${list}.`;
}

/** A link to have more puzzles made that are like an instance, or of the kind of which it is an
 * example. */
export function makeMore(name, title, ofKind = false) {
  return h(
    "a",
    {
      class: "more",
      href: `${instanceLink(name)}&tab=make${ofKind ? "&kind=" : ""}`,
      "aria-label": `Make new ones for me, like ${title}`,
    },
    "Make new ones for me",
  );
}

/** A picture of a net with a solid beside it, without the net. */
function solidOf(svg) {
  const seen = new Set();
  const [first, ...others] = placesOf(svg).filter(([name]) => seen.has(name) || !seen.add(name));
  if (!first) return svg;
  const corners = new Set(first[1].map(String)); // of the faces that hang together
  for (const [, points] of others)
    if (points.some((point) => corners.has(String(point))))
      for (const point of points) corners.add(String(point));
  const [xs, ys] = [0, 1].map((axis) => [...corners].map((each) => Number(each.split(",")[axis])));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const edge = 2; // room for the lines at the rim
  const sizes = [Math.max(...xs) - left, Math.max(...ys) - top].map((each) => each + 2 * edge);
  const view = [left - edge, top - edge, ...sizes].join(" ");
  return dress(svg, { viewBox: view, "data-part": true });
}

/** The cards of the families. A static site has their pictures; a server solves the puzzles
 * that are scrolled to, one after the other, each once. */
export class Covers {
  #drawn = new Map();
  #draws = new WeakMap(); // what draws the picture of a paper
  #last = Promise.resolve();
  #asking = new AbortController(); // the pictures that are asked for
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
      const card = h(
        "a",
        { class: "card", ...attributes(family, cover) },
        this.#paper(cover),
        h("strong", {}, title),
        h("span", { class: "quiet" }, words, alsoKnown(family)),
      );
      return h("li", looksOf(family), card, cover && makeMore(cover, title, true));
    });
  }

  /** A small card of a family that has a cover: a link to it. */
  small(family) {
    const { title, cover } = FAMILIES[family];
    const href = instanceLink(cover);
    const card = h("a", { class: "card", href }, this.#paper(cover), h("strong", {}, title));
    return h("li", looksOf(family), card);
  }

  /** The place of the picture of a cover. */
  #paper(cover) {
    const paper = h("div", { class: "paper", "aria-hidden": "true", "data-cover": cover });
    if (cover)
      this.hang(paper, () => (onServer ? this.#solve(cover) : keptPicture(cover, "covers/solved")));
    return paper;
  }

  /** Draw a picture on a paper once that is scrolled to. */
  hang(paper, draw) {
    this.#draws.set(paper, draw);
    this.#watch.observe(paper);
  }

  #fill(paper) {
    this.#watch.unobserve(paper);
    const draw = this.#draws.get(paper);
    const { signal } = this.#asking;
    draw().then(
      (svg) => fill(paper, solidOf(picture(svg, ""))),
      (error) => (signal.aborted ? this.#watch.observe(paper) : console.error(error)),
    );
  }

  /** Ask for no more pictures, because the cards are left: what comes next is answered first. They
   * are asked for when they are seen again. */
  stop() {
    this.#asking.abort();
    this.#asking = new AbortController();
  }

  #solve(cover) {
    if (!this.#drawn.has(cover)) {
      const { signal } = this.#asking;
      const asked = this.#last.then(() =>
        one(
          this.engine,
          { kind: "solve", puzzle: { name: cover }, limit: 1, drawn: 1 },
          "solution",
          signal,
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
