// Puzzles that were opened or edited, kept in this browser.

const KEY = "jigsat-drafts";
const MOST = 100;

export function drafts() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** Keep a puzzle; `id` tells which draft it replaces. */
export function keep(id, { title, family, text }) {
  const name = drafts().find((draft) => draft.id === id)?.name;
  write([{ id, name, title, family, text, time: Date.now() }, ...drafts().filter((draft) => draft.id !== id)].slice(0, MOST));
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

function write(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // without storage, the link still holds the puzzle
  }
}
