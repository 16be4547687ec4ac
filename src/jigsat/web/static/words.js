// Numbers and results in words.

const EXACT = new Intl.NumberFormat("en");

/** A whole number, or a string of digits if it is too large for JavaScript, with thousands
 * separators. */
export const number = (value) => EXACT.format(typeof value === "string" ? BigInt(value) : value);

const LONG_DIGITS = 12; // longer numbers are shown rounded

/** A whole number in a few characters, such as 'about 6.67 × 10²¹'. */
export function shortened(value) {
  if (String(value).length <= LONG_DIGITS) return number(value);
  const [digits, power] = Number(value).toExponential(2).split("e+");
  return `about ${digits} × 10${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}

export const plural = (value, word) =>
  `${number(value)} ${word}${String(value) === "1" ? "" : "s"}`;

export const capitalized = (words) => words.charAt(0).toUpperCase() + words.slice(1);

export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** What counts as one solution, if nothing else is chosen. */
export const LEVEL = "reflection";

/** What counts as one solution. */
export const LEVELS = {
  nothing: "nothing: each solution counts",
  rotation: "turned ones",
  reflection: "turned or mirrored ones",
  all: "symmetric ones",
  automorphism: "ones related by any symmetry",
};

/** A test of texts: whether all words that are searched for occur. A number must stand alone. */
export function searchFor(text) {
  const terms = text
    .toLowerCase()
    .replace(/(?<=\d),(?=\d)/g, "")
    .split(/\s+/)
    .filter(Boolean);
  const occurs = (words, term) =>
    /^\d+$/.test(term) ? new RegExp(`(?<!\\d)${term}(?!\\d)`).test(words) : words.includes(term);
  return (words) => terms.every((term) => occurs(words, term));
}

const HOW = {
  refutation: "a solver proved that there are no others",
  exhaustion: "the whole search space was searched",
  rank: "all solutions follow from linear algebra",
  counting: "they were counted without a list",
  "counting, not confirmed": "none was counted, which no second way has confirmed",
  reason: "there is a simple reason why there are none",
};

const WHY = {
  limit: "the limit was reached",
  timeout: "the time limit was reached",
  memory: "the memory limit was reached",
  interrupt: "you stopped it",
  crash: "the search was cut off",
};

export const reason = (stopped) => WHY[stopped] ?? stopped;

/** Which solutions count as one at a level, such as 'turned ones'; '' if that makes no difference
 * to the count. */
export function kin({ solutions, distinct: counts }, level) {
  return counts[level] === undefined || String(counts[level]) === String(solutions)
    ? ""
    : LEVELS[level];
}

/** The counts by level that differ from the one before, such as '4 without turned ones'. */
export function distinct(counts, solutions, write = number) {
  const all = [solutions, ...Object.values(counts)].map(String);
  const found = Object.entries(counts).filter((_, i) => all[i + 1] !== all[i]);
  return found.map(([level, count]) => `${write(count)} without ${LEVELS[level] ?? level}`);
}

/** What is known about an instance, in one line, with long numbers rounded unless `write` says
 * otherwise. */
export function known(facts, write = shortened) {
  if (facts.solutions === undefined)
    return facts.minimum === undefined ? "" : `minimum ${number(facts.minimum)}`;
  const { solutions, source: _, minimum: __, ...counts } = facts;
  return [
    `${write(solutions)} solution${String(solutions) === "1" ? "" : "s"}`,
    distinct(counts, solutions, write).join(", "),
  ]
    .filter(Boolean)
    .join("; ");
}

/** The same in a few words: all solutions, and how many are left if turned and mirrored ones count
 * as one, as far as that is known. */
export function brief(facts) {
  if (facts.solutions === undefined) return known(facts);
  const { solutions } = facts;
  const all = `${shortened(solutions)} solution${String(solutions) === "1" ? "" : "s"}`;
  return [all, different(facts, shortened)].filter(Boolean).join(", ");
}

/** How many of the solutions are different if turned and mirrored ones count as one, such as '2
 * truly different'; '' if all are. */
export function different({ solutions, rotation, reflection }, write = number) {
  const fewest = reflection ?? rotation ?? solutions;
  return String(fewest) === String(solutions) ? "" : `${write(fewest)} truly different`;
}

/** Whether a result is final, and how that is established or why it is not. */
export function established(result) {
  if (result.complete)
    return HOW[result.established_by] ? `Complete: ${HOW[result.established_by]}.` : "Complete.";
  return `Not complete: ${reason(result.stopped_by)}. There may be more.`;
}
