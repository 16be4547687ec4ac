// The view of one puzzle: its picture, and tabs for what can be done with it.

import { button, delayed, fill, h, select } from "../dom.js";
import { FAMILIES, hasStones, kindName, titleOf } from "../editors/begin.js";
import { editPanel } from "./edit.js";
import { onServer } from "../engines/engine.js";
import { keptPicture } from "../link.js";
import { group, menuOf } from "./menu.js";
import { makePanel } from "./make.js";
import { Play } from "./play.js";
import { sharing } from "./share.js";
import { solvePanel } from "./solve.js";
import { Stage } from "./stage.js";
import { understandPanel } from "./understand.js";
import { brief } from "../words.js";
import { Work } from "../work.js";

const LONG_TITLE = 20; // characters that a phone has room for in one line
const LONG_RULE = 300; // characters of a rule that may have to be scrolled

/** What a view has, as far as it needs it.
 * @typedef {object} View
 * @property {HTMLElement[]} [menu] what the menu has for it
 * @property {() => void} [shown] it is turned to
 * @property {() => void} [left] another view is turned to
 * @property {() => void} [changed] the puzzle has changed
 * @property {() => void} [broken] the text of the puzzle is wrong
 * @property {(svg: string) => void} [preview] a picture until the puzzle has been read
 * @property {(by: number) => void} [step] undo (−1) or redo
 * @property {() => void} [hint] ask for the next step
 * @property {() => void} [run] find all solutions
 * @property {() => void} [isUnique] find whether there is another solution
 * @property {() => void} [close] the puzzle is left */

/** Turns to another view, and returns it. From that one goes back to the view `from`.
 * @typedef {(name: string, from?: string) => View} TurnTo */

/** @type {{name: string, words: string, make: (panel: HTMLElement, work: Work, stage: Stage, turnTo: TurnTo, covers: import("./covers.js").Covers) => View | void}[]} */
const VIEWS = [
  { name: "play", words: "Play", make: (...given) => new Play(...given) },
  { name: "solve", words: "All solutions", make: solvePanel },
  { name: "understand", words: "How it works", make: understandPanel },
  { name: "edit", words: "Change it", make: editPanel },
  { name: "make", words: "Make more, save, print", make: makePanel },
];

/** Show a puzzle; returns what leaves it. */
export function showPuzzle(main, engine, covers, wanted) {
  const view = new PuzzleView(main, engine, covers, wanted);
  view.open();
  return () => view.close();
}

class PuzzleView {
  #behind = "play"; // the view to which one goes back
  #opened = false; // whether a puzzle was read

  constructor(main, engine, covers, wanted) {
    this.main = main;
    this.covers = covers;
    this.wanted = wanted;
    this.work = new Work(engine);
    this.stage = new Stage(this.work);
    this.title = h("h1", {}, wanted.name ?? "A puzzle");
    this.about = h("p", { role: "status" }, "Loading the puzzle …");
    this.facts = h("div", { class: "facts" });
    this.panels = h("div", { class: "panels" });
    this.parts = VIEWS.map((view) => this.#part(view));
    this.panels.append(this.facts);
    this.#build();
  }

  /** A view: its entry in the menu, its panel, and what it made there. */
  #part({ name, words, make }) {
    const entry = button(words, () => this.#turnTo(name, "play"), { id: `tab-${name}` });
    const panel = h("section", { id: `panel-${name}`, "aria-label": words, hidden: true });
    this.panels.append(panel);
    const made = make(panel, this.work, this.stage, this.#turnTo, this.covers) || {};
    return { name, entry, panel, made };
  }

  #build() {
    const { work, stage, parts } = this;
    const share = sharing(work);
    this.ofBoard = group("This board", ...parts[0].made.menu);
    const ofPuzzle = group("This puzzle", ...parts.map(({ entry }) => entry), share.opener);
    const menu = menuOf(ofPuzzle, this.ofBoard);
    this.back = h("a", { href: "#", class: "button bare back", onclick: this.#leave });
    const heading = h("div", {}, this.title, this.about);
    const bar = h("header", { class: "heading" }, this.back, heading, menu.opener);
    const below = [stage.element, this.panels, menu.box, share.box];
    this.workbench = h("div", { class: "workbench" }, bar, ...below);
  }

  open() {
    const { main, work, wanted } = this;
    work.addEventListener("solved", () => this.#tell());
    work.addEventListener("puzzle", () => this.#changed());
    work.addEventListener("problem", () => this.#wrong());
    addEventListener("keydown", this.#press);
    fill(main, this.workbench);
    this.#choose(wanted.tab, { link: false });
    if (wanted.name && !onServer) this.#preview().catch(() => {});
    work.open(wanted);
  }

  close() {
    this.work.closed = true;
    removeEventListener("keydown", this.#press);
    for (const { made } of this.parts) made.close?.();
    this.stage.close();
  }

  // -- the views

  #choose(name, { link = true } = {}) {
    const wanted = this.parts.find((part) => part.name === name) ?? this.parts[0];
    for (const { name: each, made } of this.parts) if (each !== wanted.name) made.left?.();
    for (const part of this.parts) open(part, part === wanted);
    if (["play", this.#behind].includes(wanted.name)) this.#behind = "play";
    this.work.tab = this.workbench.dataset.view = wanted.name;
    this.ofBoard.hidden = wanted.name !== "play";
    fill(this.back, "‹", h("span", {}, this.#wayBack()));
    this.panels.scrollTop = 0;
    if (this.work.puzzle) this.#tell();
    if (!link) return;
    scrollTo(0, 0); // what is new is at the top
    this.work.link();
  }

  #wayBack() {
    if (this.work.tab === "play") return "Puzzles";
    return this.#behind === "edit" ? "Change it" : "Play";
  }

  /** @type {TurnTo} */
  #turnTo = (name, from = this.work.tab) => {
    this.#behind = from;
    this.#choose(name);
    return this.parts.find((part) => part.name === name).made;
  };

  /** From the board back to the gallery; from another view back to the editor, if that led there,
   * or to the board. */
  #leave = (event) => {
    if (this.work.tab === "play") return;
    event.preventDefault();
    this.#choose(this.#behind);
  };

  /** A digit, a letter or an arrow is for the board, or the first cell of an editor, if nothing else
   * has the focus, or a brush with which one writes. Returns whether it was. */
  #pressBoard(event) {
    const { target, key } = event;
    const writes = /^[\p{L}\p{N}]$/u.test(key) || key.startsWith("Arrow");
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (!isFree(target) || !writes || isChord || !["play", "edit"].includes(this.work.tab))
      return false;
    const easel = this.workbench.querySelector(".easel");
    const first = easel.querySelector("[tabindex='0']") ?? easel.querySelector("[inputmode]");
    if (!first) return false;
    first.focus({ preventScroll: true });
    if (first.matches("input")) return true; // it gets the key itself
    event.preventDefault(); // no arrow scrolls the page
    const { shiftKey } = event;
    first.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
    return true;
  }

  /** Undo and redo by keys, where no text is typed; other keys are for the stage. */
  #press = (event) => {
    if (this.#pressBoard(event)) return;
    const by = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()];
    const typing = event.target.closest("input, textarea, select");
    if (!by || !(event.ctrlKey || event.metaKey) || typing) return this.stage.key(event);
    event.preventDefault();
    (this.work.tab === "play" ? this.parts[0].made : this.work).step(by);
  };

  // -- the puzzle

  /** Show the picture of an instance before Python is loaded. */
  async #preview() {
    const svg = await keptPicture(this.wanted.name);
    if (this.work.puzzle) return;
    this.stage.unsolved(svg);
    for (const { made } of this.parts) made.preview?.(svg);
  }

  #changed() {
    const { work, stage, workbench } = this;
    const { family, missing, svg } = work.puzzle;
    fill(this.facts, ...doubtsOf(work.puzzle), chooserOf(work), this.#rules());
    workbench.dataset.family = family;
    workbench.classList.toggle("stones", hasStones(family));
    this.#tell();
    stage.unsolved(svg);
    if (missing) stage.other(svg, `Not complete yet: ${missing}`);
    // What is not complete when it is opened goes on where it was left.
    if (missing && !this.#opened && work.tab === "play") this.#choose("edit", { link: false });
    this.#opened = true;
    for (const { made } of this.parts) made.changed?.();
  }

  /** The title of the puzzle, and below it its kind and its number of solutions. One who makes
   * puzzles of a kind sees only that, not the example at hand. */
  #tell() {
    const { puzzle, makesKind } = this.work;
    const kind = kindName(puzzle.family);
    const title = makesKind ? kind : titleOf(puzzle);
    document.title = `${title} – jigsat`;
    fill(this.title, title);
    this.title.toggleAttribute("data-long", title.length > LONG_TITLE);
    if (makesKind) return fill(this.about, "New puzzles of this kind");
    const named = titleOf(puzzle).startsWith(kind); // the title names the kind already
    const count = brief(puzzle.known);
    const known = (text) => count && h("span", { class: "known" }, text);
    fill(this.about, !named && h("span", { class: "kind" }, kind, known(" · ")), known(count));
  }

  /** The rules and the source, open as they were. */
  #rules() {
    const { family, source, rules } = this.work.puzzle;
    if (!rules.length && !source) return null;
    const opened = this.facts.querySelector("details:has(li)")?.open;
    return h(
      "details",
      { open: opened ?? Boolean(FAMILIES[family]?.told) },
      h("summary", {}, "The rules"),
      h("ul", {}, ...rules.map(listed)),
      source && h("p", { class: "quiet" }, `Source: ${source}`),
    );
  }

  /** The text of the puzzle is wrong. */
  #wrong() {
    if (!this.work.puzzle) return this.#unread();
    this.stage.outdated();
    for (const { made } of this.parts) made.broken?.();
  }

  /** No puzzle could be read. A text can be mended in the editor. */
  #unread() {
    fill(this.title, "A puzzle with an error");
    fill(this.about);
    if (this.wanted.text !== undefined) return this.#choose("edit", { link: false });
    fill(
      this.main,
      h("p", { class: "problem", role: "alert" }, this.work.problem.message),
      h("p", {}, h("a", { href: "#" }, "Go to the gallery")),
    );
  }
}

/** Whether keys that are pressed there are for the board: where nothing has the focus, and where a
 * brush has it. */
const isFree = (target) =>
  target === document.body || (target.closest(".palette") && !target.matches(":read-write"));

/** A rule, or a heading and the rules below it. A long one scrolls, also by keys. */
function listed(rule) {
  const [first, ...below] = rule.split("\n");
  if (below.length) return h("li", {}, first, h("ul", {}, ...below.map(listed)));
  return h("li", { tabindex: first.length > LONG_RULE ? 0 : null }, first);
}

/** Open the panel of a view, or close it. */
function open({ entry, panel, made }, chosen) {
  if (chosen) entry.setAttribute("aria-current", "true");
  else entry.removeAttribute("aria-current");
  panel.hidden = !chosen;
  if (chosen) made.shown?.();
}

/** What is probably a mistake; of an entry the editor says so at its place. */
const doubtsOf = ({ doubts, doubtful }) =>
  doubts.map((doubt, i) => {
    const looks = { class: "problem", "data-placed": doubtful[i].length > 0 };
    return h("p", looks, `Perhaps a mistake: ${doubt}.`);
  });

/** A menu of the puzzles of a file with several. */
const chooserOf = (work) =>
  work.puzzle.of > 1 &&
  select(puzzles(work.puzzle.of), work.puzzle.number, {
    "aria-label": "Puzzle of this file",
    onchange: delayed(0, ({ target }) => work.choose(Number(target.value))),
  });

const puzzles = (of) => Array.from({ length: of }, (_, i) => [i + 1, `Puzzle ${i + 1} of ${of}`]);
