// Understanding: the variables and constraint groups of the encoding, and what unit propagation forces.

import { announce, button, fill, h, picture, select } from "../dom.js";
import { one } from "../engines/engine.js";
import { key, number, plural } from "../words.js";

export function understandPanel(panel, work, stage) {
  const sizes = h("div", {});
  const words = h("div", { class: "clause", role: "status" });
  const decide = h("div", { class: "decide" });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  let shown = "";
  let placed = [];
  let excluded = [];
  let position = 0;
  fill(panel, h("p", { class: "quiet" }, "How the puzzle becomes clauses. Choose a group of constraints to see one of them, with its cells marked."), problem, sizes, words, h("h2", {}, "Unit propagation"), decide);

  async function ask(act) {
    problem.hidden = true;
    try {
      await act();
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error.message;
    }
  }

  const explain = () =>
    ask(async () => {
      const toml = work.text;
      if (shown === toml) return;
      shown = toml;
      placed = [];
      excluded = [];
      fill(sizes, h("p", { class: "quiet" }, "Encoding …"));
      fill(words);
      fill(decide);
      const said = await one(work.engine, { kind: "explain", puzzle: work.source }, "explanation");
      if (shown !== toml) return;
      fill(
        sizes,
        table("Variables", ["variables", "number", "role"], said.variables.map((each) => [`${each.name}(${each.axes.join(", ")})`, number(each.number), each.role])),
        table("Constraint groups", ["group", "constraints", "clauses"], said.groups.map((group) => [button(group.name, () => constraint(group.name, 0), { class: "link" }), number(group.number), number(group.clauses)])),
        h("p", { class: "quiet" }, `${plural(said.clauses, "clause")} in all`),
        h("details", {}, h("summary", {}, "More"), h("ul", {}, ...said.words.map((line) => h("li", {}, line)))),
      );
      await propagate();
    });

  const constraint = (group, at) =>
    ask(async () => {
      const said = await one(work.engine, { kind: "constraint", puzzle: work.source, group, number: at }, "constraint");
      position = said.number;
      const move = (by) => constraint(group, (position + by + said.of) % said.of);
      stage.other(said.svg, `${group}, ${number(position + 1)} of ${number(said.of)}`);
      fill(
        words,
        h("div", { class: "paper narrow" }, picture(said.svg, group)),
        h("p", {}, h("strong", {}, group), `: ${said.words}`),
        h("details", {}, h("summary", {}, plural(said.literals.length, "literal")), said.literals.join("; ")),
        said.of > 1 && h("div", { class: "row" }, button("‹ Previous constraint", () => move(-1)), button("Next constraint ›", () => move(1)), h("span", { class: "quiet" }, `${number(position + 1)} of ${number(said.of)}`)),
      );
    });

  const propagate = () =>
    ask(async () => {
      const said = await one(work.engine, { kind: "propagate", puzzle: work.source, placements: placed, excluded }, "propagation");
      const options = said.possible.map((placement) => [key(placement), named(placement)]);
      const chosen = select(options, options[0]?.[0], { id: "decision", "aria-label": "A placement that is still open" });
      const take = (list) => () => {
        list.push(JSON.parse(chosen.value));
        propagate();
      };
      const back = () => {
        (excluded.length && !placed.length ? excluded : placed).pop();
        propagate();
      };
      fill(
        decide,
        h("p", { id: "propagation" }, said.words),
        said.consistent && options.length > 0 && h("div", { class: "row" }, chosen, button("Decide: true", take(placed), { id: "decide-true" }), button("Decide: false", take(excluded), { id: "decide-false" })),
        said.open > options.length && h("p", { class: "quiet" }, `The first ${number(options.length)} of ${number(said.open)} open placements can be chosen.`),
        h("ul", { class: "decisions" }, ...placed.map((each) => h("li", {}, `true: ${named(each)}`)), ...excluded.map((each) => h("li", {}, `false: ${named(each)}`))),
        (placed.length > 0 || excluded.length > 0) && button("Undo the last decision", back, { id: "take-back" }),
      );
      if (placed.length || excluded.length) {
        decide.prepend(h("div", { class: "paper narrow" }, picture(said.svg, said.words)));
        stage.other(said.svg, said.words);
        announce(said.words);
      }
    });

  const load = () => !panel.hidden && work.puzzle && explain();
  return { changed: load, shown: load };
}

/** A placement in words, such as 'cell 2,3, tile 5'. */
function named(placement) {
  const value = (given) => (Array.isArray(given) ? given.map(value).join(",") : String(given));
  return Object.entries(placement).map(([name, given]) => `${name} ${value(given)}`).join(", ");
}

function table(title, heads, rows) {
  const cells = (row, tag) => row.map((cell, i) => h(tag, { class: i === 1 || heads[i] === "clauses" ? "number" : null }, cell));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells(row, "td"))))));
}
