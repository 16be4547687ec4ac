// A tray of named things, such as tiles, pieces, guests and words: each has a field for its name
// and ✕; + adds one.

import { button, complain, h } from "../dom.js";
import * as things from "../things.js";
import { showsEntry } from "./faults.js";
import { wear } from "./pictures.js";

/** Where names of things occur besides their list. */
const REFERENCES = ["must", "wishes", "hints", "groups", "pictures"];

/** Names come as a list, as lines, or with a value each. */
const listed = (found) => typeof found === "string" || Array.isArray(found);
const lines = (found) =>
  typeof found === "string" ? found.split("\n").filter((line) => line.trim()) : found;
const pairsOf = (found) =>
  listed(found) ? lines(found).map((name) => [name]) : things.pairsOf(found);
const thingsOf = (pairs, before) => (listed(before) ? pairs.map(([name]) => name) : new Map(pairs));

/** @typedef {{draw?: (name: string, value: any) => any, fresh?: (values: any[]) => any, separator?: RegExp,
 * columns?: any}} Options */

/** The tray of the entry `entry`, which is a list of names, or has a value for each name.
 * `draw(name, value)` gives a picture of a thing; `fresh(values)` is the value of a new one. With
 * `separator`, names are typed to add things, several at once. Things lie in `columns`, if they do
 * so on the board. */
export function named(
  data,
  entry,
  word,
  change,
  /** @type {Options} */ {
    draw = () => null,
    fresh = (values) => structuredClone(values.at(-1)),
    separator,
    columns,
  } = {},
) {
  const problem = h("p", { class: "problem", role: "alert" });
  // changes are drawn only after they were read, and this tray may change again before
  let current = data[entry];
  /** Change the things, and the entries that mention them. */
  const replace = (act, mention = (value) => value) =>
    change(
      (now) => {
        const before = now[entry] ?? current;
        current = thingsOf(act(pairsOf(before)), before);
        const others = REFERENCES.filter((key) => key in now).map((key) => [
          key,
          mention(things.ordered(now[key])),
        ]);
        return { ...now, ...Object.fromEntries(others), [entry]: current };
      },
      { redraw: true },
    );

  function add() {
    const names = pairsOf(current).map(([name]) => name);
    const plain = names.every((name) => /^\d+$/.test(name));
    const single = names.length && names.every((name) => /^[A-Z]$/.test(name));
    const candidate = (i) =>
      single && i <= 26 ? String.fromCharCode(64 + i) : plain ? String(i) : `${word} ${i}`;
    let i = names.length + 1;
    while (names.includes(candidate(i))) i++;
    return replace((pairs) => [...pairs, [candidate(i), fresh(pairs.map(([, value]) => value))]]);
  }

  /** Things for all names that were typed, instead of those that were typed before. */
  function addTyped({ target }) {
    const names = target.value
      .split(separator)
      .map((name) => name.trim())
      .filter(Boolean);
    const before = pairsOf(data[entry]).map(([name]) => name);
    const taken = names.find((name, i) => before.includes(name) || names.indexOf(name) < i);
    const words = `There is already a ${word} “${taken}”; nothing was added`;
    const added = complain(target, problem, taken === undefined ? "" : words) ? names : [];
    // What is refused stays in the field, to be corrected: to draw anew would empty it.
    if (!added.length && pairsOf(current).length === before.length) return;
    replace((pairs) => {
      const others = pairs.filter(([name]) => before.includes(name));
      const values = others.map(([, value]) => value);
      return [...others, ...added.map((name) => [name, fresh(values)])];
    });
  }

  /** Give a thing the name that was typed, if it can have it; returns the name that it has. */
  function rename(input, old) {
    const name = input.value.trim();
    const taken = name !== old && pairsOf(current).some(([other]) => other === name);
    const wrong = taken
      ? `There is already a ${word} “${name}”, so “${old}” keeps its name`
      : name
        ? ""
        : `A ${word} needs a name`;
    if (!complain(input, problem, wrong) || name === old) return old;
    const swap = (value) => {
      if (value === old) return name;
      if (Array.isArray(value)) return value.map(swap);
      return value && typeof value === "object"
        ? things.like(
            value,
            things.pairsOf(value).map(([key, each]) => [key === old ? name : key, swap(each)]),
          )
        : value;
    };
    replace((pairs) => pairs.map(([each, value]) => [each === old ? name : each, value]), swap);
    return name;
  }

  /** Take a thing away, with what mentions it. */
  function remove(name) {
    const gone = (value) =>
      value === name || (typeof value === "object" && things.valuesOf(value).some(gone));
    const without = (value) => {
      if (Array.isArray(value)) return value.filter((each) => !gone(each));
      return value && typeof value === "object"
        ? things.like(
            value,
            things
              .pairsOf(value)
              .filter(([key]) => key !== name)
              .map(([key, each]) => [key, without(each)]),
          )
        : value;
    };
    replace((pairs) => pairs.filter(([each]) => each !== name), without);
  }

  const thing = ([name, value]) => {
    let called = name; // what is typed counts before it is drawn
    const input = h("input", {
      value: name,
      "aria-label": `Name of ${word} ${name}`,
      size: Math.max(2, name.length),
      onchange: () => (called = rename(input, called)),
    });
    const remover = button("✕", () => remove(called), {
      "aria-label": `Remove ${word} ${name}`,
      class: "link",
    });
    const caption = h("figcaption", {}, input, remover);
    const looks = { class: "thing", "data-thing": name };
    const figure = showsEntry(h("figure", looks, draw(name, value), caption), entry, name);
    const picture = things.thingOf(data.pictures, name);
    wear(figure, picture?.startsWith("data:") && picture);
    return figure;
  };
  const typed =
    separator &&
    h("input", {
      placeholder: `Add ${word}s`,
      "aria-label": `Add ${word}s`,
      class: "add",
      onchange: addTyped,
    });
  const rows = Math.ceil(pairsOf(data[entry]).length / columns);
  const looks = {
    class: separator ? "pieces names" : "pieces",
    "data-columns": columns,
    style: columns && `--columns: ${columns}; --rows: ${rows}`,
  };
  const adder = typed || button(`+ Add a ${word}`, add, { class: "add" });
  return showsEntry(h("div", looks, ...pairsOf(data[entry]).map(thing), problem, adder), entry);
}

/** Two numbers for the size of a board. */
export function sizeFields(rows, columns, choose) {
  const entry = (words, value) =>
    h("input", {
      type: "number",
      min: 1,
      max: 99,
      value,
      class: "size",
      "aria-label": words,
      onchange: resize,
    });
  const down = entry("Rows", rows);
  const across = entry("Columns", columns);
  function resize() {
    if (down.reportValidity() && across.reportValidity() && down.value && across.value)
      choose(Number(down.value), Number(across.value));
  }
  return h(
    "div",
    { class: "row" },
    h("span", { class: "quiet" }, "Rows × columns"),
    down,
    "×",
    across,
  );
}

/** Rows of characters cut or filled up to a size. */
export function resized(lines, rows, columns, filling) {
  return Array.from({ length: rows }, (_, i) =>
    (lines[i] ?? "").slice(0, columns).padEnd(columns, filling),
  );
}
