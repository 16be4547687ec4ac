// Numbers and results in words.

const EXACT = new Intl.NumberFormat("en");

/** A whole number, or a string of digits if it is too large for JavaScript, with thousands separators. */
export function number(value) {
  return EXACT.format(typeof value === "string" ? BigInt(value) : value);
}

export function plural(value, word) {
  return `${number(value)} ${word}${String(value) === "1" ? "" : "s"}`;
}

export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export const LEVELS = {
  nothing: "nothing: count every solution",
  rotation: "rotation",
  reflection: "rotation and reflection",
  all: "all declared symmetries",
  automorphism: "all automorphisms",
};

const SAME = {
  rotation: "up to rotation",
  reflection: "up to rotation and reflection",
  all: "up to all symmetries",
  automorphism: "up to all automorphisms",
};

const HOW = {
  refutation: "a solver proved that there are no others",
  exhaustion: "the whole search space was searched",
  rank: "all solutions follow from linear algebra",
  counting: "they were counted without a list",
};

const WHY = {
  limit: "the limit was reached",
  timeout: "the time limit was reached",
  memory: "the memory limit was reached",
  interrupt: "you stopped it",
  crash: "the search was cut off",
};

export const reason = (stopped) => WHY[stopped] ?? stopped;

const KIN = { rotation: "turned", reflection: "turned or mirrored", all: "symmetric", automorphism: "symmetric" };

/** Which solutions count as one at a level, such as 'turned ones'; '' if that makes no difference to the count. */
export function kin({ solutions, distinct: counts }, level) {
  return counts[level] === undefined || String(counts[level]) === String(solutions) ? "" : `${KIN[level]} ones`;
}

/** The counts by level, such as '4 up to rotation'. */
export function distinct(counts) {
  return Object.entries(counts).map(([level, count]) => `${number(count)} ${SAME[level] ?? level}`);
}

/** What is known about an instance, in one line. */
export function known(facts) {
  if (facts.solutions === undefined) return facts.minimum === undefined ? "" : `minimum ${number(facts.minimum)}`;
  const { solutions, source: _, minimum: __, ...counts } = facts;
  return [plural(solutions, "solution"), ...distinct(counts)].join(", ");
}

/** Whether a result is final, and how that is established or why it is not. */
export function established(result) {
  if (result.complete) return HOW[result.established_by] ? `Complete: ${HOW[result.established_by]}.` : "Complete.";
  return `Not complete: ${reason(result.stopped_by)}. There may be more.`;
}

/** Placements as text, for comparing them. */
export const key = (placement) => JSON.stringify(placement);
