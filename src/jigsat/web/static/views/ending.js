// What a solved puzzle leads to: its proof, the same once more, a link, and other kinds of puzzles.

import { button, fill, h } from "../dom.js";
import { FAMILIES } from "../editors/begin.js";
import { instanceLink } from "../link.js";

const MOST_KINDS = 6; // that are shown

export class Ending {
  #family = ""; // the kind of the puzzle, after which the others follow

  /** `again()`, `prove()` and `make()` hear of its buttons. */
  constructor(work, covers, { again, prove, make }) {
    this.work = work;
    this.covers = covers;
    this.proof = h("p", {}, button("How do you know?", prove, { id: "proof" }));
    this.following = h(
      "a",
      { class: "button main" },
      "Next",
      h("span", { class: "wide" }, "\u00a0puzzle"),
    );
    this.bar = h(
      "div",
      { class: "row bar ended" },
      button("Again", again, { id: "once-more", "data-icon": "↻" }),
      button("Share", null, { popovertarget: "sharing", "data-icon": "›" }),
      this.following,
    );
    this.kinds = h("ul", { class: "cards kinds" });
    this.others = h(
      "section",
      { class: "others" },
      h("h2", {}, "What next?"),
      this.kinds,
      h("p", {}, button("Make more puzzles like this one", make, { id: "make-more" })),
    );
    this.show(false);
  }

  show(solved) {
    for (const part of [this.proof, this.bar, this.others]) part.hidden = !solved;
    if (solved && this.#family !== this.work.puzzle.family) this.#list(this.work.puzzle.family);
  }

  /** The kinds that follow in the gallery. */
  #list(family) {
    this.#family = family;
    const names = Object.keys(FAMILIES);
    const at = names.indexOf(family);
    const others = [...names.slice(at + 1), ...names.slice(0, Math.max(0, at))];
    const kinds = others.filter((name) => FAMILIES[name].cover).slice(0, MOST_KINDS);
    this.following.href = instanceLink(FAMILIES[kinds[0]].cover);
    fill(this.kinds, ...kinds.map((name) => this.covers.small(name)));
  }
}
