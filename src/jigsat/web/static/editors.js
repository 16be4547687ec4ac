// The direct editors, by family. A family without one is edited as text.

const EDITORS = {};

export function editorFor(puzzle) {
  return EDITORS[puzzle.family] ?? null;
}
