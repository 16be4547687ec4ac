// Editing edge-matching tiles: choose a label, then click the sides that show it.

import { brushFor, brushes } from "./brushes.js";
import { complain, field, h, select, svgElement } from "../dom.js";
import { showsEntry } from "./faults.js";
import { named } from "./named.js";
import { pictures } from "./pictures.js";
import { thingOf, valuesOf, withThing } from "../things.js";

const PALETTE = [
  "#e69f00",
  "#56b4e9",
  "#009e73",
  "#f0e442",
  "#0072b2",
  "#d55e00",
  "#cc79a7",
  "#999999",
];
const BLANK = "?"; // for a label that is not known yet
const [WIDTH, DEPTH] = [0.36, 0.66]; // of half a figure, as in the pictures
// the depth of a plate with a label, and its distance from the corners, as in the pictures
const PLATE = 0.2;

export function tiles(data, change, { painted, hand }) {
  const sides = (tile) => (Array.isArray(tile) ? tile : tile.sides);
  const labels = [
    ...new Set([
      ...pairs(data).flat(),
      ...valuesOf(data.tiles).flatMap(sides),
      ...(data.frame ? [data.frame] : []),
    ]),
  ].filter((label) => label !== BLANK);
  const looks = looksOf(labels, data, painted);
  const chips = labels.map((label) => [label, label, icon(looks[label])]);
  const tray = brushes("Label", chips, hand, { keyed: true });
  const parts = [];

  function paint(name, side, label) {
    dress(
      parts.find((part) => part.name === name && part.side === side),
      label,
    );
    const shown = (tile) => sides(tile).map((old, i) => (i === side ? label : old));
    change((now) => {
      const tile = thingOf(now.tiles, name);
      return {
        ...now,
        tiles: withThing(
          now.tiles,
          name,
          Array.isArray(tile) ? shown(tile) : { ...tile, sides: shown(tile) },
        ),
      };
    });
  }

  /** A side that has the label gets the one that belongs to it, so that a second click turns a head
   * into a tail. */
  function act(part) {
    if (hand.brush !== undefined)
      paint(
        part.name,
        part.side,
        part.label === hand.brush ? (partner(data, hand.brush) ?? hand.brush) : hand.brush,
      );
  }

  function key(event, part) {
    const at = parts.indexOf(part);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const label = brushFor(event.key, chips, hand, tray);
    if (step) parts[(at + step + parts.length) % parts.length].element.focus();
    else if (label !== undefined) {
      paint(part.name, part.side, label);
      goOn(at);
    } else if ([" ", "Enter"].includes(event.key)) act(part);
    else if (["Delete", "Backspace"].includes(event.key)) paint(part.name, part.side, BLANK);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Focus the side after one that was painted, or the next without a label. After the last one,
   * further keys paint nothing. */
  function goOn(at, clicked = false) {
    const next = parts[at + 1] ?? parts.find(({ label }) => label === BLANK);
    if (next) next.element.focus({ preventScroll: clicked });
    else if (!clicked) document.getElementById("edited").focus();
  }

  function dress(part, label) {
    part.label = label;
    part.element.setAttribute(
      "aria-label",
      `tile ${part.name}, side ${part.side + 1}: ${label === BLANK ? "no label yet" : label}`,
    );
    part.element.replaceChildren(
      ...(part.pictured
        ? plate(part.corners, looks[label], label)
        : half(part.corners, looks[label])),
    );
  }

  function draw(name, tile) {
    const picture = svgElement("svg", { viewBox: "0 0 100 100" });
    const corners = cornersOf(sides(tile).length);
    const given = thingOf(data.pictures, name);
    const own = given?.startsWith("data:") && given;
    if (own)
      picture.append(
        svgElement("image", {
          href: own,
          width: 100,
          height: 100,
          preserveAspectRatio: "xMidYMid slice",
          style: `clip-path: polygon(${corners.map(([x, y]) => `${x}px ${y}px`)})`,
        }),
      );
    sides(tile).forEach((label, side) => {
      const press = () => (act(part), goOn(parts.indexOf(part), true));
      const element = svgElement("g", {
        role: "button",
        tabindex: parts.length ? -1 : 0,
        onclick: press,
        onkeydown: (event) => key(event, part),
      });
      const part = {
        name,
        side,
        pictured: Boolean(own),
        corners: [corners[side], corners[(side + 1) % corners.length]],
        element,
      };
      parts.push(part);
      dress(part, label);
      picture.append(part.element);
    });
    return h("div", { class: "tile" }, picture);
  }

  const fresh = h("input", { "aria-label": "Another label", onchange: add });
  function add() {
    const name = fresh.value.trim();
    // nothing is left of what was typed
    if (!name) return change((now) => ({ ...now, matching: data.matching }), { redraw: true });
    const added = labels.includes(name) ? [] : [halves(data).map((end) => `${name}${end}`)];
    hand.brush = added[0]?.[0] ?? name;
    const old =
      data.matching === "equal" || !data.matching
        ? labels.map((label) => [label, label])
        : data.matching;
    change((now) => ({ ...now, matching: [...old, ...added] }), { redraw: true });
  }

  const columns = /^square \d+x([1-6])$/.exec(data.board)?.[1];
  const blank = (values) => Array(values.length ? sides(values.at(-1)).length : 4).fill(BLANK);
  const frame = select([["", "none"], ...labels.map((label) => [label, label])], data.frame ?? "", {
    id: "frame",
    onchange: () => change((now) => ({ ...now, frame: frame.value || undefined })),
  });
  showsEntry(frame, "frame");
  const own = pictures(data, "tiles", "tile", change, hand);
  return {
    stage: h(
      "div",
      own.drop,
      named(data, "tiles", "tile", change, { draw, fresh: blank, columns }),
    ),
    tray: h(
      "div",
      {},
      h(
        "p",
        { class: "quiet" },
        "Choose a label, then tap the sides that show it.",
        h("span", { class: "keys" }, " Keys: 1 to 9 paint a side and go to the next."),
      ),
      tray,
    ),
    settings: h(
      "div",
      {},
      h(
        "div",
        { class: "row fields" },
        field("Another label", fresh),
        field("Label on the frame", frame),
        partners(data, labels, change),
      ),
      own.fields,
    ),
  };
}

const pairs = ({ matching }) => (Array.isArray(matching) ? matching : []);

/** The other half of a figure. */
const partner = (data, label) =>
  pairs(data)
    .find((pair) => pair.includes(label))
    ?.find((other) => other !== label);

/** The figures or colours on tiles, as the generator's options name them; none if they match in
 * some other way. */
export function figures(data) {
  const ends = halves(data);
  const labels = pairs(data).length
    ? pairs(data).map(([one]) => one.slice(0, one.length - ends[0].length))
    : valuesOf(data.tiles).flatMap((tile) => tile.sides ?? tile);
  if (!ends[0] && pairs(data).some(([a, b]) => a !== b)) return {};
  const found = [...new Set(labels)].filter((label) => label !== BLANK && label !== data.frame);
  return {
    labels: found.join(", "),
    halves: ends[0] ? ends.map((end) => end.trim()).join(", ") : undefined,
  };
}

/** How the labels of a figure end, such as ' head' and ' tail'; a figure that is not cut has one
 * label, which matches itself. */
function halves(data) {
  const [[a, b] = ["", ""]] = pairs(data);
  const [, head, tail] = /^.*?( \S+)\n.*?( \S+)$/.exec(`${a}\n${b}`) ?? [];
  return head !== undefined && a !== b && a.slice(0, -head.length) === b.slice(0, -tail.length)
    ? [head, tail]
    : ["", ""];
}

/** Which label belongs to which: equal ones, or pairs. */
function partners(data, labels, change) {
  const problem = h("p", { class: "problem", role: "alert" });
  const text = h("input", {
    value: pairs(data)
      .map((pair) => pair.join(" – "))
      .join(", "),
    placeholder: "equal labels match",
    size: 24,
    id: "pairs",
  });
  showsEntry(text, "matching");
  text.onchange = () => {
    const found = text.value
      .split(",")
      .filter((pair) => pair.trim())
      .map((pair) => pair.split(/\s*[–=]\s*|\s+-\s+/).map((label) => label.trim()));
    const wrong = found.find((pair) => pair.length !== 2 || pair.includes(""));
    if (
      !complain(
        text,
        problem,
        wrong ? `“${wrong.join(" – ")}” is not a pair; write two labels with – between them` : "",
      )
    )
      return;
    change((now) => ({ ...now, matching: found.length ? found : "equal" }), { redraw: true });
  };
  return h(
    "div",
    {},
    field(
      "Pairs that match",
      text,
      `such as ${labels[0] ?? "head"} – ${labels[1] ?? labels[0] ?? "tail"}`,
    ),
    problem,
  );
}

// -- pictures

function cornersOf(count) {
  const reach = count === 4 ? 69 : 49; // a square fills the picture
  return Array.from({ length: count }, (_, i) => (Math.PI * (2 * i - 1)) / count - Math.PI / 2).map(
    (angle) => [50 + reach * Math.cos(angle), 50 + reach * Math.sin(angle)],
  );
}

/** What a side shows: a colour, or the head or the tail of a figure in its colour. */
function half([a, b], look) {
  const ground = { points: [[50, 50], a, b].join(" "), stroke: "#333", "stroke-width": 0.8 };
  if (!look) return [svgElement("polygon", { points: ground.points, class: "empty" })];
  if (!look.shape) return [svgElement("polygon", { ...ground, fill: look.fill })];
  const middle = [0, 1].map((axis) => (a[axis] + b[axis]) / 2);
  const steps = look.shape === "head" ? Array.from({ length: 13 }, (_, i) => i / 12) : [0, 0.5, 1];
  const at = (turn) =>
    [0, 1].map(
      (axis) =>
        middle[axis] +
        WIDTH * Math.cos(Math.PI * turn) * (b[axis] - a[axis]) +
        DEPTH * Math.sin(Math.PI * turn) * (50 - middle[axis]),
    );
  return [
    svgElement("polygon", {
      ...ground,
      fill: `color-mix(in srgb, ${look.fill}, white 67%)`,
      class: "pale",
    }),
    svgElement("polygon", { points: steps.map(at).join(" "), fill: look.fill }),
  ];
}

/** The same on a tile with a picture: a plate along the side, with the label, as it is drawn
 * everywhere. */
function plate([a, b], look, label) {
  const between = (from, to) => from.map((x, axis) => x + PLATE * (to[axis] - x));
  const [start, end] = [between(a, b), between(b, a)];
  const rim = [start, end, between(end, [50, 50]), between(start, [50, 50])];
  const [x, y] = [0, 1].map((axis) => rim.reduce((sum, point) => sum + point[axis] / 4, 0));
  const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
  const words = svgElement(
    "text",
    {
      transform: `translate(${x} ${y}) rotate(${turn})`,
      "font-size": Math.min(8.6, 90 / label.length),
      "text-anchor": "middle",
      dy: "0.35em",
      class: "plate",
    },
    label === BLANK ? "" : label,
  );
  const ground = { points: [[50, 50], a, b].join(" "), fill: "transparent" };
  return [
    svgElement("polygon", ground),
    svgElement("polygon", {
      points: rim.join(" "),
      fill: look?.fill ?? "#fff",
      stroke: "#666",
      "stroke-dasharray": look ? "none" : "3 2",
    }),
    words,
  ];
}

function icon(look) {
  return look.shape
    ? svgElement(
        "svg",
        { viewBox: "12 0 76 50", class: "dot", "aria-hidden": "true" },
        ...half(
          [
            [1, 1],
            [99, 1],
          ],
          look,
        ),
      )
    : h("span", { class: "dot", style: `background: ${look.fill}` });
}

/** The colour of each label: that of the picture, or for a label that no picture has yet one of a
 * palette; and its half of a figure. */
function looksOf(labels, data, painted) {
  const one = ([fill, band]) => (band ? `color-mix(in srgb, ${fill}, ${band})` : fill);
  const shape = (label) =>
    pairs(data)
      .map(([a, b]) => a !== b && (a === label ? "head" : b === label && "tail"))
      .find(Boolean);
  return Object.fromEntries(
    labels.map((label, i) => [
      label,
      {
        fill: painted[label] ? one(painted[label]) : PALETTE[i % PALETTE.length],
        shape: shape(label),
      },
    ]),
  );
}
