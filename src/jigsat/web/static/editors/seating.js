// Editing a seating: the table, the guests, and rules about two of them.

import { brushes } from "./brushes.js";
import { button, field, fill, h, select } from "../dom.js";
import { showsEntry } from "./faults.js";
import { named } from "./named.js";
import { namesOf, valuesOf } from "../things.js";
import { searchFor } from "../words.js";

const FEW = 12; // guests that are found without a search
const LONGEST = 18; // characters of a name in what was told last, which has two lines on a phone

/** Whether the rules have to be kept. */
const KEPT = [
  ["true", "must be kept"],
  ["false", "may be broken"],
];

/** Rules that must be kept, and wishes that may be broken. */
const STRICT = ["must", "wishes"];

const RULES = [
  ["beside", "sit together"],
  ["apart", "sit apart"],
  ["across", "sit across"],
];

export function seating(data, change, { hand }) {
  const shapes = typeof data.tables === "string" ? [data.tables] : valuesOf(data.tables);
  const tables =
    shapes.length === 1 &&
    showsEntry(
      h("input", {
        value: shapes[0],
        id: "tables",
        onchange: () => change((now) => ({ ...now, tables: tables.value })),
      }),
      "tables",
    );
  const guests = Array.isArray(data.guests) ? data.guests : namesOf(data.guests);
  const told = h("p", { class: "quiet", role: "status" });
  let first = null;
  const chairs = guests.map((guest) =>
    button(guest, () => choose(guest), { "aria-pressed": "false", "data-guest": guest }),
  );

  /** The second of two guests who are tapped makes a rule. */
  function choose(guest) {
    const pair = first === null ? [guest] : [first, guest];
    first = first === null ? guest : null;
    for (const chair of chairs)
      chair.setAttribute("aria-pressed", String(chair.dataset.guest === first));
    const whole = pair.length === 2 && pair[0] !== guest;
    hand.added = whole ? { [hand.brush]: pair } : undefined;
    tell();
    if (!whole) return;
    const entry = hand.wishing ? "wishes" : "must";
    change((now) => ({ ...now, [entry]: [...(now[entry] ?? []), hand.added] }), { redraw: true });
  }

  /** Say what comes next, or which rule was added last: the list of the rules may be far above. */
  function tell() {
    const { added } = hand;
    if (first !== null) fill(told, `${short(first)} and …? Tap another guest.`);
    else if (added)
      fill(told, h("span", {}, `${inWords(added, short)}.`), remover(added, "Take back"));
    else fill(told, "Choose a rule, then tap two guests.");
  }

  /** A button that removes a rule. */
  function remover(rule, words) {
    const remove = () => {
      hand.added = undefined;
      const gone = JSON.stringify(rule);
      const others = (rules) => rules.filter((each) => JSON.stringify(each) !== gone);
      const left = (now) => STRICT.filter((key) => now[key]).map((key) => [key, others(now[key])]);
      change((now) => ({ ...now, ...Object.fromEntries(left(now)) }), { redraw: true });
    };
    return button("✕", remove, { class: "link", "aria-label": `${words}: ${inWords(rule)}` });
  }

  const rule = (entry) => (each, i) =>
    showsEntry(
      h(
        "li",
        {},
        inWords(each),
        entry === "wishes" && h("small", {}, " if possible"),
        remover(each, "Remove the rule"),
      ),
      entry,
      i,
    );
  const rules = STRICT.flatMap((entry) => (data[entry] ?? []).map(rule(entry)));
  const wishing = h("input", {
    type: "checkbox",
    id: "wishing",
    onchange: () => (hand.wishing = wishing.checked),
  });
  wishing.checked = Boolean(hand.wishing);
  const more = (words) => h("span", { class: "more-words" }, words);
  const wish = h("label", {}, wishing, more(" only"), " a wish", more(", which may be broken"));
  const kept = select(KEPT, String(data.enforced ?? true), {
    id: "enforced",
    onchange: () =>
      change((now) => ({ ...now, enforced: kept.value === "true" ? undefined : false })),
  });
  tell();
  return {
    stage: h(
      "div",
      {},
      named(data, "guests", "guest", change, { fresh: () => [], separator: /[,;]+/ }),
      h("ul", { class: "rules" }, ...rules),
    ),
    tray: h(
      "div",
      {},
      h("div", { class: "finding" }, told, chairs.length > FEW && finder(chairs)),
      h("div", { class: "row" }, brushes("Rule", RULES, hand), wish),
      h("div", { class: "row chairs" }, ...chairs),
    ),
    settings: h(
      "div",
      { class: "row fields" },
      tables && field("Table", tables, "such as round 8"),
      field("The rules", kept),
    ),
    shows: ["tables", "guests", ...STRICT, "enforced"],
  };
}

/** A field that hides all guests but those that are searched for. */
function finder(chairs) {
  const words = "Find a guest";
  const looks = { type: "search", placeholder: words, "aria-label": words };
  const entry = h("input", { ...looks, oninput: show });
  function show() {
    const fits = searchFor(entry.value);
    for (const chair of chairs) chair.hidden = !fits(chair.dataset.guest.toLowerCase());
  }
  return entry;
}

/** The beginning of a long name. */
function short(name) {
  const characters = [...name];
  if (characters.length <= LONGEST) return name;
  return `${characters
    .slice(0, LONGEST - 1)
    .join("")
    .trimEnd()}…`;
}

/** A rule as a sentence, with the names of the guests as `shown`. */
function inWords(rule, shown = (name) => name) {
  const kind = RULES.find(([each]) => rule[each]);
  if (kind) return `${rule[kind[0]].map((name) => shown(name)).join(" and ")} ${kind[1]}`;
  const { guest, weight: _, ...rest } = rule;
  return [
    guest,
    ...Object.entries(rest).map(
      ([key, value]) => `${key.replaceAll("_", " ")} ${[value].flat().join(" or ")}`,
    ),
  ]
    .filter(Boolean)
    .join(": ");
}
