// Advice while one plays: what can go where, whether it is right so far, the next step, and why
// something cannot be.

import { announce, button, fill, h, select } from "../dom.js";
import { answer, one } from "../engines/engine.js";
import { capitalized, number, plural } from "../words.js";
import { drawNews, drawSides, showCandidates } from "./marks.js";
import { numberLines, outline, sharedSides, text, words } from "./table.js";

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

/** `play` has what lies on the board (`placed`), what the cursor is on (`lying`), how else a piece
 * would lie (`turnsOf`), the moves `make`, `takeBack` and `turnTo`, and `hush`. */
export function advicePanel(work, board, tray, play) {
  const next = button("Hint", () => hint(), { id: "next-step", class: "main", "data-icon": "✦" });
  const why = button("Why not here?", explain, { id: "why" });
  const marks = select(MARKS, "", {
    id: "marks",
    "aria-label": "What is marked on the board",
    onchange: () => (clear(), mark()),
  });
  const legend = h("p", { class: "quiet", id: "legend", hidden: true });
  const said = h("div", { class: "advice", id: "advice", role: "status" });
  let table = null;
  let asking = new AbortController(); // the question that is being answered
  let marking = new AbortController(); // the candidates that are being found
  let statuses = "";
  let stale = false; // whether the candidates must be found again
  let shown = []; // what is outlined: its kind, and candidates
  // what earlier steps have found besides what lies on the board: from which placements, and what
  let notes = [];

  const texts = (candidates) => candidates.map(({ placement }) => text(placement));
  const placements = () => play.placed().map(({ placement }) => placement);
  const onTable = (all) =>
    all
      .map((placement) => table.candidates.find((each) => text(each.placement) === text(placement)))
      .filter(Boolean);
  const namesOf = (candidates) => [...new Set(candidates.flatMap(({ names }) => names))];

  /** What is known from what was played and from steps, for a question. */
  function known(kind = "open") {
    if (kind === "candidates") return { placements: placements() };
    notes = notes.filter(({ from }) => from.every((each) => texts(play.placed()).includes(each)));
    return {
      placements: [...placements(), ...notes.flatMap((note) => note.placed)],
      excluded: notes.flatMap((note) => note.excluded),
    };
  }

  /** Say something, with buttons below. */
  function say(words, ...buttons) {
    const lines = [words]
      .flat()
      .map((line) => (typeof line === "string" ? line && h("p", {}, line) : line));
    fill(said, ...lines, buttons.some(Boolean) && h("div", { class: "row" }, ...buttons));
    if (!words) return;
    play.hush();
    said.querySelector("button:last-child")?.scrollIntoView({ block: "nearest" });
    announce(lines.map((line) => line.textContent).join(" "));
  }

  /** Outline nothing, and stop answering. */
  function clear() {
    asking.abort();
    asking = new AbortController();
    shown = [];
    if (board.querySelector("svg")) for (const kind of KINDS) outline(board, table, kind, []);
    tray.element.querySelectorAll("[data-about]").forEach((piece) => delete piece.dataset.about);
    delete board.dataset.advice;
    say("");
  }

  /** Ask, and pass on the messages of the answer; `words` stand above until it comes. */
  async function ask(request, act, words = "") {
    clear();
    const { signal } = asking;
    say(
      [words, "Searching …"].filter(Boolean),
      button("Stop", () => (clear(), say(words))),
    );
    try {
      for await (const message of answer(
        work.engine,
        { puzzle: work.source, placements: placements(), ...request },
        signal,
      )) {
        if (signal.aborted) return;
        await act(message);
      }
    } catch (error) {
      if (!signal.aborted) say(sentence(error.message));
    }
  }

  // -- what can go where

  async function mark() {
    marking.abort();
    marking = new AbortController();
    const { signal } = marking;
    statuses = "";
    legend.hidden = !marks.value;
    if (!table) return;
    paint();
    if (!marks.value) return;
    fill(legend, "Searching …");
    let timer = 0;
    const draw = () => {
      if (signal.aborted) return;
      paint();
      fill(legend, meaning());
    };
    try {
      for await (const message of answer(
        work.engine,
        { kind: marks.value, puzzle: work.source, ...known(marks.value) },
        signal,
      )) {
        if (signal.aborted) return;
        if (message.kind !== "candidates") continue;
        statuses = message.statuses;
        timer ||= setTimeout(() => ((timer = 0), draw()), BRIEF);
      }
      clearTimeout(timer);
      draw();
    } catch (error) {
      if (!signal.aborted) fill(legend, sentence(error.message));
    }
  }

  function paint() {
    if (!board.querySelector("svg")) return;
    const held = table.typed || table.toggles ? null : play.held();
    const found = marks.value === "open" ? statuses.replaceAll("?", "+") : statuses;
    showCandidates(board, table, found, new Set([...table.given, ...namesOf(play.placed())]), held);
  }

  /** What the marks mean. */
  function meaning() {
    if (marks.value === "open")
      return `What each rule by itself allows. ${table.toggles ? "– is excluded." : counts()}`;
    const open = /[?*]/.test(statuses); // not all is known yet
    if (statuses && !open && !/[!+]/.test(statuses))
      return "No solution has all of this. Check marks what cannot stand together.";
    const rest = open ? " Hatched: not all is known yet." : "";
    if (table.toggles) return `● is in every solution, ? in some, – in none.${rest}`;
    if (!open && !statuses.includes("+"))
      return "There is only one solution with what is placed: this one.";
    return `What is in some solution${table.pencil ? "; bold: in every one" : ""}. ${counts()}${rest}`;
  }

  /** How many ways there are for a piece, as the marks show them. */
  function counts() {
    const dark = table.pencil ? "" : "The darker, the more can go there. ";
    const held = "Pick up a piece to see where it can go, and in how many ways.";
    return dark + (table.typed ? "" : held);
  }

  // -- whether it is right

  async function judged({ right: fits, conflict }) {
    const { signal } = asking;
    if (fits)
      return say(
        play.placed().length
          ? "Right so far: no rule is broken, and some solution has all of this."
          : "Nothing is placed yet, and there is a solution.",
      );
    const { broken } = await one(
      work.engine,
      { kind: "play", puzzle: work.source, placements: placements(), check: true },
      "position",
    );
    if (signal.aborted) return;
    if (broken.length) return say(faults(broken), undoing(broken[0].placements)); // the plain error first
    if (!conflict.length) return say("This puzzle has no solution, whatever is placed.");
    const wrong = onTable(conflict);
    const turned = wrong.length === 1 && table.turns && (await turnedRight(wrong[0]));
    if (signal.aborted) return;
    show("conflict", wrong);
    if (turned)
      return say(
        `Not right: ${spot(wrong[0], "can be on")}, but not turned this way.`,
        button("Turn it", () => play.turnTo(turned, wrong[0]), { id: "turn-right" }),
      );
    say(mistake(wrong, table.typed), undoing(conflict));
  }

  /** A wrong piece as it could lie there, turned, with all else on the board; null if it cannot. */
  async function turnedRight(wrong) {
    const others = play.placed().filter((each) => each !== wrong);
    for (const turned of play.turnsOf(wrong)) {
      const placed = [...others, turned].map(({ placement }) => placement);
      const request = { kind: "judge", puzzle: work.source, placements: placed };
      if ((await one(work.engine, request, "judgement")).right) return turned;
    }
    return null;
  }

  /** A button that takes off what came last of some placements. */
  function undoing(those) {
    const names = those.map(text);
    const last = play.placed().findLast(({ placement }) => names.includes(text(placement)));
    const what = those.length > 1 ? last && spot(last) : "it";
    const words = table.typed ? `Clear ${what}` : `Take ${what} off`;
    return last && button(words, () => play.takeBack(last), { id: "take-off" });
  }

  // -- the next step

  /** Ask for the next step; once more, tell more of it. */
  function hint() {
    const more = said.querySelector("#which-rules, #conclusion, #make");
    if (more) more.click();
    else step();
  }

  function step() {
    ask({ kind: "step", ...known() }, (message) => {
      if (message.kind === "judgement") judged(message);
      else if (message.reasoning === "none") undecided(message);
      else if (!message.rules.length)
        conclude(message); // only a search or the symmetry shows it
      else where(message);
    });
  }

  function undecided({ undecided: open, choice }) {
    if (!open) return say("Nothing is left to be decided.");
    const [one] = onTable(choice ? [choice] : []);
    say(
      `Logic goes no further: there are several solutions. ${plural(open, "placement")} can still be chosen; the marks can show them.`,
      one && button("Place one of them", () => play.make([one]), { class: "main" }),
    );
  }

  function where(message) {
    const pieces = message.rules.flatMap((rule) => rule.pieces);
    const lying = [...play.placed(), ...table.fixed].filter(
      ({ piece }) => !message.about.length && pieces.includes(piece),
    );
    show("area", [{ names: message.about.map(text) }, ...lying]);
    for (const each of tray.element.children)
      if (pieces.includes(each.dataset.piece)) each.dataset.about = "";
    const several =
      message.undecided && "There is more than one solution, so logic does not decide everything.";
    say(
      [several, table.readable(message.look)].filter(Boolean),
      button("Why?", () => which(message), { id: "which-rules", class: "main" }),
    );
  }

  function which(message) {
    const title = message.title && sentence(message.title);
    say(
      [title, table.readable(message.ask)].filter(Boolean),
      button("What follows?", () => conclude(message), { id: "conclusion", class: "main" }),
    );
  }

  function conclude(message) {
    const placed = onTable(message.placed);
    const rest = {
      from: texts(play.placed()),
      excluded: message.excluded,
      placed: message.placed.filter((each) => !onTable([each]).length),
    };
    const go = () => {
      notes.push(rest);
      if (placed.length) return play.make(placed);
      if (marks.value === "open") mark();
      step();
    };
    found(message);
    say(
      told(message),
      button(placed.length ? "Place it" : "Go on", go, { id: "make", class: "main" }),
    );
  }

  /** What follows, and why: the sentences of the step. A chain that nobody follows is behind a
   * summary. */
  function told(message) {
    const lines = [...message.lines, ...message.beside].map((line) =>
      h("p", {}, table.readable(line)),
    );
    if (!message.chain.length) return lines;
    const chain = message.chain.map((line) => h("p", { class: "quiet" }, table.readable(line)));
    return [...lines, h("details", {}, h("summary", {}, "The chain of rules"), ...chain)];
  }

  function found(message) {
    show("fact", onTable(message.used));
    show("new", onTable(message.placed));
    show("gone", onTable(message.excluded));
  }

  // -- why not

  function explain() {
    const lying = play.lying();
    if (!lying) return say("Put something there first, and leave the cursor on it.");
    const others = play
      .placed()
      .filter((each) => each !== lying)
      .map(({ placement }) => placement);
    ask({ kind: "why", placements: others, placement: lying.placement }, (message) => {
      if (message.reasoning === "none")
        return say(
          `It can be there: some solution has it, together with everything else on the ${table.board}.`,
        );
      show("area", [{ names: message.about.map(text) }]);
      found(message);
      say(
        message.reasoning === "by trial"
          ? "It cannot be there, but that is found only by trying."
          : told(message),
        button("Take it back", () => play.takeBack(lying), { class: "main" }),
      );
    });
  }

  /** Mark what breaks rules: the sides where two pieces meet, or else the pieces. Returns what is
   * wrong, in a few sentences. */
  function faults(broken) {
    clear();
    if (!broken.length)
      return play.placed().length ? "No rule is broken so far." : "Nothing is placed yet.";
    for (const { placements: those } of broken) {
      const pieces = onTable(those);
      const sides = pieces.length === 2 ? sharedSides(table, namesOf(pieces)) : [];
      if (sides.length && table.turns) show("fault", sides);
      else
        show("conflict", [
          ...shown.filter(([kind]) => kind === "conflict").flatMap(([, before]) => before),
          ...pieces,
        ]);
    }
    const told = [...new Set(broken.map(({ words }) => sentence(table.readable(words))))];
    return [
      ...told.slice(0, MOST_FAULTS),
      told.length > MOST_FAULTS && `And ${number(told.length - MOST_FAULTS)} more.`,
    ]
      .filter(Boolean)
      .join(" ");
  }

  function show(kind, candidates) {
    shown.push([kind, candidates]);
    trace(kind, candidates);
  }

  function trace(kind, candidates) {
    if (kind === "fault") return drawSides(board, candidates);
    outline(
      board,
      table,
      kind,
      namesOf(candidates).filter((name) => table.outlines.has(name)),
    );
    if (kind === "new" || kind === "gone")
      drawNews(board, table, candidates, kind, (all) => tray.look(...all));
    numberLines(board, table);
    board.dataset.advice = "";
  }

  return {
    next,
    step,
    elements: [marks, why],
    legend,
    said,
    /** Another puzzle is played; null if none is. */
    start(now) {
      clear();
      marking.abort();
      table = now;
      notes = [];
      for (const each of [next, why, marks]) each.disabled = !table;
      if (table) this.moved();
    },
    /** Something else lies on the board, which will be drawn. */
    moved() {
      clear();
      marking.abort();
      statuses = "";
      stale = true;
      paint();
    },
    /** The board was drawn. What can go where is found only then, because that may take long. */
    drawn() {
      for (const [kind, candidates] of shown) trace(kind, candidates);
      if (stale) mark();
      else paint();
      stale = false;
    },
    faults,
    quiet: clear,
    /** No rule is broken, as `words` say: find whether some solution has what is placed. */
    judge: (words) => ask({ kind: "judge" }, judged, words),
    /** A piece was picked up or put down. */
    held: () => table && statuses && paint(),
    close() {
      asking.abort();
      marking.abort();
    },
  };
}

const sentence = (words) => `${capitalized(words)}.`;

const spot = ({ piece, places: [place] }, lies = "on") => `${piece} ${lies} ${words(place)}`;

/** What to do about placements that no solution has together. */
function mistake(wrong, typed) {
  const off = typed ? "be cleared" : "come off";
  if (wrong.length === 1)
    return `Not right: ${spot(wrong[0])} must ${off}. No solution has it there.`;
  const those = `one of these ${number(wrong.length)} must ${off}`;
  return `Not right: ${those}. No solution has them together; they are marked.`;
}
