// Making: download, print, and generate puzzles.

import { arrange, button, calm, field, fill, h, picture, select } from "../dom.js";
import { fileName, save, savePng, savePuzzle } from "../files.js";
import { likeness } from "../editors/begin.js";
import { answer, one } from "../engines/engine.js";
import { readList, writeList } from "../kept.js";
import { options, schemaFields } from "../editors/schema.js";

const MADE = "jigsat-made";
const MOST_SETS = 10; // of generated puzzles that are kept
const FORMATS = [
  ["cnf", "SAT (DIMACS)"],
  ["opb", "Pseudo-Boolean (OPB)"],
  ["smt2", "SMT (SMT-LIB)"],
];

export function makePanel(panel, work, stage) {
  const saving = new Saving(work, stage);
  const generating = new Generating(work, saving);

  async function show() {
    const { family, missing } = work.puzzle;
    generating.begin();
    const both = [saving.element, generating.element];
    const makingFirst = missing || work.makesKind; // what can be done, or is wanted
    fill(panel, ...(makingFirst ? both.reverse() : both));
    const { generator, formats } = await work.about(family);
    saving.offer(formats);
    generating.offer(generator);
  }

  fill(panel, saving.element, generating.element);
  const shown = () => show().catch((error) => generating.fail(error.message));
  return {
    changed: () => panel.hidden || shown(),
    shown: () => work.puzzle && shown(),
    close: () => generating.stop(),
  };
}

/** A line that says what is being done, or what was done last. */
class Report {
  #last = 0; // the number of what was begun last

  constructor(work, attributes = {}) {
    this.work = work;
    this.element = h("p", { role: "status", class: "quiet", ...attributes });
  }

  say(words, looks = "quiet") {
    this.element.className = looks;
    this.element.textContent = words;
  }

  /** Do something and say so, at last with the words that it gives. */
  async follow(words, act) {
    const mine = ++this.#last;
    this.say(words);
    try {
      if (this.work.puzzle) await this.work.settled; // an edit that is under way
      const done = (await act()) ?? "";
      if (mine === this.#last) this.say(done);
    } catch (error) {
      if (mine === this.#last) this.say(error.message, "problem");
    }
  }
}

/** The buttons that print and download the puzzle. */
class Saving {
  #others = h("div", { class: "row", hidden: true });

  constructor(work, stage) {
    this.work = work;
    this.report = new Report(work);
    const svg = () => save(`${fileName(work)}.svg`, "image/svg+xml", stage.svg);
    const png = () => savePng(`${fileName(work)}.png`, stage.svg);
    const files = [
      button("Picture (SVG)", () => this.#keep(svg), { id: "save-svg" }),
      button("Picture (PNG)", () => this.#keep(png), { id: "save-png" }),
      button("Puzzle file", () => this.#keep(() => savePuzzle(work)), { id: "save-toml" }),
    ];
    const formats = FORMATS.map(([format, words]) => this.#download(format, words));
    const formatting = h(
      "details",
      { id: "formats" },
      h("summary", {}, "Files for other programs"),
      h("div", { class: "row" }, this.#others, ...formats),
    );
    this.element = h(
      "section",
      {},
      h("h2", {}, "Print and download"),
      this.printer("Print", "print", () => [work.source]),
      h("div", { class: "row" }, ...files),
      formatting,
      this.report.element,
    );
  }

  /** Offer the text formats of the family as well. */
  offer(formats) {
    this.#others.hidden = !formats.length;
    fill(this.#others, ...formats.map((format) => this.#download(format, `Puzzle (${format})`)));
  }

  /** Nothing is saved of a puzzle with an error. */
  #keep(act) {
    return this.report.follow("", async () => void (this.work.source && (await act())));
  }

  #download(format, words) {
    const write = async () => {
      const request = { kind: "export", puzzle: this.work.source, format };
      for await (const file of answer(this.work.engine, request))
        save(`${fileName(this.work)}.${format}`, file.type, file.text);
    };
    const click = () => this.report.follow("Writing the file …", write);
    return button(words, click, { id: `save-${format}` });
  }

  /** Buttons that print puzzles, without and with their solutions. */
  printer(words, id, puzzles) {
    const print = (solutions) =>
      this.report.follow("Drawing the sheets …", () => this.#print(puzzles(), solutions));
    return h(
      "div",
      { class: "row" },
      button(words, () => print(false), { id }),
      button(`${words} with solutions`, () => print(true), { id: `${id}-solved` }),
    );
  }

  /** Print the sheets of puzzles. */
  async #print(puzzles, solutions) {
    const request = { kind: "print", puzzles: puzzles.map(({ text }) => ({ text })), solutions };
    const pages = await one(this.work.engine, request, "file");
    const parsed = new DOMParser().parseFromString(pages.text, "text/html");
    for (const unsafe of parsed.querySelectorAll("script, foreignObject")) unsafe.remove();
    const sheets = [...parsed.head.childNodes, ...parsed.body.childNodes];
    const box = h("div", { class: "sheets" }, ...sheets);
    document.body.append(box);
    addEventListener("afterprint", () => box.remove(), { once: true });
    globalThis.print();
  }
}

/** The form of the generator, and the puzzles that were made. What was made, and whether more is
 * being made, is one state, which `#draw` alone shows. */
class Generating {
  #state = { made: [], running: null, offered: false };
  #cards = new WeakMap(); // by the puzzle that was made: its {item, paper}
  #asked = ""; // the family and the settings that the form shows
  #form = h("div", {});
  #made = h("ul", { class: "cards made", "aria-label": "Generated puzzles" });
  #seed = h("input", { type: "number", min: 0, value: 1, id: "seed" });
  #number = h("input", { type: "number", min: 1, max: 50, value: 3, id: "number" });
  #difficulty = select(
    [
      ["", "any"],
      ["easy", "easy"],
      ["medium", "medium"],
      ["hard", "hard"],
    ],
    "",
    { id: "difficulty" },
  );
  #halt = button("Stop", () => this.stop());

  constructor(work, saving) {
    this.work = work;
    this.report = new Report(work, { id: "making" });
    this.printAll = saving.printer("Print all", "print-all", () => this.#state.made);
    this.element = h(
      "section",
      {},
      h("h2", {}, "Generate"),
      this.#form,
      this.report.element,
      this.printAll,
      this.#made,
    );
    this.#draw();
  }

  stop() {
    this.#state.running?.abort();
  }

  fail(words) {
    fill(this.#form, h("p", { class: "problem" }, words));
  }

  // -- the state

  #update(changed) {
    this.#state = { ...this.#state, ...changed };
    this.#draw();
  }

  #draw() {
    const { made, running, offered } = this.#state;
    this.#halt.disabled = !running;
    this.printAll.hidden = !offered;
    this.printAll.inert = !made.length; // until there is something to print
    arrange(
      this.#made,
      made.map((each) => this.#card(each).item),
    );
  }

  /** The card of a puzzle that was made, and on it the place of its picture. */
  #card(puzzle) {
    if (!this.#cards.has(puzzle)) this.#cards.set(puzzle, cardOf(puzzle, this.work));
    return this.#cards.get(puzzle);
  }

  // -- the form

  /** Say that the form will come. */
  begin() {
    if (!this.#asked) fill(this.#form, h("p", { class: "quiet" }, "Loading …"));
  }

  /** Offer to generate puzzles like the one at hand; `schema` is that of the generator's options,
   * null if there is none. */
  offer(schema) {
    this.#recall().catch(console.error);
    const { family, clues } = this.work.puzzle;
    const like = likeness(this.work.puzzle);
    const now = JSON.stringify([family, like, clues > 0]);
    if (this.#asked === now) return;
    this.#asked = now;
    if (!schema)
      fill(this.#form, h("p", { class: "quiet" }, "There is no generator for this family."));
    else this.#ask(schemaFields(schema, like), like, clues);
  }

  #ask(fields, like, clues) {
    const { family } = this.work.puzzle;
    const go = () => this.#generate({ family, options: options(fields) });
    const again = () => this.#generate({ puzzle: this.work.source });
    const same = Object.entries(like).filter(
      ([name, value]) => fields.some((each) => each.name === name) && !String(value).includes("\n"),
    );
    const words = same.map(([name, value]) => `${name} ${value}`).join(", ");
    fill(
      this.#form,
      h(
        "p",
        { class: "quiet" },
        this.work.makesKind
          ? "New puzzles, of the size of the one in the picture unless you change it in the settings."
          : "New puzzles of the kind and size of this one, even if it is not complete.",
      ),
      h(
        "div",
        { class: "row fields" },
        field("How many", this.#number),
        field("Difficulty", this.#difficulty),
        field("Random start", this.#seed, "another number, other puzzles"),
      ),
      h(
        "details",
        {},
        h("summary", {}, `Settings${words && ` (${words}, as in this puzzle)`}`),
        h("div", { class: "row fields" }, ...fields.map(({ label }) => label)),
      ),
      h(
        "div",
        { class: "row" },
        button("Generate", go, { class: "main", id: "generate" }),
        clues > 0 && button("New clues for this puzzle", again),
        this.#halt,
      ),
    );
  }

  // -- making

  async #generate(wanted) {
    this.stop();
    const running = new AbortController();
    const request = {
      kind: "generate",
      seed: Number(this.#seed.value) || 0,
      number: Number(this.#number.value) || 1,
      difficulty: this.#difficulty.value || null,
      ...wanted,
    };
    this.#update({ made: [], running, offered: true });
    const done = this.report.follow("Generating …", () => this.#receive(request, running.signal));
    // now, not when one aims at what was made
    this.#made.scrollIntoView({ block: "nearest", behavior: calm() ? "instant" : "smooth" });
    await done;
    if (this.#state.running === running) this.#update({ running: null });
  }

  async #receive(request, signal) {
    const from = this.#origin;
    for await (const message of this.work.engine.ask(request, signal)) {
      if (this.#state.running?.signal !== signal) break; // others are being made now
      if (message.kind === "puzzle") this.#add(message, request, from);
      if (message.kind === "error" || (message.kind === "stopped" && !signal.aborted))
        throw new Error(message.message);
    }
    return `${this.#state.made.length} made.`;
  }

  #add({ toml, title: given, svg }, { number, difficulty }, from) {
    const title = [given || "A new puzzle", difficulty].filter(Boolean).join(", ");
    const at = this.#state.made.length + 1;
    const words = number > 1 && !title.includes(`no. ${at}`) ? `${at}. ${title}` : title;
    const puzzle = { text: toml, words };
    this.#update({ made: [...this.#state.made, puzzle] });
    this.#keep(from);
    if (at < number) this.report.say(`Generating … ${at} of ${number} made`);
    fill(this.#card(puzzle).paper, picture(svg, ""));
  }

  // -- what is kept

  /** What tells the puzzle from which others are made. */
  get #origin() {
    return this.work.name ?? this.work.id;
  }

  /** Keep what was made, for when the puzzle from which it was made, or one of these, is opened
   * again. */
  #keep(from) {
    const others = readList(MADE).filter((each) => each.from !== from);
    writeList(MADE, [{ from, all: this.#state.made }, ...others].slice(0, MOST_SETS));
  }

  async #recall() {
    const found = readList(MADE).find(
      ({ from, all }) => from === this.#origin || all.some(({ text }) => text === this.work.text),
    );
    if (!found || this.#state.made.length) return;
    const made = found.all;
    this.#number.value = made.length;
    this.#update({ made, offered: true });
    this.report.say(`${made.length} made.`);
    for (const puzzle of made) {
      if (this.#state.made !== made) return;
      const request = { kind: "load", puzzle: { text: puzzle.text } };
      const { svg } = await one(this.work.engine, request, "puzzle");
      fill(this.#card(puzzle).paper, picture(svg, ""));
    }
  }
}

/** The card of a puzzle that was made. */
function cardOf({ text, words }, work) {
  const paper = h("span", { class: "paper", "aria-hidden": "true" });
  const looks = { class: "card", "aria-label": `Open ${words}` };
  const opener = button([paper, h("span", {}, words)], () => work.turnTo({ text }), looks);
  return { item: h("li", {}, opener), paper };
}
