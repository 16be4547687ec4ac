// Editing edge-matching tiles: choose a label, then click the sides that show it.

import { field, h, select } from "../dom.js";
import { named } from "./named.js";

const PALETTE = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"];

export function tiles(data, change, painted) {
  const sides = (tile) => (Array.isArray(tile) ? tile : tile.sides);
  const labels = [...new Set([...pairs(data).flat(), ...Object.values(data.tiles).flatMap(sides), ...(data.frame ? [data.frame] : [])])];
  const colours = colouring(labels, painted);
  let brush = labels[0];
  const paint = (name, side, part) => {
    const fresh = !labels.includes(brush);
    const painted = (now) => {
      const tile = now.tiles[name];
      const shown = sides(tile).map((label, i) => (i === side ? brush : label));
      const matching = fresh && Array.isArray(now.matching) ? { matching: [...now.matching, [brush, brush]] } : {}; // until it gets a partner
      return { ...now, ...matching, tiles: { ...now.tiles, [name]: Array.isArray(tile) ? shown : { ...tile, sides: shown } } };
    };
    if (!fresh) dress(part, name, side, brush, colours);
    change(painted, { redraw: fresh });
  };
  const radios = labels.map((label) =>
    h("label", { class: "swatch" }, h("input", { type: "radio", name: "label", value: label, checked: label === brush, onchange: () => (brush = label) }), h("span", { class: "dot", style: `background: ${colours[label]}` }), label),
  );
  const fresh = h("input", { placeholder: "another label", "aria-label": "Another label", onchange: () => (brush = fresh.value.trim() || brush) });
  const frame = select([["", "none"], ...labels.map((label) => [label, label])], data.frame ?? "", { id: "frame", onchange: () => change((now) => ({ ...now, frame: frame.value || undefined })) });
  return h(
    "div",
    {},
    h("p", { class: "quiet" }, "Choose a label, then click the sides that show it."),
    h("div", { class: "row", role: "radiogroup", "aria-label": "Label" }, ...radios, fresh),
    named(data, "tiles", "tile", change, { draw: (name, tile) => card(name, sides(tile), colours, paint) }),
    h("div", { class: "row fields" }, field("Label on the frame", frame), partners(data, labels, change)),
  );
}

function pairs({ matching }) {
  return Array.isArray(matching) ? matching : [];
}

/** Which label belongs to which: equal ones, or pairs. */
function partners(data, labels, change) {
  const text = h("input", { value: pairs(data).map((pair) => pair.join(" – ")).join(", "), placeholder: "equal labels match", size: 24, id: "pairs" });
  text.onchange = () => {
    const found = text.value.split(",").filter((pair) => pair.trim()).map((pair) => pair.split(/\s*[–=]\s*|\s+-\s+/).map((label) => label.trim()));
    const wrong = found.find((pair) => pair.length !== 2 || pair.includes(""));
    text.setCustomValidity(wrong ? `“${wrong.join(" – ")}” is not a pair; write two labels with – between them` : "");
    if (!text.reportValidity()) return;
    change((now) => ({ ...now, matching: found.length ? found : "equal" }), { redraw: true });
  };
  return field("Pairs that match", text, `such as ${labels[0]} – ${labels[1] ?? labels[0]}`);
}

function card(name, shown, colours, paint) {
  const count = shown.length;
  const corner = (i) => {
    const angle = (Math.PI * (2 * i - 1)) / count - Math.PI / 2;
    return [50 + 48 * Math.cos(angle), 50 + 48 * Math.sin(angle)];
  };
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  shown.forEach((label, side) => {
    const [a, b] = [corner(side), corner(side + 1)];
    const part = document.createElementNS(svg.namespaceURI, "path");
    part.setAttribute("d", `M50 50L${a}L${b}Z`);
    dress(part, name, side, label, colours);
    part.setAttribute("stroke", "#333");
    part.setAttribute("tabindex", "0");
    part.setAttribute("role", "button");
    const act = () => paint(name, side, part);
    part.addEventListener("click", act);
    part.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && (event.preventDefault(), act()));
    svg.append(part);
  });
  return h("div", { class: "tile" }, svg);
}

function dress(part, name, side, label, colours) {
  part.setAttribute("fill", colours[label]);
  part.setAttribute("aria-label", `tile ${name}, side ${side + 1}: ${label}`);
}

/** A colour for each label: that of the picture, or for a label that no picture has yet one of a palette. */
function colouring(labels, painted) {
  const one = ([fill, band]) => (band ? `color-mix(in srgb, ${fill}, ${band})` : fill);
  return Object.fromEntries(labels.map((label, i) => [label, painted[label] ? one(painted[label]) : PALETTE[i % PALETTE.length]]));
}
