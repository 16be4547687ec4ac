// A grid of characters that are typed or pasted, such as digits and letters; the arrow keys move.

import { h } from "../dom.js";

/** `rows` are lists of characters, which change; `symbols` may be typed. `thick(row, column)` gives the sides with a thick line.
 * `onchange()` hears of each change. Returns the element and `put`, which sets a cell. */
export function grid(rows, { symbols, label, thick = () => [], onchange, step = false }) {
  const cells = [];
  const [height, width] = [rows.length, rows[0]?.length ?? 0];

  function put(r, c, value) {
    rows[r][c] = value;
    cells[r][c].value = value === "." ? "" : value;
    cells[r][c].classList.toggle("block", value === "#");
  }

  function typed(r, c) {
    const value = cells[r][c].value.trim().toUpperCase().slice(-1);
    put(r, c, symbols.includes(value) && value ? value : ".");
    onchange();
    if (step && value) cells[r][(c + 1) % width].focus();
  }

  function move(event, r, c) {
    const [dr, dc] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
    if (dr === undefined) return;
    event.preventDefault();
    cells[(r + dr + height) % height][(c + dc + width) % width].focus();
  }

  /** A whole grid, as rows or as one line; bars and spaces are ignored. */
  function paste(event) {
    const text = event.clipboardData.getData("text").replace(/[\s|+-]/g, "").replace(/[0_]/g, ".");
    if (text.length !== height * width) return;
    event.preventDefault();
    [...text.toUpperCase()].forEach((value, i) => put(Math.floor(i / width), i % width, symbols.includes(value) ? value : "."));
    onchange();
  }

  const element = h("div", { class: "sudoku", role: "group", "aria-label": label, style: `--size: ${width}`, onpaste: paste });
  rows.forEach((row, r) => {
    cells.push(
      row.map((value, c) =>
        h("input", {
          inputmode: /[A-Z]/.test(symbols) ? "text" : "numeric",
          maxlength: 2,
          "aria-label": `row ${r + 1}, column ${c + 1}`,
          class: [...thick(r, c).map((side) => `thick-${side}`), value === "#" ? "block" : ""].join(" "),
          value: value === "." ? "" : value,
          onfocus: ({ target }) => target.select(),
          oninput: () => typed(r, c),
          onkeydown: (event) => move(event, r, c),
        }),
      ),
    );
    element.append(...cells[r]);
  });
  return { element, put };
}
