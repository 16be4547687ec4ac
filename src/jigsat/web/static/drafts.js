// Puzzles that were opened or edited, kept in this browser.

import { readList, writeList } from "./kept.js";

const KEY = "jigsat-drafts";
const MOST = 100;

export const drafts = () => readList(KEY);
const write = (kept) => writeList(KEY, kept);

/** Keep {title, family, text, facts} of a puzzle; `id` tells which draft it replaces. The title and
 * family are those of the draft `from` until they are known. */
export function keep(id, known, from) {
  const draft = { ...drafts().find((draft) => draft.id === from), id, ...known, time: Date.now() };
  if (draft.family) write([draft, ...drafts().filter((other) => other.id !== id)].slice(0, MOST));
}

/** Give a draft another name in the list; its puzzle stays as it is, with its own title. */
export function rename(id, name) {
  write(drafts().map((draft) => (draft.id === id ? { ...draft, name } : draft)));
}

export function forget(id) {
  write(drafts().filter((draft) => draft.id !== id));
}

/** Bring a draft back that was forgotten. */
export function restore(draft) {
  write([...drafts(), draft]);
}
