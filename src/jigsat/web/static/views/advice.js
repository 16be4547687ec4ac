// Advice while one plays: what can go where, whether it is right so far, the next step, and why
// something cannot be.

import { announce, button, fill, h, select } from "../dom.js";
import { answer, one } from "../engines/engine.js";
import { brief, capitalized, number, plural } from "../words.js";
import { drawNews, drawSides, showCandidates } from "./marks.js";
import { numberLines, outline, sharedSides, text } from "./table.js";

const MARKS = [
  ["", "Marks: none"],
  ["open", "Marks: what the rules allow"],
  ["candidates", "Marks: what solutions have (a spoiler)"],
];
// what is outlined or written
const KINDS = ["area", "fact", "new", "gone", "conflict", "fault", "news", "ruler"];
const MOST_FAULTS = 3; // that are told at once
// milliseconds that an unfinished answer waits to be drawn, because the finished one may come
const BRIEF = 120;

// milliseconds that one waits to hear whether there is only one solution
const PATIENCE = 8000;
// that there is one solution, by what counts as one
const ONE = [
  ["nothing", "exactly one solution"],
  ["reflection", "exactly one solution, apart from turned and mirrored ones"],
];

const texts = (candidates) => candidates.map(({ placement }) => text(placement));
const namesOf = (candidates) => [...new Set(candidates.flatMap(({ names }) => names))];

/** The marks that tell what can go where. `play` is that of the advice; `known(kind)` is what is
 * known for a question. */
class Marks {
  choice = select(MARKS, "", {
    id: "marks",
    "aria-label": "What is marked on the board",
    onchange: () => (this.chosen(), this.mark()),
  });
  legend = h("p", { class: "quiet", id: "legend", hidden: true });
  #table = null;
  #statuses = "";
  #stale = false; // whether they must be found again
  #marking = new AbortController(); // the candidates that are being found

  constructor(work, board, play, { known, chosen }) {
    this.work = work;
    this.board = board;
    this.play = play;
    this.known = known;
    this.chosen = chosen;
  }

  get allowed() {
    return this.choice.value === "open";
  }

  start(table) {
    this.stop();
    this.#table = table;
    this.choice.disabled = !table;
  }

  stop() {
    this.#marking.abort();
  }

  /** Something else lies on the board. */
  moved() {
    this.stop();
    this.#statuses = "";
    this.#stale = true;
    this.#paint();
  }

  /** The board was drawn. What can go where is found only then, because that may take long. */
  drawn() {
    if (this.#stale) this.mark();
    else this.#paint();
    this.#stale = false;
  }

  /** A piece was picked up or put down. */
  held() {
    if (this.#table && this.#statuses) this.#paint();
  }

  async mark() {
    this.stop();
    const { signal } = (this.#marking = new AbortController());
    this.#statuses = "";
    this.legend.hidden = !this.choice.value;
    if (!this.#table) return;
    this.#paint();
    if (!this.choice.value) return;
    fill(this.legend, "Searching …");
    try {
      await this.#receive(signal);
    } catch (error) {
      if (!signal.aborted) fill(this.legend, sentence(error.message));
    }
  }

  async #receive(signal) {
    let timer = 0;
    const draw = () => {
      if (signal.aborted) return;
      this.#paint();
      fill(this.legend, this.#meaning());
    };
    const kind = this.choice.value;
    const request = { kind, puzzle: this.work.source, ...this.known(kind) };
    for await (const message of answer(this.work.engine, request, signal)) {
      if (signal.aborted) return;
      if (message.kind !== "candidates") continue;
      this.#statuses = message.statuses;
      timer ||= setTimeout(() => ((timer = 0), draw()), BRIEF);
    }
    clearTimeout(timer);
    draw();
  }

  #paint() {
    const table = this.#table;
    if (!this.board.querySelector("svg")) return;
    const held = table.typed || table.toggles ? null : this.play.held();
    const found = this.allowed ? this.#statuses.replaceAll("?", "+") : this.#statuses;
    const taken = new Set([...table.given, ...namesOf(this.play.placed())]);
    showCandidates(this.board, table, found, taken, held);
  }

  /** What the marks mean. */
  #meaning() {
    const table = this.#table;
    if (this.allowed)
      return `What each rule by itself allows. ${table.toggles ? "– is excluded." : this.#counts()}`;
    const open = /[?*]/.test(this.#statuses); // not all is known yet
    if (this.#statuses && !open && !/[!+]/.test(this.#statuses))
      return "No solution has all of this. Check marks what cannot stand together.";
    const rest = open ? " Hatched: not all is known yet." : "";
    if (table.toggles) return `● is in every solution, ? in some, – in none.${rest}`;
    if (!open && !this.#statuses.includes("+"))
      return "There is only one solution with what is placed: this one.";
    return `What is in some solution${table.pencil ? "; bold: in every one" : ""}. ${this.#counts()}${rest}`;
  }

  /** How many ways there are for a piece, as the marks show them. */
  #counts() {
    const dark = this.#table.pencil ? "" : "The darker, the more can go there. ";
    const held = "Pick up a piece to see where it can go, and in how many ways.";
    return dark + (this.#table.typed ? "" : held);
  }
}

/** What is told, and drawn on the board, when one asks for advice. `play` has what lies on the board
 * (`placed`), what the cursor is on (`lying`), what is `held`, how else a piece would lie
 * (`turnsOf`), the moves `make`, `takeBack` and `turnTo`, and `hush`. */
export class Advice {
  next = button("Hint", () => this.#hint(), {
    id: "next-step",
    class: "main",
    "data-icon": "✦",
  });
  #why = button("Why not here?", () => this.#explain(), { id: "why" });
  said = h("div", { class: "advice", id: "advice", role: "status" });
  /** The degrees of a hint so far, above the present one; they are seen where there is room. */
  trail = h("ol", { class: "trail" });
  #degrees = []; // each with its title, and what it says
  buttons = h("div", { class: "row answers", id: "answers" });
  #table = null;
  #asking = new AbortController(); // the question that is being answered
  #shown = []; // what is outlined: its kind, and candidates
  // what earlier steps have found besides what lies on the board: from which placements, and what
  #notes = [];

  constructor(work, board, tray, play) {
    this.work = work;
    this.board = board;
    this.tray = tray;
    this.play = play;
    this.marks = new Marks(work, board, play, {
      known: (kind) => this.#known(kind),
      chosen: () => this.clear(),
    });
    this.legend = this.marks.legend;
    this.elements = [this.marks.choice, this.#why];
  }

  // -- what happens

  /** Another puzzle is played; null if none is. */
  start(table) {
    this.clear();
    this.marks.start(table);
    this.#table = table;
    this.#notes = [];
    for (const each of [this.next, this.#why]) each.disabled = !table;
    if (table) this.moved();
  }

  /** Something else lies on the board, which will be drawn. */
  moved() {
    this.clear();
    this.marks.moved();
  }

  /** The board was drawn. */
  drawn() {
    for (const [kind, candidates] of this.#shown) this.#trace(kind, candidates);
    this.marks.drawn();
  }

  /** A piece was picked up or put down. */
  held() {
    this.marks.held();
  }

  close() {
    this.#asking.abort();
    this.marks.stop();
  }

  // -- asking and telling

  get #placements() {
    return this.play.placed().map(({ placement }) => placement);
  }

  #onTable(all) {
    const { candidates } = this.#table;
    return all
      .map((placement) => candidates.find((each) => text(each.placement) === text(placement)))
      .filter(Boolean);
  }

  /** What is known from what was played and from steps, for a question. */
  #known(kind = "open") {
    if (kind === "candidates") return { placements: this.#placements };
    const lie = texts(this.play.placed());
    this.#notes = this.#notes.filter(({ from }) => from.every((each) => lie.includes(each)));
    return {
      placements: [...this.#placements, ...this.#notes.flatMap((note) => note.placed)],
      excluded: this.#notes.flatMap((note) => note.excluded),
    };
  }

  /** Say something, with buttons below. */
  #say(words, ...buttons) {
    const lines = [words]
      .flat()
      .map((line) => (typeof line === "string" ? line && h("p", {}, line) : line));
    this.#degrees = [];
    fill(this.trail);
    fill(this.said, ...lines);
    fill(this.buttons, ...buttons);
    if (!words) return;
    this.play.hush();
    this.buttons.scrollIntoView({ block: "nearest" });
    announce(lines.map((line) => line.textContent).join(" "));
  }

  /** Say a degree of a hint, below those that were said before. */
  #sayDegree(title, words, ...buttons) {
    const before = this.#degrees;
    this.#say(words, ...buttons);
    this.#degrees = [...before, { title, lines: [...this.said.children] }];
    const last = before.length;
    const items = this.#degrees.map((degree, i) => {
      const lines = i === last ? [] : degree.lines.map((line) => line.cloneNode(true));
      return h("li", {}, h("strong", {}, degree.title), ...lines);
    });
    fill(this.trail, ...items);
    this.play.hush(); // which keeps the room of all of them
    if (this.trail.checkVisibility()) this.said.scrollIntoView({ block: "nearest" });
  }

  /** Outline nothing, and stop answering. */
  clear() {
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#shown = [];
    if (this.board.querySelector("svg"))
      for (const kind of KINDS) outline(this.board, this.#table, kind, []);
    for (const piece of this.tray.element.querySelectorAll("[data-about]"))
      delete piece.dataset.about;
    delete this.board.dataset.advice;
    this.#say("");
  }

  /** Ask, and pass on the messages of the answer; `words` stand above until it comes. */
  async #ask(request, act, words = "") {
    this.clear();
    const { signal } = this.#asking;
    const stop = button("Stop", () => (this.clear(), this.#say(words)));
    this.#say([words, "Searching …"].filter(Boolean), stop);
    const whole = { puzzle: this.work.source, placements: this.#placements, ...request };
    try {
      for await (const message of answer(this.work.engine, whole, signal)) {
        if (signal.aborted) return;
        await act(message);
      }
    } catch (error) {
      if (!signal.aborted) this.#say(sentence(error.message));
    }
  }

  // -- whether it is right

  /** No rule is broken, as `words` say: find whether some solution has what is placed. */
  judge(words) {
    this.#ask({ kind: "judge" }, (message) => this.#judged(message), words);
  }

  async #judged({ right: fits, conflict }) {
    const { signal } = this.#asking;
    if (fits && !this.play.placed().length) return this.#tellNumber();
    if (fits)
      return this.#say("Right so far: no rule is broken, and some solution has all of this.");
    const { broken } = await one(
      this.work.engine,
      { kind: "play", puzzle: this.work.source, placements: this.#placements, check: true },
      "position",
    );
    if (signal.aborted) return;
    if (broken.length) return this.#say(this.faults(broken), this.#undoing(broken[0].placements)); // the plain error first
    if (!conflict.length) return this.#say("This puzzle has no solution, whatever is placed.");
    const wrong = this.#onTable(conflict);
    const turned = wrong.length === 1 && this.#table.turns && (await this.#turnRight(wrong[0]));
    if (signal.aborted) return;
    this.#show("conflict", wrong);
    if (turned)
      return this.#say(
        `Not right: ${this.#table.saidOf(wrong[0])} must be turned. No solution has it there this way.`,
        button("Turn it", () => this.play.turnTo(turned, wrong[0]), { id: "turn-right" }),
      );
    this.#say(mistake(wrong, this.#table), this.#undoing(conflict));
  }

  /** Nothing is placed: say whether the puzzle has exactly one solution, if that is known or soon
   * found. */
  async #tellNumber() {
    const { signal } = this.#asking;
    const empty = "Nothing is placed yet";
    const { known } = this.work.puzzle;
    if (known.solutions !== undefined) return this.#say(`${empty}. There ${countedIn(known)}.`);
    const stop = button("Stop", () => this.clear());
    this.#say(`${empty}, and there is a solution. Is it the only one? Searching …`, stop);
    const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    const told = await this.#numberOf(soon).catch((error) => {
      if (!soon.aborted) throw error;
    });
    if (signal.aborted) return;
    this.#say(
      told
        ? `${empty}. There is ${told}.`
        : `${empty}, and there is a solution. Whether it is the only one was not found soon.`,
    );
  }

  /** Whether the puzzle has one solution, in words; undefined if that is not found. */
  async #numberOf(signal) {
    for (const [level, words] of ONE) {
      const request = { kind: "unique", puzzle: this.work.source, up_to: level };
      const found = await one(this.work.engine, request, "uniqueness", signal);
      if (found.unique) return words;
      if (found.solutions.length < 2) return undefined;
    }
    return "more than one solution";
  }

  /** A wrong piece as it could lie there, turned, with all else on the board; null if it cannot. */
  async #turnRight(wrong) {
    const others = this.play.placed().filter((each) => each !== wrong);
    for (const turned of this.play.turnsOf(wrong)) {
      const placed = [...others, turned].map(({ placement }) => placement);
      const request = { kind: "judge", puzzle: this.work.source, placements: placed };
      if ((await one(this.work.engine, request, "judgement")).right) return turned;
    }
    return null;
  }

  /** A button that takes off what came last of some placements. */
  #undoing(those) {
    const names = those.map(text);
    const last = this.play.placed().findLast(({ placement }) => names.includes(text(placement)));
    const what = those.length > 1 ? last && this.#table.saidOf(last) : "it";
    const words = this.#table.clears ? `Clear ${what}` : `Put ${what} back`;
    return last && button(words, () => this.play.takeBack(last), { id: "take-off" });
  }

  // -- the next step

  /** Ask for the next step; once more, tell more of it. */
  #hint() {
    const more = this.buttons.querySelector("#which-rules, #conclusion, #make");
    if (more) more.click();
    else this.step();
  }

  step() {
    this.#ask({ kind: "step", ...this.#known() }, (message) => {
      if (message.kind === "judgement") this.#judged(message);
      else if (message.reasoning === "none") this.#choose(message);
      else if (!message.rules.length)
        this.#conclude(message); // only a search or the symmetry shows it
      else this.#where(message);
    });
  }

  #choose({ undecided: open, choice }) {
    if (!open) return this.#say("Nothing is left to be decided.");
    const [one] = this.#onTable(choice ? [choice] : []);
    this.#say(
      `Logic goes no further: there are several solutions. ${plural(open, "placement")} can still be chosen; the marks can show them.`,
      one && button("Place one of them", () => this.play.make([one]), { class: "main" }),
    );
  }

  #where(message) {
    const pieces = message.rules.flatMap((rule) => rule.pieces);
    const lying = [...this.play.placed(), ...this.#table.fixed].filter(
      ({ piece }) => !message.about.length && pieces.includes(piece),
    );
    // A sentence about edges names those that the step decides, if it is about no rule's place.
    const decided =
      this.#table.grid?.hasEdges && !message.about.length
        ? this.#onTable([...message.placed, ...message.excluded])
        : [];
    this.#show("area", [{ names: message.at.map(text) }, ...lying, ...decided]);
    for (const each of this.tray.element.children)
      if (pieces.includes(each.dataset.piece)) each.dataset.about = "";
    const several =
      message.undecided && "There is more than one solution, so logic does not decide everything.";
    this.#sayDegree(
      "Where to look",
      [several, this.#table.readable(message.look)].filter(Boolean),
      button("Why?", () => this.#which(message), { id: "which-rules", class: "main" }),
    );
  }

  #which(message) {
    const title = message.title && sentence(message.title);
    this.#sayDegree(
      "Why",
      [title, this.#table.readable(message.ask)].filter(Boolean),
      button("What follows?", () => this.#conclude(message), { id: "conclusion", class: "main" }),
    );
  }

  #conclude(message) {
    const placed = this.#onTable(message.placed);
    const rest = {
      from: texts(this.play.placed()),
      excluded: message.excluded,
      placed: message.placed.filter((each) => !this.#onTable([each]).length),
    };
    const go = () => {
      this.#notes.push(rest);
      if (placed.length) return this.play.make(placed);
      if (this.marks.allowed) this.marks.mark();
      this.step();
    };
    if (message.at.length < message.about.length)
      this.#show("area", [{ names: message.about.map(text) }]);
    this.#found(message);
    this.#sayDegree(
      "What follows",
      this.#told(message),
      button(placed.length ? "Place it" : "Go on", go, { id: "make", class: "main" }),
    );
  }

  /** What follows, and below it why: the sentences of the step. A chain that nobody follows is behind
   * a summary. */
  #told(message) {
    const { follows, because } = conclusionOf(message.lines);
    const said = (line, looks) => h("p", looks, this.#table.readable(line));
    const lines = [
      ...follows.map((line) => said(line, { class: "conclusion" })),
      ...[...because, ...message.beside].map((line) => said(line, {})),
    ];
    if (!message.chain.length) return lines;
    const chain = message.chain.map((line) =>
      h("p", { class: "quiet" }, this.#table.readable(line)),
    );
    return [...lines, h("details", {}, h("summary", {}, "The chain of rules"), ...chain)];
  }

  #found(message) {
    this.#show("fact", this.#onTable(message.used));
    this.#show("new", this.#onTable(message.placed));
    this.#show("gone", this.#onTable(message.excluded));
  }

  // -- why not

  #explain() {
    const lying = this.play.lying();
    if (!lying) return this.#say("Put something there first, and leave the cursor on it.");
    const others = this.play.placed().filter((each) => each !== lying);
    const rest = others.map(({ placement }) => placement);
    this.#ask({ kind: "why", placements: rest, placement: lying.placement }, (message) => {
      if (message.reasoning === "none")
        return this.#say(
          `It can be there: some solution has it, together with everything else on the ${this.#table.board}.`,
        );
      this.#show("area", [{ names: message.about.map(text) }]);
      this.#found(message);
      this.#say(
        message.reasoning === "by trial"
          ? "It cannot be there, but that is found only by trying."
          : this.#told(message),
        button(this.#table.clears ? "Clear it" : "Put it back", () => this.play.takeBack(lying), {
          class: "main",
          id: "take-off",
        }),
      );
    });
  }

  /** Mark what breaks rules: the sides where two pieces meet, or else the pieces. Returns what is
   * wrong, in a few sentences. */
  faults(broken) {
    this.clear();
    if (!broken.length)
      return this.play.placed().length ? "No rule is broken so far." : "Nothing is placed yet.";
    const areas = [...new Set(broken.flatMap(({ about }) => about).map(text))];
    if (areas.length && !this.#table.turns) this.#show("area", [{ names: areas }]);
    for (const { placements: those } of broken) {
      const pieces = this.#onTable(those);
      const sides = pieces.length === 2 ? sharedSides(this.#table, namesOf(pieces)) : [];
      if (sides.length && this.#table.turns) this.#show("fault", sides);
      else
        this.#show("conflict", [
          ...this.#shown.filter(([kind]) => kind === "conflict").flatMap(([, before]) => before),
          ...pieces,
        ]);
    }
    const told = [...new Set(broken.map(({ words }) => sentence(this.#table.readable(words))))];
    return [
      ...told.slice(0, MOST_FAULTS),
      told.length > MOST_FAULTS && `And ${number(told.length - MOST_FAULTS)} more.`,
    ]
      .filter(Boolean)
      .join(" ");
  }

  #show(kind, candidates) {
    this.#shown.push([kind, candidates]);
    this.#trace(kind, candidates);
  }

  #trace(kind, candidates) {
    if (kind === "fault") return drawSides(this.board, candidates);
    outline(
      this.board,
      this.#table,
      kind,
      namesOf(candidates).filter((name) => this.#table.outlines.has(name)),
    );
    if (kind === "new" || kind === "gone")
      drawNews(this.board, this.#table, candidates, kind, (all) => this.tray.look(...all));
    numberLines(this.board, this.#table);
    this.board.dataset.advice = "";
  }
}

/** The sentences of a step that say what follows, and those before them. */
function conclusionOf(lines) {
  const at = lines.findLastIndex((line) => line.startsWith("So "));
  if (at < 0) return { follows: [], because: lines };
  const [first, ...others] = lines.slice(at);
  return { follows: [capitalized(first.slice(3)), ...others], because: lines.slice(0, at) };
}

/** What is known of the number of solutions, after 'There'. */
const countedIn = (known) =>
  String(known.solutions) === "1" ? `is ${ONE[0][1]}` : `are ${brief(known)}`;

const sentence = (words) => `${capitalized(words)}.`;

/** What to do about placements that no solution has together. */
function mistake(wrong, table) {
  const off = table.clears ? "be cleared" : "come off";
  if (wrong.length === 1)
    return `Not right: ${table.saidOf(wrong[0])} must ${off}. No solution has it there.`;
  const those = `one of these ${number(wrong.length)} must ${off}`;
  return `Not right: ${those}. No solution has them together; they are marked.`;
}
