// A new puzzle: a card for each family, then a few questions. The answers make a draft, which is
// drawn on the stage.

import { field, fill, h, select } from "../dom.js";
import { FAMILIES, wordsOf } from "../editors/begin.js";
import { freshEntries } from "../editors/schema.js";
import { familiesOf, one } from "../engines/engine.js";
import { fragment, newPuzzle } from "../link.js";
import { searchFor } from "../words.js";

export function showBegin(main, engine, covers, { family, find }) {
  document.title = "New puzzle – jigsat";
  const back = h(
    "nav",
    { "aria-label": "Breadcrumb" },
    h("a", { href: family ? "#new" : "#" }, family ? "← Another kind" : "← All puzzles"),
  );
  let left = false;
  if (FAMILIES[family]) fill(main, back, questions(engine, family));
  else if (family)
    copyOf(main, back, engine, family, () => left).catch((error) =>
      fill(main, back, h("p", { class: "problem", role: "alert" }, error.message)),
    );
  else
    fill(
      main,
      back,
      h("h1", {}, "What kind of puzzle?"),
      ...kinds(engine, covers, find, () => left),
    );
  return () => (left = true);
}

/** A card for each family, of which those that are searched for are seen; those from outside
 * follow. */
function kinds(engine, covers, find, left) {
  const link = (family) => ({ href: newPuzzle({ family }), "data-family": family });
  const list = h("ul", { class: "cards", id: "kinds" }, ...covers.cards(link));
  const none = h("p", { class: "quiet", role: "status" });
  const search = h("input", {
    type: "search",
    value: find,
    placeholder: "Find a kind",
    "aria-label": "Find a kind",
    oninput: show,
  });

  function show() {
    const fits = searchFor(search.value);
    const cards = [...list.querySelectorAll("[data-family]")];
    for (const card of cards) {
      const words = `${wordsOf(card.dataset.family)} ${card.textContent.toLowerCase()}`;
      card.parentElement.hidden = !fits(words);
    }
    const any = cards.some((card) => !card.parentElement.hidden);
    fill(none, any ? "" : "There is no such kind of puzzle here.");
  }

  (async () => {
    const families = await familiesOf(engine);
    if (left()) return;
    for (const { family } of families.filter((each) => !FAMILIES[each.family])) {
      const words = h("span", { class: "quiet" }, "You begin with an example and change it.");
      list.append(
        h(
          "li",
          {},
          h(
            "a",
            { class: "card", ...link(family) },
            h("strong", {}, family.replaceAll("-", " ")),
            words,
          ),
        ),
      );
    }
    show();
  })();
  show();
  return [h("div", { class: "row begin" }, search), none, list];
}

/** The questions of a family as a form. */
function questions(engine, family) {
  const { title, words, questions: asked, draft, generated = true } = FAMILIES[family];
  const entries = {};
  const before = history.state?.answers ?? {}; // as one left the form
  const fields = asked.map(({ name, label, kind, value, hint, options, most = 30 }) => {
    const shared = { id: `new-${name}`, required: kind !== "optional" };
    if (kind === "number")
      entries[name] = h("input", { ...shared, type: "number", min: 1, max: most, value });
    else if (kind === "choice") entries[name] = select(options, value, shared);
    else if (kind === "lines")
      entries[name] = h("textarea", { ...shared, rows: 5, value, placeholder: hint });
    else
      entries[name] = h("input", {
        ...shared,
        value: value ?? "",
        placeholder: kind === "optional" ? (hint ?? "") : "",
      });
    if (name in before) entries[name].value = before[name];
    return field(label, entries[name], kind === "optional" || kind === "lines" ? "" : hint);
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const start = h("button", { class: "main", id: "start" }, "Make your own");
  const generate =
    generated && h("button", { id: "generate-new", value: "make" }, "Make new ones for me");
  const form = h(
    "form",
    { class: "questions", onsubmit: begin, oninput: keep },
    ...fields,
    h("div", { class: "row" }, start, generate),
    problem,
  );

  /** Keep what is typed with this entry of the browser's history, to which Back leads. */
  function keep() {
    const answers = Object.fromEntries(asked.map(({ name }) => [name, entries[name].value]));
    history.replaceState({ ...history.state, answers }, "");
  }

  async function begin(event) {
    event.preventDefault();
    start.disabled = true;
    fill(problem);
    try {
      const answers = Object.fromEntries(
        asked.map(({ name, kind }) => [
          name,
          kind === "number" ? Number(entries[name].value) : entries[name].value.trim(),
        ]),
      );
      const data = await draft(answers, engine);
      const { toml } = await one(
        engine,
        {
          kind: "load",
          puzzle: { data: answers.title ? { ...data, title: answers.title } : data },
        },
        "puzzle",
      );
      location.hash = await fragment({ text: toml, tab: event.submitter?.value || "edit" });
    } catch (error) {
      fill(problem, error.message);
    }
    start.disabled = false;
  }

  return [h("h1", {}, title), h("p", { class: "quiet" }, words), form];
}

/** A family without questions begins with a copy of its first instance, or with the smallest
 * entries if there is none. */
async function copyOf(main, back, engine, family, left) {
  fill(main, back, h("p", { class: "quiet", role: "status" }, "Loading a puzzle …"));
  for await (const message of engine.gallery()) {
    if (left()) return;
    if (message.kind === "instance" && message.family === family)
      return start({ name: message.name });
  }
  const { entries } = (await familiesOf(engine)).find((each) => each.family === family) ?? {};
  if (entries) await start({ data: { family, ...freshEntries(entries) } });
  else
    fill(
      main,
      back,
      h("p", { class: "problem", role: "alert" }, `There is no family “${family}”.`),
    );

  async function start(puzzle) {
    const { toml } = await one(engine, { kind: "load", puzzle }, "puzzle");
    if (!left()) location.replace(await fragment({ text: toml, tab: "edit" }));
  }
}
