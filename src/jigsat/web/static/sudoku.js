// Editing a sudoku: type or paste digits, and paint regions.

import { button, h, select } from "./dom.js";
import { drawing } from "./drawing.js";

let regionsOpen = false; // the editor is redrawn after each change of the regions
let regionToPaint = "";

export function sudoku(data, change) {
  const rows = [data.grid].flat().join("\n").split("\n").filter(Boolean).map((row) => [...row]);
  const size = rows.length;
  const regions = data.regions ? [data.regions].flat().join("\n").split("\n").filter(Boolean) : null;
  const [down, across] = data.box ? data.box.split("x").map(Number) : boxes(size);
  const region = (r, c) => (regions ? regions[r]?.[c] : `${Math.floor(r / down)},${Math.floor(c / across)}`);
  const digits = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, size);
  const cells = [];
  const written = () => change((now) => ({ ...now, grid: rows.map((row) => row.join("")).join("\n") }));

  function put(r, c, value) {
    rows[r][c] = value;
    cells[r][c].value = value === "." ? "" : value;
  }

  function typed(r, c) {
    const value = cells[r][c].value.trim().toUpperCase().slice(-1);
    put(r, c, digits.includes(value) && value ? value : ".");
    written();
  }

  function move(event, r, c) {
    const [dr, dc] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
    if (dr === undefined) return;
    event.preventDefault();
    cells[(r + dr + size) % size][(c + dc + size) % size].focus();
  }

  /** A whole grid, as rows or as one line; bars and spaces are ignored. */
  function paste(event) {
    const text = event.clipboardData.getData("text").replace(/[\s|+-]/g, "").replace(/[0_]/g, ".");
    if (text.length !== size * size) return;
    event.preventDefault();
    [...text].forEach((value, i) => put(Math.floor(i / size), i % size, digits.includes(value.toUpperCase()) ? value.toUpperCase() : "."));
    written();
  }

  const grid = h("div", { class: "sudoku", role: "group", "aria-label": "The givens", style: `--size: ${size}`, onpaste: paste });
  for (let r = 0; r < size; r++) {
    cells.push([]);
    for (let c = 0; c < size; c++) {
      const thick = ["top", "left", "bottom", "right"].filter((_, i) => region(r, c) !== region(...[[r - 1, c], [r, c - 1], [r + 1, c], [r, c + 1]][i].map((x) => Math.min(size, Math.max(-1, x)))));
      const cell = h("input", {
        inputmode: "numeric",
        maxlength: 2,
        "aria-label": `row ${r + 1}, column ${c + 1}`,
        class: thick.map((side) => `thick-${side}`).join(" "),
        value: rows[r][c] === "." ? "" : rows[r][c],
        oninput: () => typed(r, c),
        onkeydown: (event) => move(event, r, c),
      });
      cells[r].push(cell);
      grid.append(cell);
    }
  }
  const clear = () => {
    for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) put(r, c, ".");
    written();
  };
  const letters = "abcdefghijklmnopqrstuvwxyz".slice(0, size);
  const drawn = regions ?? rows.map((row, r) => row.map((_, c) => letters[Math.floor(r / down) * (size / across) + Math.floor(c / across)]).join(""));
  const names = [...new Set([...drawn.join(""), ...letters])].sort();
  const chosen = names.includes(regionToPaint) ? regionToPaint : drawn[0]?.[0];
  const brush = select(names.map((letter) => [letter, `region ${letter}`]), chosen, { "aria-label": "Region to paint", onchange: () => (regionToPaint = brush.value) });
  const divide = (lines) => change(({ box: _, ...now }) => ({ ...now, regions: lines.join("\n") }), { redraw: true });
  const painter = drawing(drawn, { label: "The regions", paint: () => brush.value, onchange: divide });
  return h(
    "div",
    {},
    h("p", { class: "quiet" }, "Type digits, or paste a whole grid into any cell."),
    grid,
    h("div", { class: "row" }, button("Empty the grid", clear)),
    size <= letters.length && h("details", { open: regionsOpen, ontoggle: ({ target }) => (regionsOpen = target.open) }, h("summary", {}, "Regions"), h("p", { class: "quiet" }, `Paint cells with a region. Each region needs ${size} cells.`), brush, h("div", { class: "regions" }, painter)),
  );
}

/** Rows and columns of a box, as square as possible. */
function boxes(size) {
  let down = Math.floor(Math.sqrt(size));
  while (size % down) down--;
  return [down, size / down];
}
