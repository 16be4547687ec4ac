// Words of a crossword while one writes: the word in which one is, and those of the list that fit there.

import { number, plural } from "../words.js";

const MOST_WORDS = 30; // that are listed

/** The words of a crossword that may be used; those without a score have 50. */
export function allowed({ words: all, banned, least_score: least = 0 }) {
  const listed = (entry = []) => [entry].flat().join("\n").toUpperCase().split(/\s+/).map((each) => each.split(";"));
  const refused = new Set(listed(banned).map(([word]) => word));
  return listed(all).filter(([word, score]) => (score || 50) >= least && !refused.has(word)).map(([word]) => word);
}

/** The squares of the word in which one writes, and the direction, which is the other one where no word runs along. */
export function wordAt(table, cursor, along) {
  const run = table.line(cursor, along);
  if (run.length > 1) return { run, along };
  const across = [along[1], along[0]];
  return { run: table.line(cursor, across), along: across };
}

/** The words of a list that fit into squares, in a sentence. */
export function fitting(list, run, placed) {
  const letter = (name) => placed.find(({ names }) => names[0] === name)?.piece ?? ".";
  const pattern = new RegExp(`^${run.map(letter).join("")}$`);
  const found = list.filter((each) => pattern.test(each)).sort();
  const more = found.length - MOST_WORDS;
  return `${plural(found.length, "word")} of the list fit${found.length === 1 ? "s" : ""} here${found.length ? ": " : ""}${found.slice(0, MOST_WORDS).join(", ")}${more > 0 ? `, and ${number(more)} more` : ""}.`;
}
