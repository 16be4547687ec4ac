// The view of one puzzle: its picture, and tabs for what can be done with it.

import { button, delayed, fill, h, select } from "../dom.js";
import { FAMILIES, hasStones, kindName, titleOf } from "../editors/begin.js";
import { editPanel } from "./edit.js";
import { onServer } from "../engines/engine.js";
import { cover } from "../link.js";
import { group, menuOf } from "./menu.js";
import { makePanel } from "./make.js";
import { Play } from "./play.js";
import { sharing } from "./share.js";
import { solvePanel } from "./solve.js";
import { Stage } from "./stage.js";
import { understandPanel } from "./understand.js";
import { brief } from "../words.js";
import { Work } from "../work.js";

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

/** @type {{name: string, words: string, make: (panel: HTMLElement, work: Work, stage: Stage, turnTo: TurnTo) => View | void}[]} */
const VIEWS = [
  { name: "play", words: "Play", make: (panel, work, stage) => new Play(panel, work, stage) },
  { name: "solve", words: "All solutions", make: solvePanel },
  { name: "understand", words: "How it works", make: understandPanel },
  { name: "edit", words: "Change it", make: editPanel },
  { name: "make", words: "Make more, save, print", make: makePanel },
];

export function showPuzzle(main, engine, wanted) {
  const work = new Work(engine);
  const stage = new Stage(work);
  const title = h("h1", {}, wanted.name ?? "A puzzle");
  const about = h("p", { role: "status" }, "Loading the puzzle …");
  const facts = h("div", { class: "facts" });
  const share = sharing(work);
  const panels = h("div", { class: "panels" });
  const parts = VIEWS.map(({ name, words, make }) => {
    const entry = button(words, () => turnTo(name, "play"), {
      id: `tab-${name}`,
    });
    const panel = h("section", { id: `panel-${name}`, "aria-label": words, hidden: true });
    panels.append(panel);
    return { name, entry, panel, made: make(panel, work, stage, turnTo) || {} };
  });
  const ofBoard = group("This board", ...parts[0].made.menu);
  const menu = menuOf(
    group("This puzzle", ...parts.map(({ entry }) => entry), share.opener),
    ofBoard,
  );
  const back = h("a", { href: "#", class: "button bare back", onclick: leave });
  const bar = h("header", { class: "heading" }, back, h("div", {}, title, about), menu.opener);
  const workbench = h(
    "div",
    { class: "workbench" },
    bar,
    stage.element,
    panels,
    menu.box,
    share.box,
  );

  let behind = "play"; // the view to which one goes back

  function choose(name, { link = true } = {}) {
    const wantedView = parts.some((part) => part.name === name) ? name : "play";
    for (const { name: each, made } of parts) if (each !== wantedView) made.left?.();
    for (const { name: each, entry, panel, made } of parts) {
      const chosen = each === wantedView;
      if (chosen) entry.setAttribute("aria-current", "true");
      else entry.removeAttribute("aria-current");
      panel.hidden = !chosen;
      if (chosen) made.shown?.();
    }
    behind = wantedView === "play" || behind === wantedView ? "play" : behind;
    work.tab = workbench.dataset.view = wantedView;
    ofBoard.hidden = wantedView !== "play";
    const words = wantedView === "play" ? "Puzzles" : behind === "edit" ? "Change it" : "Board";
    fill(back, "‹", h("span", {}, words));
    panels.scrollTop = 0;
    if (link) scrollTo(0, 0); // what is new is at the top
    if (link) work.link();
  }

  /** @type {TurnTo} */
  function turnTo(name, from = work.tab) {
    behind = from;
    choose(name);
    return parts.find((part) => part.name === name).made;
  }

  /** From the board back to the gallery; from another view back to the editor, if that led there,
   * or to the board. */
  function leave(event) {
    if (work.tab === "play") return;
    event.preventDefault();
    choose(behind);
  }

  const tell = () => {
    const kind = kindName(work.puzzle.family);
    const named = titleOf(work.puzzle).startsWith(kind); // the title names the kind already
    fill(about, [!named && kind, brief(work.puzzle.known)].filter(Boolean).join(" · "));
  };
  work.addEventListener("solved", tell);
  work.addEventListener("puzzle", () => {
    const { family, source, rules, doubts, of, number } = work.puzzle;
    document.title = `${titleOf(work.puzzle)} – jigsat`;
    const opened = facts.querySelector("details:has(li)")?.open; // stays as it is
    const told = [
      h("ul", {}, ...rules.map((rule) => h("li", {}, rule))),
      source && h("p", { class: "quiet" }, `Source: ${source}`),
    ];
    const details =
      (rules.length || source) &&
      h(
        "details",
        { open: opened ?? Boolean(FAMILIES[family]?.told) },
        h("summary", {}, "The rules"),
        told,
      );
    fill(title, titleOf(work.puzzle));
    const doubtful = doubts.map((doubt) =>
      h("p", { class: "problem" }, `Perhaps a mistake: ${doubt}.`),
    );
    fill(
      facts,
      ...doubtful,
      of > 1 &&
        select(puzzles(of), number, {
          "aria-label": "Puzzle of this file",
          onchange: delayed(0, ({ target }) => work.choose(Number(target.value))),
        }),
      details,
    );
    workbench.dataset.family = family;
    workbench.classList.toggle("stones", hasStones(family));
    tell();
    stage.unsolved(work.puzzle.svg);
    if (work.puzzle.missing)
      stage.other(work.puzzle.svg, `Not complete yet: ${work.puzzle.missing}`);
    for (const { made } of parts) made.changed?.();
  });
  work.addEventListener("problem", () => {
    if (work.puzzle) {
      stage.outdated();
      for (const { made } of parts) made.broken?.();
    } else {
      fill(title, "A puzzle with an error");
      fill(about);
      if (wanted.text !== undefined) choose("edit", { link: false });
      else
        fill(
          main,
          h("p", { class: "problem", role: "alert" }, work.problem.message),
          h("p", {}, h("a", { href: "#" }, "Go to the gallery")),
        );
    }
  });

  panels.append(facts);
  fill(main, workbench);
  choose(wanted.tab, { link: false });
  if (wanted.name && !onServer) {
    // the picture is there before Python is loaded
    fetch(cover(wanted.name))
      .then((response) => (response.ok ? response.text() : ""))
      .then((svg) => {
        if (work.puzzle || !svg) return;
        stage.unsolved(svg);
        for (const { made } of parts) made.preview?.(svg);
      })
      .catch(() => {});
  }
  function keys(event) {
    const back = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()];
    if (
      !back ||
      !(event.ctrlKey || event.metaKey) ||
      event.target.closest("input, textarea, select")
    )
      return stage.key(event);
    event.preventDefault();
    (work.tab === "play" ? parts[0].made : work).step(back);
  }
  addEventListener("keydown", keys);
  work.open(wanted);
  return () => {
    work.closed = true;
    removeEventListener("keydown", keys);
    for (const { made } of parts) made.close?.();
    stage.close();
  };
}

const puzzles = (of) => Array.from({ length: of }, (_, i) => [i + 1, `Puzzle ${i + 1} of ${of}`]);
