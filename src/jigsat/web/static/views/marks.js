// Marks on the picture of a board: what can be put where, and what a step is about.

import { box } from "./table.js";

const NAMES = 4; // pieces that are named in a cell; of more, their number is shown
const PENCIL = 9; // the same for digits and letters

/** What can be put on each open place. `statuses` has a character for each candidate: see `CandidatesFound` of the messages. */
export function showCandidates(board, table, statuses, taken, held) {
  const svg = board.querySelector("svg");
  svg.querySelector(".candidates")?.remove();
  if (!statuses) return;
  const layer = element(svg, "g", { class: "candidates" });
  const free = [...table.at].filter(([name]) => !taken.has(name));
  const cells = free.map(([name, all]) => cell(table, name, all.filter(({ piece }) => piece === (held ?? piece)), statuses, held));
  const most = Math.max(1, ...cells.map(({ weight }) => weight));
  for (const { name, weight, open, marks, sure } of cells) {
    const points = table.outlines.get(name).join(" ");
    if (weight && (held || !table.pencil)) element(layer, "polygon", { points, class: "heat", "fill-opacity": (0.08 + (0.42 * weight) / most).toFixed(2) });
    if (open) element(layer, "polygon", { points, class: "open", fill: hatch(svg, table.size) });
    write(layer, table, name, marks, sure);
  }
}

/** What is known about a place: how much can go there, whether that is not all known yet, and the marks that say so. */
function cell(table, name, candidates, statuses, held) {
  const can = candidates.filter(({ number }) => !"-?".includes(statuses[number]));
  const open = candidates.some(({ number }) => "?*".includes(statuses[number]));
  const sure = can.some(({ number }) => statuses[number] === "!");
  const pieces = [...new Set(can.map(({ piece }) => piece))];
  if (table.toggles) return { name, weight: can.length ? (sure ? 2 : 1) : 0, open, sure, marks: [sure ? "●" : can.length ? "?" : open ? "" : "–"] };
  if (held) return { name, weight: can.length, open, sure, marks: can.length ? [`${can.length}${open ? "+" : ""}`] : [] };
  const short = pieces.length <= (table.typed ? PENCIL : NAMES) && pieces.every((piece) => table.pencil || piece.length < 4);
  return { name, weight: pieces.length, open, sure, marks: short ? pieces : [`${pieces.length}${open ? "+" : ""}`] };
}

/** Write marks into a place: symbols of few where they are always, others in rows. */
function write(layer, table, name, marks, sure) {
  const { width, height } = box([table.outlines.get(name)]);
  const [x, y] = table.middles.get(name);
  const all = [...table.copies.keys()];
  const fixed = table.typed && all.length <= PENCIL && !sure && marks.every((mark) => table.copies.has(mark));
  const slots = fixed ? all : marks;
  const long = Math.max(...slots.map((mark) => mark.length), 1);
  const columns = long > 2 ? 1 : Math.ceil(Math.sqrt(slots.length));
  const rows = Math.ceil(slots.length / columns);
  const [w, h] = [(width * 0.82) / columns, (height * 0.82) / rows];
  const size = Math.min(h * 0.95, (w * 1.6) / long, height * (sure ? 0.6 : table.pencil ? 0.34 : 0.24));
  slots.forEach((mark, i) => {
    if (!marks.includes(mark)) return;
    const at = { x: x + w * ((i % columns) - (columns - 1) / 2), y: y + h * (Math.floor(i / columns) - (rows - 1) / 2) };
    element(layer, "text", { ...at, "font-size": size.toFixed(1), class: sure ? "mark sure" : "mark" }, mark);
  });
}

/** Write what a step places or excludes into its place. */
export function writeNews(board, table, { names, piece, middle }, kind) {
  const layer = board.querySelector("svg");
  const { height } = box([table.outlines.get(names[0])]);
  element(layer, "text", { x: middle[0], y: middle[1], "font-size": (height * Math.min(0.5, 1.1 / Math.max(piece.length, 1))).toFixed(1), class: `mark ${kind}` }, piece || "●");
}

/** The pattern of places about which not all is known. */
function hatch(svg, size) {
  if (!svg.querySelector("#hatch")) {
    const step = size / 6;
    const pattern = element(svg, "pattern", { id: "hatch", width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    element(pattern, "rect", { width: step / 4, height: step, fill: "#8a93a6" });
  }
  return "url(#hatch)";
}

function element(parent, tag, attributes, words = "") {
  const made = document.createElementNS(parent.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = words;
  parent.append(made);
  return made;
}
