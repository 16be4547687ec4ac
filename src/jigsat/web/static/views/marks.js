// Marks on the picture of a board: what can be put where, and what a step is about.

import { dress, svgElement } from "../dom.js";
import { plural } from "../words.js";
import { box, mean, text } from "./table.js";

const NAMES = 4; // pieces that are named in a cell; of more, their number is shown
const EDGE = 1.6; // the side of the room on an edge, in widths of its outline
const PENCIL = 9; // the same for digits and letters

/** What can be put on each open place. `statuses` has a character for each candidate: see
 * `CandidatesFound` of the messages. */
export function showCandidates(board, table, statuses, taken, held) {
  const svg = board.querySelector("svg");
  svg.querySelector(".candidates")?.remove();
  if (!statuses) return;
  const layer = element(svg, "g", { class: "candidates" });
  const free = [...table.at].filter(([name]) => !taken.has(name));
  const cells = free.map(([name, all]) =>
    cell(
      table,
      name,
      all.filter(({ piece }) => piece === (held ?? piece)),
      statuses,
      held,
    ),
  );
  const most = Math.max(1, ...cells.map(({ weight }) => weight));
  for (const { name, weight, open, marks, sure } of cells) {
    const points = table.outlines.get(name).join(" ");
    if (weight && (held || !table.pencil))
      element(layer, "polygon", {
        points,
        class: "heat",
        "fill-opacity": (0.08 + (0.42 * weight) / most).toFixed(2),
      });
    if (open) element(layer, "polygon", { points, class: "open", fill: hatch(svg, table.size) });
    write(layer, table, name, marks, sure);
  }
}

/** What is known about a place: how much can go there, whether that is not all known yet, and the
 * marks that say so. */
function cell(table, name, candidates, statuses, held) {
  const can = candidates.filter(({ number }) => !"-?".includes(statuses[number]));
  const open = candidates.some(({ number }) => "?*".includes(statuses[number]));
  const sure = can.some(({ number }) => statuses[number] === "!");
  const pieces = [...new Set(can.map(({ piece }) => piece))];
  if (table.toggles)
    return {
      name,
      weight: can.length ? (sure ? 2 : 1) : 0,
      open,
      sure,
      marks: [sure ? "●" : can.length ? "?" : open ? "" : "–"],
    };
  if (held)
    return {
      name,
      weight: can.length,
      open,
      sure,
      marks: can.length ? [counted(can.length, open, "way")] : [],
    };
  const short =
    pieces.length <= (table.typed ? PENCIL : NAMES) &&
    pieces.every((piece) => table.pencil || piece.length < 4);
  return {
    name,
    weight: pieces.length,
    open,
    sure,
    marks: short ? pieces : [counted(pieces.length, open, table.noun)],
  };
}

const counted = (number, open, noun) => (open ? `${number}+ ${noun}s` : plural(number, noun));

/** The room on an edge: a square around its middle. */
export function squareIn({ left, top, width, height }) {
  const side = EDGE * Math.min(width, height);
  const [x, y] = [left + width / 2, top + height / 2];
  return { left: x - side / 2, top: y - side / 2, width: side, height: side, middle: [x, y] };
}

/** The room in places, and its middle: below the clue in the upper left corner, if there is one. On
 * an edge it is as wide as high, whichever way that runs. */
export function roomIn(svg, table, names) {
  const whole = box(names.map((name) => table.outlines.get(name)));
  if (table.onEdges) return squareIn(whole);
  const inCorner = ({ x, y, width, height }) =>
    x >= whole.left &&
    x + width / 2 < whole.left + whole.width / 2 &&
    y + height / 2 > whole.top &&
    y + height < whole.top + 0.6 * whole.height;
  const printed = svg.querySelectorAll(":scope > text:not(.ruler), :scope > g:not([class]) text");
  const clue = [...printed].map((label) => boxOf(svg, label)).find(inCorner);
  if (!clue) return { ...whole, middle: mean(names.map((name) => table.middles.get(name))) };
  const top = clue.y + clue.height;
  const height = whole.top + whole.height - top;
  return { ...whole, top, height, middle: [whole.left + whole.width / 2, top + height / 2] };
}

/** The box of a text in the units of its picture. */
function boxOf(svg, label) {
  const { x, y, width, height } = label.getBBox();
  const toPicture = svg.getScreenCTM()?.inverse().multiply(label.getScreenCTM());
  const at = new DOMPoint(x, y).matrixTransform(toPicture);
  return { x: at.x, y: at.y, width, height };
}

/** Write marks into a place: symbols of few where they are always, others in rows. */
function write(layer, table, name, marks, sure) {
  const { width, height, middle } = roomIn(layer.ownerSVGElement, table, [name]);
  const [x, y] = middle;
  const all = [...table.copies.keys()];
  const fixed =
    table.typed && all.length <= PENCIL && marks.every((mark) => table.copies.has(mark));
  const slots = fixed ? all : marks;
  const long = Math.max(...slots.map((mark) => mark.length), 1);
  const columns = long > 2 ? 1 : Math.ceil(Math.sqrt(slots.length));
  const rows = Math.ceil(slots.length / columns);
  const [w, h] = [(width * 0.82) / columns, (height * 0.82) / rows];
  const size = Math.min(
    h * 0.95,
    (w * 1.6) / long,
    height * (table.toggles ? 0.6 : table.pencil ? 0.34 : 0.24),
  );
  slots.forEach((mark, i) => {
    if (!marks.includes(mark)) return;
    const at = {
      x: x + w * ((i % columns) - (columns - 1) / 2),
      y: y + h * (Math.floor(i / columns) - (rows - 1) / 2),
    };
    const [number, noun] = /^\d.* /.test(mark) ? mark.split(" ") : [mark];
    const large = noun ? 0.24 * height : size;
    const made = element(
      layer,
      "text",
      {
        ...at,
        y: noun ? at.y - 0.3 * large : at.y,
        "font-size": large.toFixed(1),
        class: sure ? "mark sure" : "mark",
      },
      number,
    );
    if (noun)
      element(
        made,
        "tspan",
        {
          x: at.x,
          dy: (0.95 * large).toFixed(1),
          "font-size": Math.min(large * 0.7, (1.6 * width) / noun.length).toFixed(1),
        },
        noun,
      );
  });
}

/** Draw what a step places or excludes, each as it would lie; what is excluded is crossed out.
 * `look` draws a candidate alone. */
export async function drawNews(board, table, candidates, kind, look) {
  const svg = board.querySelector("svg");
  for (const old of svg.querySelectorAll(`.news.${kind}`)) old.remove();
  const layer = element(svg, "g", { class: `news ${kind}` });
  const drawn = table.typed || table.toggles ? [] : await look(candidates);
  candidates.forEach((each, i) => {
    const together =
      each.names.length === 1
        ? candidates.filter(({ names }) => text(names) === text(each.names))
        : [each];
    const columns = Math.ceil(Math.sqrt(together.length));
    const whole = drawn[i]
      ? box(each.names.map((name) => table.outlines.get(name)))
      : roomIn(svg, table, each.names);
    const at = together.indexOf(each);
    const [width, height] = [whole.width / columns, whole.height / columns];
    const [x, y] = [
      whole.left + (at % columns) * width,
      whole.top + Math.floor(at / columns) * height,
    ];
    const middle = { x: x + width / 2, y: y + height / 2 };
    if (drawn[i]) {
      if (!at)
        for (const name of each.names)
          // no name of a face below it
          element(layer, "polygon", { points: table.outlines.get(name).join(" "), class: "blank" });
      layer.append(dress(drawn[i].cloneNode(true), { x, y, width, height, class: "drawn" }));
    } else if (table.draws) {
      // What is excluded is only crossed out.
      if (kind === "new") drawPlace(layer, table, each.names[0], "ink");
    } else {
      const size = height * Math.min(0.5, 1.1 / Math.max(each.piece.length, 1));
      element(
        layer,
        "text",
        { ...middle, "font-size": size.toFixed(1), class: `mark ${kind}` },
        each.piece || "●",
      );
    }
    if (kind !== "gone") return;
    const reach = 0.36 * Math.min(width, height, table.size);
    for (const sign of [-1, 1])
      element(layer, "line", {
        x1: middle.x - reach,
        y1: middle.y - sign * reach,
        x2: middle.x + reach,
        y2: middle.y + sign * reach,
        class: "cross",
      });
  });
}

/** Draw sides of places. */
export function drawSides(board, sides) {
  for (const [[x1, y1], [x2, y2]] of sides)
    element(board.querySelector("svg"), "line", { x1, y1, x2, y2, class: "fault" });
}

/** Blank places of the picture of a board, until a new one comes. */
export function blank(board, table, names) {
  for (const name of names)
    element(sketched(board), "polygon", {
      points: table.outlines.get(name).join(" "),
      class: "blank",
    });
}

/** Draw a candidate on the picture of a board, as it looks alone or as a symbol, until a new one
 * comes. */
export function sketch(board, table, { piece, names }, look) {
  const { left: x, top: y, width, height } = box(names.map((name) => table.outlines.get(name)));
  if (table.typed) {
    const room = roomIn(board.querySelector("svg"), table, names);
    const at = { x: room.middle[0], y: room.middle[1] };
    const size = table.onEdges ? room.height / 2 : Math.min(0.6 * height, 0.85 * room.height);
    element(sketched(board), "text", { ...at, "font-size": size, class: "mark" }, piece);
  }
  if (!look) return;
  const edge = (look.viewBox.baseVal.width - width) / 2; // it shows a little more than its places
  sketched(board).append(
    dress(look.cloneNode(true), {
      x: x - edge,
      y: y - edge,
      width: width + 2 * edge,
      height: height + 2 * edge,
    }),
  );
}

/** Draw what a drawing gets and blank what it loses, until a new picture comes. */
export function sketchDrawn(board, table, before, now) {
  board.querySelector("svg > .sketch")?.remove();
  const draw = (each, kind) => drawPlace(sketched(board), table, each.names[0], kind);
  for (const each of before.placed) if (!now.placed.includes(each)) draw(each, "blank");
  for (const each of now.placed) if (!before.placed.includes(each)) draw(each, "ink");
}

/** Fill a cell, or draw a line along an edge, whose outline is a diamond that begins at one end. */
function drawPlace(layer, table, name, kind) {
  const outline = table.outlines.get(name);
  if (!table.edges.has(name))
    return element(layer, "polygon", { points: outline.join(" "), class: kind });
  const [[x1, y1], , [x2, y2]] = outline;
  const width = 0.12 * Math.hypot(x2 - x1, y2 - y1);
  return element(layer, "line", { x1, y1, x2, y2, "stroke-width": width, class: kind });
}

const sketched = (board) =>
  board.querySelector("svg > .sketch") ??
  element(board.querySelector("svg"), "g", { class: "sketch" });

/** The pattern of places about which not all is known. */
function hatch(svg, size) {
  if (!svg.querySelector("#hatch")) {
    const step = size / 6;
    const pattern = element(svg, "pattern", {
      id: "hatch",
      width: step,
      height: step,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    });
    element(pattern, "rect", { width: step / 4, height: step, fill: "#8a93a6" });
  }
  return "url(#hatch)";
}

const element = (parent, tag, attributes, words) =>
  parent.appendChild(svgElement(tag, attributes, words));
