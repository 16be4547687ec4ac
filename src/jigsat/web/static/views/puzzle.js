// The view of one puzzle: its picture, and tabs for what can be done with it.

import { button, delayed, fill, h, select } from "../dom.js";
import { FAMILIES } from "../editors/begin.js";
import { editPanel } from "./edit.js";
import { onServer } from "../engines/engine.js";
import { cover } from "../link.js";
import { makePanel } from "./make.js";
import { playPanel } from "./play.js";
import { sharing } from "./share.js";
import { solvePanel } from "./solve.js";
import { Stage } from "./stage.js";
import { understandPanel } from "./understand.js";
import { known, titleOf } from "../words.js";
import { Work } from "../work.js";

const TABS = [
  ["play", "Play", playPanel],
  ["solve", "Solve", solvePanel],
  ["edit", "Edit", editPanel],
  ["make", "Make", makePanel],
  ["understand", "Understand", understandPanel],
];

export function showPuzzle(main, engine, wanted) {
  const work = new Work(engine);
  const stage = new Stage(work);
  const heading = h("div", { class: "heading" });
  const share = sharing(work);
  const head = (title, about) => h("div", { class: "head" }, h("div", {}, h("h1", {}, title), about), share);
  const doubtful = h("div", {});
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "What to do", onkeydown: arrows });
  const panels = h("div", { class: "panels" });
  const parts = TABS.map(([name, words, make]) => {
    const tab = button(words, () => choose(name), { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` });
    const panel = h("section", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, hidden: true });
    tabs.append(tab);
    panels.append(panel);
    return { name, tab, panel, made: make(panel, work, stage) };
  });

  function choose(name, { link = true } = {}) {
    const known_ = parts.some((part) => part.name === name) ? name : "play";
    for (const { name: each, made } of parts) if (each !== known_) made?.left?.();
    for (const { name: each, tab, panel, made } of parts) {
      const chosen = each === known_;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
      if (chosen) made?.shown?.();
    }
    work.tab = known_;
    if (link) scrollTo(0, 0); // what is new is at the top
    if (link) work.link();
  }

  function arrows(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = parts.findIndex(({ name }) => name === work.tab);
    const { name, tab } = parts[(at + step + parts.length) % parts.length];
    choose(name);
    tab.focus();
    event.stopPropagation();
  }

  const about = h("p", { class: "quiet" });
  const tell = () => fill(about, [work.puzzle.family.replaceAll("-", " "), known(work.puzzle.known)].filter(Boolean).join(" · "));
  work.addEventListener("solved", tell);
  work.addEventListener("puzzle", () => {
    const { family, source, rules, doubts, of, number } = work.puzzle;
    document.title = `${titleOf(work.puzzle)} – jigsat`;
    const opened = heading.querySelector("details:has(li)")?.open; // stays as it is
    const told = [h("ul", {}, ...rules.map((rule) => h("li", {}, rule))), source && h("p", { class: "quiet" }, `Source: ${source}`)];
    const details = (rules.length || source) && h("details", { open: opened ?? Boolean(FAMILIES[family]?.told) }, h("summary", {}, "The rules"), told);
    fill(heading, head(titleOf(work.puzzle), about), of > 1 && select(puzzles(of), number, { "aria-label": "Puzzle of this file", onchange: delayed(0, ({ target }) => work.choose(Number(target.value))) }), details);
    tell();
    fill(doubtful, ...doubts.map((doubt) => h("p", { class: "problem" }, `Perhaps a mistake: ${doubt}.`)));
    stage.unsolved(work.puzzle.svg);
    if (work.puzzle.missing) stage.other(work.puzzle.svg, `Not complete yet: ${work.puzzle.missing}`);
    for (const { made } of parts) made?.changed?.();
  });
  work.addEventListener("problem", ({ detail }) => {
    if (work.puzzle) {
      stage.outdated();
      for (const { made } of parts) made?.broken?.();
    } else {
      fill(heading, head("A puzzle with an error", ""));
      if (wanted.text !== undefined) choose("edit", { link: false });
      else fill(main, h("p", { class: "problem", role: "alert" }, detail.message), h("p", {}, h("a", { href: "#" }, "Go to the gallery")));
    }
  });

  const [left, right] = [h("div", { class: "left" }, heading, stage.element, doubtful), h("div", { class: "right" }, tabs, panels)];
  fill(main, h("nav", { "aria-label": "Breadcrumb" }, h("a", { href: "#" }, "← All puzzles")), h("div", { class: "workbench" }, left, right));
  fill(heading, head(wanted.name ?? "Your puzzle", h("p", { class: "quiet", role: "status" }, "Loading the puzzle …")), h("details", {}, h("summary", {}, "The rules"))); // as high as it will be
  choose(wanted.tab, { link: false });
  if (wanted.name && !onServer) {
    // the picture is there before Python is loaded
    fetch(cover(wanted.name))
      .then((response) => (response.ok ? response.text() : ""))
      .then((svg) => {
        if (work.puzzle || !svg) return;
        stage.unsolved(svg);
        for (const { made } of parts) made?.preview?.(svg);
      })
      .catch(() => {});
  }
  function keys(event) {
    const back = { z: event.shiftKey ? 1 : -1, y: 1 }[event.key.toLowerCase()];
    if (!back || !(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, select")) return stage.key(event);
    event.preventDefault();
    (work.tab === "play" ? parts[0].made : work).step(back);
  }
  addEventListener("keydown", keys);
  work.open(wanted);
  return () => {
    work.closed = true;
    removeEventListener("keydown", keys);
    for (const { made } of parts) made?.close?.();
    stage.close();
  };
}

const puzzles = (of) => Array.from({ length: of }, (_, i) => [i + 1, `Puzzle ${i + 1} of ${of}`]);
