// The player's own marks: the switch that says what is written, and the marks on the board.

import { button, dress, fill, h, svgElement } from "../dom.js";
import { roomIn } from "./marks.js";
import { box } from "./table.js";

const SLOTS = 9; // symbols that each have their own place in a cell
const RIM = [
  [0, 0],
  [2, 0],
  [0, 2],
  [2, 2],
  [1, 0],
  [1, 2],
  [0, 1],
  [2, 1],
]; // of a cell in thirds, in the order of use
const COLOURS = [
  ["orange", "#e69f00"],
  ["blue", "#56b4e9"],
  ["green", "#009e73"],
  ["yellow", "#f0e442"],
  ["dark blue", "#0072b2"],
  ["red", "#d55e00"],
  ["pink", "#cc79a7"],
  ["grey", "#8a8a8a"],
];

/** What can be written: kinds with their words and what a pointer that rests on them tells. The
 * first is what is placed. */
function kindsOf(table) {
  if (table?.noted)
    return [
      ["pen", "Pen", "Write (space: pen or pencil)"],
      ["corner", "Pencil", "Note in the corners (Shift and a digit)"],
      ["centre", "Middle", "Note in the middle (Ctrl and a digit)"],
      ["colour", "Colour", "Colour cells, to remember something"],
    ];
  if (!table?.draws) return [];
  const [drawn, crossed] = table.edges.size ? ["Line", "Cross"] : ["Mark", "Dot"];
  return [
    ["pen", drawn, "A second tap crosses it out"],
    ["cross", crossed, "What stays empty (X)"],
  ];
}

/** The switch and the colours. `act(name, …)` hears of another kind and of a colour. A pointer that
 * chooses one leaves the focus on the board, so that one can go on to type. */
export class Switch {
  constructor(board, listeners, act) {
    this.listen =
      (...what) =>
      (event) => {
        act(...what);
        if (event.detail) board.focus();
      };
    const paints = COLOURS.map(([name, fill], i) => {
      const looks = {
        "aria-label": name,
        title: name,
        "data-colour": i + 1,
        style: `--paint: ${fill}`,
      };
      return button("", this.listen("paint", i + 1), looks);
    });
    const group = (name, ...parts) =>
      h("div", { role: "group", "aria-label": name, hidden: true, ...listeners }, ...parts);
    this.element = dress(group("What is written"), { class: "switch" });
    this.colours = dress(group("Colours", ...paints), { class: "colours" });
  }

  /** Offer what can be written on a table; without one, nothing. */
  start(table) {
    const kinds = kindsOf(table).map(([kind, words, title]) =>
      button(words, this.listen("takePen", kind), { "data-kind": kind, title }),
    );
    fill(this.element, ...kinds);
    this.element.hidden = !kinds.length;
    this.colours.hidden = true;
  }

  show({ kind }) {
    for (const each of this.element.children)
      each.setAttribute("aria-pressed", String(each.dataset.kind === kind));
    this.colours.hidden = kind !== "colour";
  }
}

export const isColour = (digit) => Boolean(COLOURS[digit - 1]);

/** Draw the marks of a position. Notes in a place are not seen while something is placed there. */
export function showOwn(board, table, { placed, marks }) {
  const svg = board.querySelector("svg");
  svg.querySelector(":scope > .own")?.remove();
  const taken = new Set([...table.given, ...placed.flatMap(({ names }) => names)]);
  const layer = svgElement("g", { class: "own" });
  for (const [name, { corner = [], centre = [], colour, cross }] of Object.entries(marks)) {
    const outline = table.outlines.get(name);
    if (!outline) continue;
    if (colour)
      layer.append(
        svgElement("polygon", {
          points: outline.join(" "),
          class: "paint",
          fill: COLOURS[colour - 1][1],
        }),
      );
    if (taken.has(name)) continue;
    if (cross) layer.append(...crossing(table, name));
    layer.append(...notes(svg, table, name, corner, centre));
  }
  if (layer.firstChild) svg.append(layer);
}

/** Notes in a cell: each symbol in its own place, but around the rim if others are in the middle.
 * */
function notes(svg, table, name, corner, centre) {
  const { left, top, width, height, middle } = roomIn(svg, table, [name]);
  const symbols = [...table.copies.keys()];
  const slotted = symbols.length <= SLOTS && !centre.length;
  const across = slotted ? Math.ceil(Math.sqrt(symbols.length)) : 3;
  const spot = (symbol, i) =>
    slotted
      ? [symbols.indexOf(symbol) % across, Math.floor(symbols.indexOf(symbol) / across)]
      : RIM[i % RIM.length];
  const around = corner.map((symbol, i) => {
    const [x, y] = spot(symbol, i).map((part) => 0.18 + (0.64 * part) / Math.max(1, across - 1));
    return svgElement(
      "text",
      { x: left + x * width, y: top + y * height, "font-size": 0.25 * height, class: "mark" },
      symbol,
    );
  });
  const size = Math.min(0.3, 1.5 / centre.join("").length) * height;
  const [x, y] = middle;
  return [
    ...around,
    ...(centre.length
      ? [svgElement("text", { x, y, "font-size": size, class: "mark" }, centre.join(""))]
      : []),
  ];
}

/** A cross on an edge, or a dot in a cell. */
function crossing(table, name) {
  const [x, y] = table.middles.get(name);
  const { width, height } = box([table.outlines.get(name)]);
  if (!table.edges.has(name))
    return [
      svgElement("circle", { cx: x, cy: y, r: 0.09 * Math.min(width, height), class: "dot" }),
    ];
  const reach = 0.12 * Math.max(width, height);
  return [-1, 1].map((sign) =>
    svgElement("line", {
      x1: x - reach,
      y1: y - sign * reach,
      x2: x + reach,
      y2: y + sign * reach,
      class: "crossed",
    }),
  );
}
