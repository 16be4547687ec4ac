// Editing a sudoku: type or paste digits, and paint regions.

import { button, h, select } from "../dom.js";
import { drawing } from "./drawing.js";
import { grid } from "./grid.js";
import { showsEntry } from "./faults.js";

/** The editor of a sudoku, or of a Latin square, which is not divided into regions. */
export function sudoku(data, change, { hand }, divided = true) {
  const rows = [data.grid]
    .flat()
    .join("\n")
    .split("\n")
    .filter(Boolean)
    .map((row) => [...row]);
  const size = rows.length;
  const regions = data.regions
    ? [data.regions].flat().join("\n").split("\n").filter(Boolean)
    : null;
  const [down, across] = data.box ? data.box.split("x").map(Number) : boxes(size);
  const region = (r, c) =>
    regions ? regions[r]?.[c] : `${Math.floor(r / down)},${Math.floor(c / across)}`;
  const digits = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, size);
  const written = () => rows.map((row) => row.join("")).join("\n");
  const changed = () => change((now) => ({ ...now, grid: written() }));
  // they belong to the old grid
  const replaced = () => change(({ candidates: _, ...now }) => ({ ...now, grid: written() }));
  const thick = (r, c) =>
    ["top", "left", "bottom", "right"].filter(
      (_, i) =>
        region(r, c) !==
        region(
          ...[
            [r - 1, c],
            [r, c - 1],
            [r + 1, c],
            [r, c + 1],
          ][i].map((x) => Math.min(size, Math.max(-1, x))),
        ),
    );
  const { element, put, tray } = grid(rows, {
    symbols: digits,
    painted: digits,
    label: "The givens",
    thick: divided ? thick : undefined,
    onchange: changed,
    onpaste: replaced,
    hand,
  });
  const clear = () => {
    for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) put(r, c, ".");
    replaced();
  };
  const letters = "abcdefghijklmnopqrstuvwxyz".slice(0, size);
  const drawn =
    regions ??
    rows.map((row, r) =>
      row
        .map((_, c) => letters[Math.floor(r / down) * (size / across) + Math.floor(c / across)])
        .join(""),
    );
  const names = [...new Set([...drawn.join(""), ...letters])].sort();
  const chosen = names.includes(hand.region) ? hand.region : drawn[0]?.[0];
  const brush = select(
    names.map((letter) => [letter, `region ${letter}`]),
    chosen,
    { "aria-label": "Region to paint", onchange: () => (hand.region = brush.value) },
  );
  const divide = (lines) =>
    change(({ box: _, ...now }) => ({ ...now, regions: lines.join("\n") }), { redraw: true });
  const painter = drawing(drawn, {
    label: "The regions",
    paint: () => brush.value,
    onchange: divide,
  });
  const parts =
    divided &&
    size <= letters.length &&
    h(
      "details",
      { id: "regions" },
      h("summary", {}, "Regions"),
      h("p", { class: "quiet" }, `Paint cells with a region. Each region needs ${size} cells.`),
      brush,
      showsEntry(h("div", { class: "regions" }, painter), "regions"),
    );
  return {
    stage: showsEntry(element, "grid"),
    tray: h(
      "div",
      {},
      h(
        "p",
        { class: "quiet" },
        "Type digits, or choose one and tap its cells. A whole grid can be pasted into any cell.",
      ),
      tray,
    ),
    settings: h("div", {}, h("div", { class: "row" }, button("Empty the grid", clear)), parts),
  };
}

/** Rows and columns of a box, as square as possible. */
function boxes(size) {
  let down = Math.floor(Math.sqrt(size));
  while (size % down) down--;
  return [down, size / down];
}
