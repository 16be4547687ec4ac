// The stage: the puzzle's picture, the solutions one by one, and the solid in 3-D.

import { announce, button, calm, fill, h, picture } from "../dom.js";
import { one } from "../engines/engine.js";
import { SHOW_HOW } from "./assembly.js";
import { AnswerList } from "./list.js";
import { Flat } from "./flat.js";
import { text } from "./table.js";
import { number, plural } from "../words.js";

const PAGE = 60; // small pictures that are shown at once

export class Stage {
  solutions = [];
  index = -1;
  #ending = ""; // how many solutions there are; nothing is said while they are counted above
  #before = -1;
  #opening = "";
  #drawn = new Map();
  #solid = null;
  #inSpace = false;
  #flat = false; // whether there is no 3-D
  #list = new AnswerList();
  /** The picture that is shown, for saving it. */
  svg = "";

  constructor(work) {
    this.work = work;
    this.paper = h("div", { class: "paper large", id: "picture" });
    this.space = h("div", { class: "space", hidden: true });
    this.note = h("p", { class: "quiet note-below" });
    this.caption = h("p", { class: "caption", id: "caption" });
    this.marks = h("input", { type: "checkbox", onchange: () => this.#mark() });
    this.previous = button("‹ Previous", () => this.step(-1), { id: "previous" });
    this.following = button("Next ›", () => this.step(1), { id: "next" });
    this.turner = button("Show in 3-D", () => this.#toggle(), {
      id: "solid",
      hidden: true,
      "aria-pressed": "false",
    });
    const marking = h(
      "label",
      { title: "from the solution that was shown before" },
      this.marks,
      " mark differences",
    );
    this.stepper = h(
      "div",
      { class: "row stepper", hidden: true },
      this.previous,
      this.following,
      marking,
    );
    this.easel = h("div", { class: "easel" });
    this.small = h("div", { class: "small" });
    this.more = button("Show more", () => this.#grow(), { id: "more" });
    this.all = h(
      "section",
      { class: "all", "aria-label": "All solutions as small pictures", hidden: true },
      this.small,
      this.more,
      h("p", { class: "quiet keys" }, "Keys: ← and → step through the solutions."),
    );
    this.list = this.#list.element;
    this.watch = new IntersectionObserver((seen) =>
      seen.forEach(({ isIntersecting, target }) => isIntersecting && this.#fill(target)),
    );
    this.element = h(
      "div",
      { class: "stage" },
      this.easel,
      this.paper,
      this.space,
      this.note,
      h("div", { class: "row" }, this.caption, this.turner),
      this.stepper,
    );
  }

  /** Show the puzzle before it is solved, and forget its solutions. */
  unsolved(svg) {
    this.#opening = svg;
    delete this.element.dataset.outdated;
    this.clear();
  }

  /** The puzzle was edited and has an error, so its picture is not that of the edit, and its
   * solutions are void. */
  outdated() {
    this.clear();
    this.element.dataset.outdated = "";
    this.caption.textContent = "The last edit has an error; this is the puzzle before it.";
  }

  clear() {
    this.solutions = [];
    this.index = this.#before = -1;
    this.#ending = "";
    this.#drawn.clear();
    this.watch.disconnect();
    fill(this.small);
    this.#turnTo(false);
    this.turner.hidden = true;
    this.#show();
  }

  /** Add a solution; the first one is shown at once. */
  add(solution) {
    this.solutions.push(solution);
    if (this.small.children.length < PAGE) this.#thumb(solution, this.solutions.length - 1);
    if (this.solutions.length === 1) {
      this.index = 0;
      this.#show();
      this.turner.hidden = !this.work.puzzle.solid;
      if (this.work.puzzle.solid && !this.turner.disabled && !this.#flat) this.#toggle();
    } else this.#controls();
  }

  /** The search has ended. */
  finish(complete) {
    this.#ending = ` of ${complete ? "" : "at least "}${number(this.solutions.length)}`;
    this.#controls();
    for (const thumb of this.small.querySelectorAll(":scope > :not(:has(svg))"))
      this.watch.observe(thumb);
  }

  /** A small picture. One that came without is drawn after the search, once it is scrolled to. */
  #thumb(solution, index) {
    const words = `Solution ${number(index + 1)}`;
    const click = () => {
      this.go(index);
      this.element.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
    };
    const thumb = button(
      solution.svg && !this.marks.checked ? picture(solution.svg, words) : words,
      click,
      { class: "paper", "data-index": index },
    );
    this.small.append(thumb);
    return thumb;
  }

  async #fill(thumb) {
    this.watch.unobserve(thumb);
    const solution = this.solutions[thumb.dataset.index];
    const other = this.marks.checked ? this.solutions[thumb.dataset.index - 1] : undefined;
    const svg = await this.#picture(solution, other).catch(() => null);
    if (svg && thumb.isConnected)
      fill(thumb, picture(svg, `Solution ${number(Number(thumb.dataset.index) + 1)}`));
  }

  /** Mark the differences, or mark them no longer: those from the previous solution, in the small
   * pictures as well. */
  #mark() {
    this.#show();
    for (const thumb of this.small.children) {
      this.watch.unobserve(thumb); // so that it is seen again
      this.watch.observe(thumb);
    }
  }

  #grow() {
    const from = this.small.children.length;
    this.solutions.slice(from, from + PAGE).forEach((solution, i) => {
      const thumb = this.#thumb(solution, from + i);
      if (!thumb.firstElementChild) this.watch.observe(thumb);
    });
    this.small.children[from].focus();
    this.#controls();
  }

  /** Put an editor in the place of the picture; null shows the picture again. */
  edit(editor) {
    this.easel.replaceChildren(...(editor ? [editor] : []));
    this.element.toggleAttribute("data-editing", editor !== null);
  }

  /** Show any other picture, such as a hint. */
  other(svg, words) {
    this.#turnTo(false);
    this.#draw(svg, words);
    this.caption.textContent = words;
  }

  step(by) {
    this.go(this.index + by);
  }

  go(index) {
    if (index < 0 || index >= this.solutions.length || index === this.index) return;
    this.#before = this.index;
    this.index = index;
    this.#show();
    announce(this.caption.textContent);
  }

  key(event) {
    if (
      event.target.closest(
        "input, textarea, select, [role=tablist], canvas, [contenteditable], .board",
      ) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const to = {
      ArrowRight: this.index + 1,
      ArrowLeft: this.index - 1,
      Home: 0,
      End: this.solutions.length - 1,
    }[event.key];
    if (to === undefined || !this.solutions.length) return;
    event.preventDefault();
    this.go(to);
  }

  get solution() {
    return this.solutions[this.index] ?? null;
  }

  close() {
    this.watch.disconnect();
    this.#solid?.close();
  }

  async #show() {
    const solution = this.solution;
    this.#list.show(solution, this.work.puzzle);
    if (!solution) {
      this.#draw(this.#opening, `${this.work.puzzle?.title ?? "The puzzle"}, not solved`);
      this.caption.textContent = "";
      this.#controls();
      return;
    }
    const words = `Solution ${number(solution.number)}`;
    this.#draw(solution.svg, words);
    this.#controls();
    if (this.#inSpace) this.#solid?.show(solution);
    const marking = this.marks.checked;
    const other = marking ? this.solutions[this.#before] : undefined;
    if (solution.svg && !other) return;
    const svg = await this.#picture(solution, other).catch(() => null);
    if (svg && this.solution === solution && this.marks.checked === marking) this.#draw(svg, words);
  }

  /** A solution, which may have come without a picture, with what differs from another one marked.
   * */
  async #picture(solution, other) {
    const which = `${solution.number} ${other?.number}`;
    if (solution.svg && !other) return solution.svg;
    if (!this.#drawn.has(which)) {
      const there = new Set(other?.placements.map(text));
      const marked = other
        ? solution.placements.filter((placement) => !there.has(text(placement)))
        : [];
      const request = {
        kind: "draw",
        puzzle: this.work.source,
        placements: solution.placements,
        marked,
      };
      this.#drawn.set(which, (await one(this.work.engine, request, "picture")).svg);
    }
    return this.#drawn.get(which);
  }

  #draw(svg, words) {
    this.svg = svg;
    fill(this.paper, svg ? picture(svg, words) : h("p", { class: "quiet" }, "…"));
    fill(
      this.note,
      [...this.paper.querySelectorAll(".note")].map((each) => each.textContent).join("; "),
    );
  }

  #controls() {
    const many = this.solutions.length;
    this.stepper.hidden = this.all.hidden = many < 2;
    this.more.hidden = this.small.children.length === many;
    this.small.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.small.children[this.index]?.setAttribute("aria-current", "true");
    this.previous.disabled = this.index <= 0;
    this.following.disabled = this.index >= many - 1;
    if (many) {
      const relation = this.solution?.relation ? `: ${this.solution.relation}` : "";
      this.caption.textContent = `Solution ${number(this.index + 1)}${this.#ending}${relation}`;
      this.stepper.setAttribute("aria-label", plural(many, "solution"));
    }
  }

  async #toggle() {
    this.#turnTo(!this.#inSpace);
    if (!this.#inSpace) return;
    if (!this.#solid) {
      try {
        const { Solid } = await import("./solid.js");
        this.#solid = new Solid(this.space, this.work);
      } catch (error) {
        console.error(error);
        return this.#doWithoutSpace();
      }
    }
    if (!this.#inSpace) return;
    await this.#solid.show(this.solution);
    if (this.#flat && this.#inSpace) this.#solid.begin();
  }

  /** Offer a sequence of flat pictures in the place of 3-D, if it serves. */
  async #doWithoutSpace() {
    this.#flat = true;
    this.#turnTo(false);
    this.turner.disabled = true;
    const drawable = document.createElement("canvas").getContext("webgl2");
    const why = drawable
      ? "No 3-D: three.js is missing (make serve installs it)."
      : "No 3-D: this browser has no WebGL.";
    drawable?.getExtension("WEBGL_lose_context")?.loseContext();
    const flat = new Flat(this.space, this.work, why);
    const serves = await flat.serves(this.solution).catch(() => false);
    if (serves) this.#solid = flat;
    else this.turner.textContent = why.slice(0, -1);
    this.turner.disabled = !serves;
  }

  #turnTo(inSpace) {
    this.#inSpace = inSpace;
    // what is below the picture is about the picture
    this.paper.hidden = this.note.hidden = inSpace;
    this.space.hidden = !inSpace;
    const other = this.#flat ? SHOW_HOW : "Show in 3-D";
    this.turner.textContent = inSpace ? "Show the picture" : other;
    this.turner.setAttribute("aria-pressed", String(inSpace));
  }
}
