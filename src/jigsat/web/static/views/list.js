// An answer as a list beside its picture, such as which guest sits on which chair.

import { fill, h } from "../dom.js";
import { searchFor } from "../words.js";

const FEW = 12; // placements that are read in the picture, even on a phone

const inOrder = new Intl.Collator("en", { numeric: true }).compare;

/** The list of a puzzle whose kind names the columns; it is hidden for others, and for small ones. */
export class AnswerList {
  #table = h("table", {});
  #finder = h("input", {
    type: "search",
    placeholder: "Find in the list",
    "aria-label": "Find in the list",
    oninput: () => this.#find(),
  });
  #rows = [];

  constructor() {
    this.element = h("section", { class: "list-of", hidden: true }, this.#finder, this.#table);
  }

  /** Show the placements of a solution; without one, the list is hidden. */
  show(solution, puzzle) {
    const columns = puzzle?.listed_as ?? {}; // headings by the fields of a placement
    const fields = Object.keys(columns);
    const placements = solution && fields.length ? solution.placements : [];
    const listed = placements.filter((each) => fields.every((name) => name in each));
    this.element.hidden = listed.length <= FEW;
    if (this.element.hidden) return;
    const all = listed.map((each) => fields.flatMap((name) => each[name]));
    const headings = Object.values(columns).flat();
    const telling = headings.map((_, i) => i === headings.length - 1 || !alike(all, i));
    const kept = (row) => row.filter((_, i) => telling[i]);
    this.#rows = all.map(kept).sort(compare).map(rowOf);
    const head = h("tr", {}, ...kept(headings).map((words) => h("th", { scope: "col" }, words)));
    fill(this.#table, h("thead", {}, head), h("tbody", {}, ...this.#rows));
    this.#find();
  }

  #find() {
    const fits = searchFor(this.#finder.value);
    for (const row of this.#rows) row.hidden = !fits(row.dataset.words);
  }
}

const alike = (rows, i) => rows.every((row) => row[i] === rows[0][i]);

/** The order of two rows, by their first different cells. */
function compare(one, other) {
  const i = one.findIndex((cell, at) => cell !== other[at]);
  return i < 0 ? 0 : inOrder(String(one[i]), String(other[i]));
}

const rowOf = (row) =>
  h(
    "tr",
    { "data-words": row.join(" ").toLowerCase() },
    ...row.map((cell) => h("td", {}, String(cell))),
  );
