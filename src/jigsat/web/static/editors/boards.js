// The board picker: a name with its size, and pictures of boards to choose from.

import { fill, field, h, picture } from "../dom.js";
import { showsEntry } from "./faults.js";
import { one } from "../engines/engine.js";

const BOARDS = [
  "square 3x3",
  "square 5x5",
  "square 4x6",
  "torus 5x5",
  "cylinder 4x6",
  "hexagon 3",
  "triangle 4",
  "cube",
  "tetrahedron",
  "octahedron",
  "dodecahedron",
  "icosahedron",
  "triangular-bipyramid",
  "pentagonal-bipyramid",
  "snub-disphenoid",
  "triaugmented-prism",
  "gyroelongated-bipyramid",
  "prism 6",
  "antiprism 5",
];

/** The name of a board, and pictures to choose from; `choose` gets the new name. */
export function boardPicker(board, engine, choose) {
  const input = h("input", { value: board, id: "board-name", onchange: () => choose(input.value) });
  showsEntry(input, "board");
  const list = h("ul", { class: "cards boards" });
  const hint = h(
    "p",
    { class: "quiet" },
    "Sizes can be changed in the field: rows × columns, or the number of cells along a side.",
  );
  const details = h(
    "details",
    { id: "boards", ontoggle: () => details.open && !list.children.length && show() },
    h("summary", {}, "Choose a board"),
    hint,
    list,
  );

  async function show() {
    for (const name of BOARDS) {
      const paper = h("span", { class: "paper" });
      list.append(
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "card",
              "data-board": name,
              "aria-pressed": String(name === board),
              onclick: () => choose(name),
            },
            paper,
            h("strong", {}, name),
          ),
        ),
      );
      const puzzle = { data: { family: "lights-out", board: name, lit: "all" } };
      one(engine, { kind: "load", puzzle }, "puzzle").then(
        ({ svg }) => fill(paper, picture(svg, "")),
        console.error,
      );
    }
  }

  return h("div", {}, h("div", { class: "row fields" }, field("Board", input)), details);
}
