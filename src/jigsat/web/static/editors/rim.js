// Numbers beside a board: a field for each row or column, where it is printed.

import { h } from "../dom.js";
import { showsEntry } from "./faults.js";

const [NONE, UNKNOWN] = [".", "?"];
const MOST_OF_ONE_DIGIT = 9; // rows or columns

/** A board with fields around it for the numbers of `rim`, {entry, sides}. `size` are the numbers of
 * rows and of columns. */
export function addRim(board, data, rim, size, change) {
  const { entry, sides } = rim;
  const [rows, columns] = size;
  const table = fitNumbers(data[entry], rim, size);
  const put = (side, words) => {
    table[side] = words;
    change((now) => ({ ...now, [entry]: writeEntry(table) }));
  };
  const across = ["left", "right"].filter((side) => sides.includes(side)).length;
  const down = ["top", "bottom"].filter((side) => sides.includes(side)).length;
  return h(
    "div",
    { class: "rimmed", style: `--rims: ${Math.max(across, down)}; --across: ${columns}` },
    board,
    ...sides.map((side) => sideOf(side, entry, table[side], rows, columns, put)),
  );
}

/** The numbers of each side, as many as a board of this size has rows or columns. */
function fitNumbers(given, { sides }, size) {
  const [rows, columns] = size;
  const length = (side) => (isUpright(side) ? rows : columns);
  return Object.fromEntries(
    sides.map((side) => {
      const words = wordsOf(given?.[side], length(side));
      return [side, Array.from({ length: length(side) }, (_, i) => words[i] ?? NONE)];
    }),
  );
}

/** The entry of a board whose size has changed; as it was if it has no numbers. */
export const resizeRim = (given, rim, size) => given && writeEntry(fitNumbers(given, rim, size));

const isUpright = (side) => side === "left" || side === "right";

/** The words of a side, which may be digits without blanks. */
function wordsOf(text, length) {
  const words = String(text ?? "")
    .replaceAll(",", " ")
    .split(/\s+/)
    .filter(Boolean);
  return words.length === 1 && words[0].length === length ? [...words[0]] : words;
}

/** The numbers as an entry, which has the sides with numbers. */
const writeEntry = (table) =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, words]) => words.some((word) => word !== NONE))
      .map(([side, words]) => [side, words.join(" ")]),
  );

/** The fields of a side. Typing moves on, and so do the arrows along the side. */
function sideOf(side, entry, words, rows, columns, put) {
  const upright = isUpright(side);
  const single = (upright ? columns : rows) <= MOST_OF_ONE_DIGIT;
  const [back, forth] = upright ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  const fields = words.map((word, i) =>
    h("input", {
      value: word === NONE ? "" : word,
      inputmode: "numeric",
      maxlength: 2,
      autocomplete: "off",
      "aria-label": `${entry.replaceAll("_", " ")}, ${side}, ${upright ? "row" : "column"} ${i + 1}`,
      oninput: () => read(i),
      onkeydown: (event) => move(event, i),
    }),
  );

  function read(i) {
    const last = fields[i].value.slice(-1);
    const skips = last === NONE || last === " ";
    const digits = skips ? "" : fields[i].value.replace(/[^\d?]/g, "");
    fields[i].value = digits.includes(UNKNOWN) ? UNKNOWN : single ? digits.slice(-1) : digits;
    words[i] = fields[i].value || NONE;
    put(side, words);
    if (skips || (single && digits)) fields[i + 1]?.focus();
  }

  function move(event, i) {
    const empty = event.key === "Backspace" && !fields[i].value;
    const by = event.key === back || empty ? -1 : event.key === forth ? 1 : 0;
    if (!by) return;
    event.preventDefault();
    fields[i + by]?.focus();
  }

  const looks = { class: "rim", "data-side": side, "data-upright": upright };
  return showsEntry(h("div", looks, ...fields), entry, side);
}
