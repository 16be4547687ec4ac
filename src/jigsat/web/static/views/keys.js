// What keys ask for while one plays.

import { lying } from "../acts.js";
import { isColour } from "./own.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The act that a key asks for in a state, with what it needs, such as ["move", [0, 1], false];
 * null if it asks for none. `onBoard` tells where the key was pressed. */
export function actOf(event, state, onBoard) {
  const writing = writingOf(event, state);
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return writing;
  return (onBoard && boardAct(event, state.table)) || pieceAct(event, state);
}

/** The sign of a key, such as +, which may need Shift; no keyboard has a minus sign. */
function signOf({ key }, table) {
  const sign = key === "-" ? "−" : key;
  return /^[^\p{L}\d]$/u.test(sign) && table.copies.has(sign) ? sign : null;
}

/** The symbol of a key; that of a digit's key also with Shift and Ctrl, which make another
 * character of it. */
function symbolOf(event, table) {
  const { code, key } = event;
  const named =
    signOf(event, table) ??
    /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ??
    (key.length === 1 && key.trim() ? key.toUpperCase() : null);
  return named !== null && table.copies.has(named) ? named : null;
}

function writingOf(event, { table, kind }) {
  if (!table.typed || event.altKey) return null;
  const symbol = symbolOf(event, table);
  if (event.ctrlKey || event.metaKey) return centreOf(symbol, table);
  if (kind === "colour" && !event.shiftKey) return paintingOf(event);
  const noting = table.noted && event.shiftKey && !signOf(event, table);
  return symbol && ["write", symbol, noting ? "corner" : kind];
}

/** A digit with Ctrl is noted in the centre. */
const centreOf = (symbol, { noted }) =>
  noted && /^\d$/.test(symbol) ? ["write", symbol, "centre"] : null;

const paintingOf = ({ key }) => (isColour(Number(key)) ? ["paint", Number(key)] : null);

function boardAct({ key, shiftKey }, table) {
  if (ARROWS[key]) return ["move", ARROWS[key], shiftKey && table.noted];
  if (key === " " && table.noted) return ["nextPen"];
  if (key === "Enter" || key === " ") return ["tap"];
  if (key.toUpperCase() === "X" && table.draws) return ["cross"];
  return null;
}

function pieceAct(event, state) {
  const { table, held } = state;
  const key = event.key.toUpperCase();
  if (key === "R" && table.turns) return ["turn", "turned"];
  if (key === "F" && table.flips) return ["turn", "flipped"];
  if (key === "BACKSPACE") return table.lettered && !lying(state) ? ["goBack"] : ["putBack"];
  if (key === "DELETE") return ["putBack"];
  if (key === "ESCAPE" && held) return ["letGo"];
  const symbol = symbolOf(event, table);
  return symbol && ["pickUp", symbol];
}
