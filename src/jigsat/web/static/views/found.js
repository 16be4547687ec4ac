// What the gallery shows: the state of it, and what follows from that. Nothing here touches the
// page.
//
// A state has the `text` that is searched for, the `group` of families that is chosen, or '' for
// all, the `instances` in the order in which they came, and what is wrong (`problem`).

import { FAMILIES, wordsOf } from "../editors/begin.js";
import { known, number, plural, searchFor } from "../words.js";
import { groupOf } from "./groups.js";

export const EMPTY = { text: "", group: "", instances: [], problem: "" };

const inGroup = (family, group) => !group || groupOf(family) === group;

/** The state with one more instance. */
export function add(state, { name, title, family, source, known: facts }) {
  const told = [name, title, wordsOf(family), source, known(facts, number).replaceAll(",", "")];
  const instance = {
    name,
    family,
    words: told.join(" ").toLowerCase(),
    names: [name, title].map((each) => each.toLowerCase()),
  };
  return { ...state, instances: [...state.instances, instance] };
}

/** Whether nothing is looked for, so that the gallery shows all that it has. */
export const isWhole = ({ text, group }) => !text.trim() && !group;

/** The families with their puzzles, in the order in which they stand: {family, cards, shown}, and a
 * card has {name, shown}. First comes what has the name that is searched for, then what begins with
 * it; without a search all is in its own order. */
export function shelvesOf({ text, group, instances }) {
  const fits = searchFor(text);
  const wanted = text.trim().toLowerCase();
  const families = new Map(Object.keys(FAMILIES).map((family) => [family, []]));
  for (const instance of instances) {
    if (!families.has(instance.family)) families.set(instance.family, []);
    families.get(instance.family).push({ ...instance, rank: rankOf(instance, wanted) });
  }
  const shelves = [...families].map(([family, all]) => {
    const sorted = all.sort((one, other) => one.rank - other.rank);
    const cards = sorted.map(({ name, words }) => ({ name, shown: fits(words) }));
    const shown = inGroup(family, group) && cards.some((card) => card.shown);
    return { family, cards, shown, rank: sorted[0]?.rank ?? LAST };
  });
  return shelves.sort((one, other) => one.rank - other.rank);
}

const LAST = 2; // the rank of what has another name

function rankOf({ names }, wanted) {
  if (!wanted || !names.some((each) => each.startsWith(wanted))) return LAST;
  return names.includes(wanted) ? 0 : 1;
}

/** A group that can be chosen: whether it is, whether it has families, and the number of its
 * puzzles. */
export function chipOf({ group, instances }, name) {
  const puzzles = instances.filter(({ family }) => inGroup(family, name)).length;
  const filled = puzzles > 0 || Object.keys(FAMILIES).some((family) => inGroup(family, name));
  return { pressed: name === group, filled, puzzles };
}

/** What is said of the number of puzzles. */
export function countOf(state, shelves) {
  if (state.problem) return state.problem;
  if (!state.instances.length) return "Loading …";
  const all = plural(state.instances.length, "puzzle");
  if (isWhole(state)) return all;
  const cards = shelves.filter(({ shown }) => shown).flatMap((shelf) => shelf.cards);
  const found = cards.filter(({ shown }) => shown).length;
  return `${found || "No puzzle"} found among ${all}`;
}
