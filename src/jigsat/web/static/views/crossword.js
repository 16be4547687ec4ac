// Words of a crossword while one writes: its questions, or the words of the list that fit where one
// is.

import { fill, h } from "../dom.js";
import { positionOf, wordAt } from "../acts.js";
import { number, plural } from "../words.js";

const MOST_TOLD = 60; // words that are all listed, wherever one writes
const MOST_WORDS = 30; // that are listed where they fit

export class Clues {
  element = h("ul", { id: "clues", hidden: true });
  #fits = h("li", { id: "fitting" });
  #list = []; // the words of which some fit

  /** Tell the questions of a crossword, or all its words if they are few. */
  start({ lettered }, { data, rules }) {
    const asked = Object.keys(data.questions ?? {}).length > 0;
    const list = lettered && !asked ? allowed(data) : [];
    const told = list.length > MOST_TOLD ? [] : rules.slice(1);
    this.#list = told.length ? [] : list;
    this.element.hidden = !lettered;
    fill(this.element, ...told.map((rule) => h("li", {}, rule)), told.length ? null : this.#fits);
  }

  stop() {
    this.element.hidden = true;
  }

  show(state) {
    if (!this.#list.length) return;
    const lie = [...positionOf(state).placed, ...state.table.fixed];
    fill(this.#fits, fitting(this.#list, wordAt(state).run, lie));
  }
}

/** The words of a crossword that may be used; those without a score have 50. */
function allowed({ words: all, banned, least_score: least = 0 }) {
  const listed = (entry = []) =>
    [entry]
      .flat()
      .join("\n")
      .toUpperCase()
      .split(/\s+/)
      .map((each) => each.split(";"));
  const refused = new Set(listed(banned).map(([word]) => word));
  return listed(all)
    .filter(([word, score]) => Number(score || 50) >= least && !refused.has(word))
    .map(([word]) => word);
}

/** The words of a list that fit into squares, in a sentence. */
function fitting(list, run, placed) {
  const letter = (name) => placed.find(({ names }) => names[0] === name)?.piece ?? ".";
  const pattern = new RegExp(`^${run.map(letter).join("")}$`);
  const found = list.filter((each) => pattern.test(each)).sort();
  const more = found.length - MOST_WORDS;
  return `${plural(found.length, "word")} of the list fit${found.length === 1 ? "s" : ""} here${found.length ? ": " : ""}${found.slice(0, MOST_WORDS).join(", ")}${more > 0 ? `, and ${number(more)} more` : ""}.`;
}
