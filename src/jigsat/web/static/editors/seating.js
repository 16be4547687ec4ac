// Editing a seating: the table, the guests, and rules about two of them.

import { brushes } from "./brushes.js";
import { button, field, h } from "../dom.js";
import { named } from "./named.js";
import { namesOf, valuesOf } from "../things.js";

const RULES = [
  ["beside", "sit together"],
  ["apart", "sit apart"],
  ["across", "sit across"],
];

export function seating(data, change, { hand }) {
  const shapes = typeof data.tables === "string" ? [data.tables] : valuesOf(data.tables);
  const tables =
    shapes.length === 1 &&
    h("input", {
      value: shapes[0],
      id: "tables",
      onchange: () => change((now) => ({ ...now, tables: tables.value })),
    });
  const guests = Array.isArray(data.guests) ? data.guests : namesOf(data.guests);
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
    if (pair.length === 2 && pair[0] !== guest)
      change((now) => ({ ...now, must: [...(now.must ?? []), { [hand.brush]: pair }] }), {
        redraw: true,
      });
  }

  const rule = (each, i) => {
    const words = inWords(each);
    const remove = () =>
      change((now) => ({ ...now, must: now.must.filter((_, j) => j !== i) }), { redraw: true });
    return h(
      "li",
      {},
      words,
      button("✕", remove, { class: "link", "aria-label": `Remove the rule: ${words}` }),
    );
  };
  return {
    stage: h(
      "div",
      {},
      named(data, "guests", "guest", change, { fresh: () => [], separator: /[,;]+/ }),
      h("ul", { class: "rules" }, ...(data.must ?? []).map(rule)),
    ),
    tray: h(
      "div",
      {},
      h("p", { class: "quiet" }, "Choose a rule, then tap two guests."),
      brushes("Rule", RULES, hand),
      h("div", { class: "row chairs" }, ...chairs),
    ),
    settings: tables && field("Table", tables, "such as round 8"),
  };
}

/** A rule as a sentence. */
function inWords(rule) {
  const kind = RULES.find(([each]) => rule[each]);
  if (kind) return `${rule[kind[0]].join(" and ")} ${kind[1]}`;
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
