// What was played, kept in this browser and in the link.

const KEY = "jigsat-played";
const MOST = 30;

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** The numbers of the placements that were played on a puzzle: those of the link, or else those kept here. */
export function played(work) {
  const code = work.played ?? kept().find(({ puzzle }) => puzzle === work.puzzle.toml)?.code ?? "";
  return code.split(".").filter(Boolean).map((digits) => parseInt(digits, 36));
}

export function remember(work, numbers) {
  work.played = numbers.map((number) => number.toString(36)).join(".");
  const puzzle = work.puzzle.toml;
  const others = kept().filter((each) => each.puzzle !== puzzle);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ puzzle, code: work.played }, ...others].slice(0, MOST)));
  } catch {
    // without storage, the link still holds it
  }
  work.link();
}
