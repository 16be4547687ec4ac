// Understanding: the rules of the puzzle, chosen on the board or by their sort, in plain words; and
// how large it is for a solver.

import { announce, button, fill, h, picture } from "../dom.js";
import { one } from "../engines/engine.js";
import { capitalized, number, plural } from "../words.js";
import {
  Table,
  gridOf,
  inPicture,
  listing,
  numberLines,
  outline,
  outlines,
  placeAt,
  readable,
  text,
  touchable,
  words,
} from "./table.js";
import { Toy, candidateAt, timesInWords } from "./toy.js";

const THINGS = { at: "cell", value: "symbol" }; // axes of variables, as people say
const FIRST_RULES = 24; // rules that are listed at once

export function understandPanel(panel, work, stage) {
  const board = h("div", {
    class: "paper large",
    id: "rules-board",
    "data-drawn": true,
    onclick: choose,
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const sorts = h("div", { class: "row", id: "sorts" });
  const list = h("div", { class: "row rules", id: "rules" });
  const chosen = h("div", { class: "clause", id: "rule", role: "status" });
  const sizes = h("div", {});
  const details = h(
    "details",
    { id: "encoding", ontoggle: () => details.open && numbers() },
    h("summary", {}, "How large it is for a solver"),
    sizes,
  );
  let shown = "";
  let rules = [];
  let sort = "";
  let drawn = null; // the outlines of the places
  const toy = new Toy(work, board);
  fill(
    panel,
    toy.element,
    h(
      "p",
      { class: "quiet" },
      "A rule is everything about one thing: a cell, a row, a piece. Click the board to see its rules, or choose what they are about.",
    ),
    problem,
    sorts,
    list,
    chosen,
    details,
    toy.bar,
  );

  async function ask(act) {
    fill(problem);
    try {
      await act();
    } catch (error) {
      fill(problem, error.message);
    }
  }

  const load = () =>
    ask(async () => {
      const puzzle = work.source;
      if (shown === work.text) return;
      shown = work.text;
      const mine = shown;
      details.open = false;
      for (const part of [board, sorts, list, chosen, sizes]) fill(part);
      toy.start(null);
      fill(chosen, h("p", { class: "quiet" }, "Reading the rules …"));
      const { svg } = await one(work.engine, { kind: "play", puzzle, placements: [] }, "position");
      const found = await one(work.engine, { kind: "rules", puzzle }, "rules");
      if (shown !== mine) return;
      fill(board, touchable(picture(svg, "The board")));
      const shapes = outlines(board.querySelector("svg"));
      drawn = { outlines: shapes, grid: gridOf(shapes) };
      numberLines(board, drawn);
      fill(chosen);
      rules = found.rules;
      sort = "";
      const counts = count(rules);
      // such as sentences, which begin with any word
      for (const each of rules) if (counts.get(each.sort) === 1) each.sort = "others";
      fill(
        sorts,
        ...[...count(rules)].map(([name, count]) =>
          button(`${name} (${number(count)})`, () => choosePart(name), {
            "data-sort": name,
            "aria-pressed": "false",
          }),
        ),
      );
      const started = await one(work.engine, { kind: "start", puzzle }, "started");
      if (shown !== mine) return;
      await toy.start(new Table(started, picture(svg, ""), work.puzzle));
    });

  const named = (name) => readable(drawn?.grid, name);

  /** A constraint in a sentence, and the list of what it is about, which may be long. */
  function sentence({ places, pieces, sort, name }, constraint) {
    const [, bounds, all, list] =
      /^(exactly \d+|at most \d+|at least \d+|from \d+ to \d+) of ([\d,]+): (.*)$/.exec(
        constraint,
      ) ?? [];
    if (!bounds) return [capitalized(`${named(constraint)}.`), ""];
    const many = bounds.replace(/\b1\b/, "one");
    const noun =
      rules.find((each) => each.pieces.length === 1 && !each.places.length)?.sort ?? "symbol";
    if (places.length === 1 && !pieces.length)
      return [
        capitalized(
          `${named(name)} holds ${many} ${many.endsWith(" one") ? noun : `${noun}s`}, in one of ${all} ways.`.replace(
            "holds exactly one",
            "holds one",
          ),
        ),
        list,
      ];
    if (pieces.length === 1 && !places.length && bounds === "exactly 1")
      return [
        capitalized(`${sort} ${pieces[0]} lies somewhere: in one of ${all} places or ways.`),
        list,
      ];
    return [amongAll(list, bounds, all, named(name)), list];
  }

  /** List the rules of a sort. */
  function choosePart(name) {
    sort = name;
    for (const each of sorts.children)
      each.setAttribute("aria-pressed", String(each.dataset.sort === name));
    const found = rules.filter((rule) => rule.sort === name);
    listed(found, name);
    rule(found[0]);
  }

  /** A click on the board: the rules about this place, of the chosen sort first. */
  function choose(event) {
    const name = drawn && placeAt(board, event.clientX, event.clientY);
    if (!name) return;
    const { state } = toy;
    if (state?.table.at.has(name)) {
      const point = inPicture(board, event.clientX, event.clientY);
      ask(() => toy.suppose(candidateAt(state.table, name, point)));
    }
    const found = rules
      .filter(({ places }) => places.some((place) => text(place) === name))
      .sort((one, other) => one.places.length - other.places.length);
    listed(found);
    if (found.length) rule(found.find((each) => each.sort === sort) ?? found[0]);
    else
      fill(
        chosen,
        h("p", {}, `No rule is only about ${words(JSON.parse(name))} and a few others.`),
      );
  }

  /** Links to rules; without the name of their sort, if it is the same for all. */
  function listed(found, prefix = "", most = FIRST_RULES) {
    const more =
      found.length > most &&
      button(`Show all ${number(found.length)}`, () => listed(found, prefix, Infinity), {
        class: "link",
      });
    fill(
      list,
      ...found
        .slice(0, most)
        .map((each) =>
          button(
            prefix && each.name.startsWith(`${prefix} `)
              ? named(each.name.slice(prefix.length + 1))
              : named(each.name),
            () => rule(each),
            { class: "link", "data-rule": each.name },
          ),
        ),
      more,
    );
  }

  const rule = (one_) =>
    ask(async () => {
      for (const each of list.children)
        each.setAttribute("aria-pressed", String(each.dataset.rule === one_.name));
      outline(
        board,
        drawn,
        "area",
        one_.places.map(text).filter((name) => drawn.outlines.has(name)),
      );
      const said = await one(
        work.engine,
        { kind: "rule", puzzle: work.source, name: one_.name },
        "rule",
      );
      const more = said.number - said.constraints.length;
      const meanings = Object.entries(said.meanings);
      // about auxiliary variables
      const helping = (each) => meanings.some(([name]) => each.includes(`${name.split(" ")[0]} `));
      const listing = (all) => h("ul", {}, ...all.map((each) => clause(...sentence(one_, each))));
      const others =
        more > 0 && h("p", { class: "quiet" }, `and ${plural(more, "more constraint")}`);
      const [plain, rest] = [
        said.constraints.filter((each) => !helping(each)),
        said.constraints.filter(helping),
      ];
      const groups =
        (rest.length > 0 || !plain.length) &&
        h("p", {}, said.groups.map((group) => `${capitalized(group)}.`).join(" "));
      const terms = meanings.map(([name, meaning]) =>
        h("p", { class: "quiet" }, h("code", {}, name), ` ${meaning}`),
      );
      const logic =
        rest.length > 0
          ? h(
              "details",
              { id: "logic" },
              h("summary", {}, "How a solver is told"),
              terms,
              listing(rest),
              others,
            )
          : others;
      fill(
        chosen,
        h("h2", {}, named(one_.name)),
        groups,
        plain.length > 0 && listing(plain),
        logic,
      );
      announce(`${one_.name}: ${plural(said.number, "constraint")}`);
    });

  const numbers = () =>
    ask(async () => {
      if (sizes.children.length) return;
      fill(sizes, h("p", { class: "quiet" }, "Counting …"));
      const said = await one(work.engine, { kind: "explain", puzzle: work.source }, "explanation");
      fill(
        sizes,
        h(
          "p",
          {},
          "A solver knows no puzzles. It gets questions with the answers yes and no, and clauses: lists of answers of which at least one must be right.",
        ),
        table("Questions", ["what is asked", "questions"], said.variables.map(question)),
        table(
          "Rules",
          ["rule", "times", "clauses"],
          said.groups.map((group) => [group.name, number(group.number), number(group.clauses)]),
        ),
        h("p", {}, `${plural(said.clauses, "clause")} in all.`),
        h(
          "details",
          {},
          h("summary", {}, "Technical details"),
          h("ul", {}, ...said.words.map((line) => h("li", {}, line))),
        ),
      );
    });

  const open = () => {
    if (panel.hidden || !work.puzzle) return;
    stage.edit(work.problem || work.puzzle.missing ? null : board);
    load();
  };
  return { changed: open, shown: open, broken: open, left: () => stage.edit(null) };
}

/** How many of some things are so; of a symbol, how often it is there. */
function amongAll(list, bounds, all, rule) {
  const many = bounds.replace(/\b1\b/, "one");
  const symbol = symbolOf(list);
  if (symbol) return timesInWords(symbol, many, rule);
  return capitalized(`${many} of these ${all} ${bounds.endsWith(" 1") ? "is so" : "are so"}.`);
}

/** The symbol that things such as 'r1c2 = 3' are all about, in different cells; '' if they are not
 * about one. */
function symbolOf(list) {
  const cells = list.split("; ").filter((each) => each !== "…");
  const symbols = cells.map((each) => / = (?:layer \S+ value )?(\S+)$/.exec(each)?.[1] ?? "");
  return new Set(symbols).size === 1 ? symbols[0] : "";
}

/** The number of rules of each sort. */
function count(rules) {
  const found = new Map();
  for (const { sort } of rules) found.set(sort, (found.get(sort) ?? 0) + 1);
  return found;
}

/** What is asked by variables, and how many there are. */
function question({ name, axes, number: count, role }) {
  const things = axes.filter((axis) => axis !== "layer").map((axis) => THINGS[axis] ?? axis);
  const helps = role === "decision" ? "" : "; the answers follow from others";
  return [`${name}: yes or no for each ${listing(things)}${helps}`, number(count)];
}

/** A constraint; what it is about is folded. */
const clause = (words, list) =>
  h(
    "li",
    {},
    words,
    list && h("details", {}, h("summary", {}, "All of them"), h("p", { class: "quiet" }, list)),
  );

function table(title, heads, rows) {
  const cells = (row, tag) =>
    row.map((cell, i) => h(tag, { class: i > 0 ? "number" : null }, cell));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    h(
      "table",
      {},
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells(row, "td")))),
    ),
  );
}
