// A drawing that is edited by clicking or painting its characters, with the arrow keys to move
// between them.

import { h } from "../dom.js";

/** `lines` are the rows of characters. `paint(old, row, column)` gives the new character of a cell
 * that is clicked, or null if the cell is fixed; while the pointer is dragged, the same character
 * is painted on. `onchange(lines)` hears of each change. A character is shown as `look` has it, and
 * read out as `say` has it. */
export function drawing(
  lines,
  { label, paint, onchange, look = (character) => character, say = (character) => character },
) {
  const rows = lines.map((line) => [...line]);
  const cells = rows.map((row) => row.map(() => null));
  let brush = null;
  const longest = Math.max(...lines.flatMap((line) => line.split(" ")).map((part) => part.length));
  const element = h("div", {
    class: "board",
    style: `--columns: ${longest}`,
    role: "group",
    "aria-label": label,
    onkeydown: move,
  });

  function dress(r, c) {
    const character = rows[r][c];
    const cell = cells[r][c];
    cell.dataset.character = character;
    cell.textContent = look(character);
    cell.setAttribute("aria-label", `row ${r + 1}, column ${c + 1}: ${say(character)}`);
  }

  function put(r, c, character) {
    if (character === null || rows[r][c] === character || paint(rows[r][c], r, c) === null) return;
    rows[r][c] = character;
    dress(r, c);
    onchange(rows.map((row) => row.join("")));
  }

  function move(event) {
    const [dr, dc] =
      {
        ArrowUp: [-1, 0],
        ArrowDown: [1, 0],
        ArrowLeft: [0, -1],
        ArrowRight: [0, 1],
      }[event.key] ?? [];
    const at = event.target.dataset.at?.split(",").map(Number);
    if (dr === undefined || !at) return;
    event.preventDefault();
    event.stopPropagation();
    const row = cells[Math.min(cells.length - 1, Math.max(0, at[0] + dr))];
    let to = at[1] + dc;
    if (row[to]?.dataset.character === " ") to += dc; // over the gap between two parts
    row[Math.min(row.length - 1, Math.max(0, to))]?.focus();
  }

  rows.forEach((row, r) => {
    const line = h("div", { class: "line" });
    const divided = row.includes(" "); // a piece that is written side after side
    const strip = () =>
      h(
        "div",
        { class: "strip" },
        h("span", { class: "quiet" }, `side ${line.children.length + 1}`),
      );
    let part = divided ? strip() : line;
    if (divided) line.append(part);
    row.forEach((character, c) => {
      const fixed = paint(character, r, c) === null;
      const cell = h("button", {
        type: "button",
        "data-at": `${r},${c}`,
        disabled: fixed,
        tabindex: r || c ? -1 : 0,
        onpointerdown: (event) => {
          event.target.releasePointerCapture?.(event.pointerId);
          brush = paint(rows[r][c], r, c);
          put(r, c, brush);
          // a finger enters the next cell before it is put down there, so the stroke must have
          // ended
          const stroke = new AbortController();
          const end = () => (stroke.abort(), (brush = null));
          for (const ending of ["pointerup", "pointercancel"])
            addEventListener(ending, end, { signal: stroke.signal });
        },
        onpointerenter: ({ buttons }) => buttons && put(r, c, brush),
        onclick: ({ detail }) => detail === 0 && put(r, c, paint(rows[r][c], r, c)),
      });
      cells[r][c] = cell;
      dress(r, c);
      if (divided && character === " ") line.append((part = strip()));
      else part.append(cell);
    });
    element.append(line);
  });
  const first = cells.flat().find((cell) => !cell.disabled);
  if (first) first.tabIndex = 0;
  return element;
}
