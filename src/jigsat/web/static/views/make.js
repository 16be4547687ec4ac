// Making: download, print, and generate puzzles.

import { button, calm, field, fill, h, picture, select } from "../dom.js";
import { fileName, save, savePng, savePuzzle } from "../files.js";
import { likeness } from "../editors/begin.js";
import { answer, one } from "../engines/engine.js";
import { readList, writeList } from "../kept.js";
import { options, schemaFields } from "../editors/schema.js";

const MADE = "jigsat-made";
const MOST_SETS = 10; // of generated puzzles that are kept
const FORMATS = [
  ["cnf", "SAT (DIMACS)"],
  ["opb", "Pseudo-Boolean (OPB)"],
  ["smt2", "SMT (SMT-LIB)"],
];

export function makePanel(panel, work, stage) {
  const name = () => fileName(work);
  const saving = h("p", { role: "status", class: "quiet" });
  const making = h("p", { role: "status", class: "quiet", id: "making" });
  const generator = h("div", {});
  const others = h("div", { class: "row", hidden: true });
  const made = h("ul", { class: "cards made", "aria-label": "Generated puzzles" });
  const printAll = printer("Print all", "print-all", () => generated);
  const seed = h("input", { type: "number", min: 0, value: 1, id: "seed" });
  const number = h("input", { type: "number", min: 1, max: 50, value: 3, id: "number" });
  const difficulty = select(
    [
      ["", "any"],
      ["easy", "easy"],
      ["medium", "medium"],
      ["hard", "hard"],
    ],
    "",
    { id: "difficulty" },
  );
  const halt = button("Stop", () => controller?.abort(), { disabled: true });
  let generated = [];
  let controller = null;
  let asked = ""; // the family and the settings that the form shows

  const files = (request) => Array.fromAsync(answer(work.engine, request)); // each message has one

  /** Do something and say so in `status`, at last with the words that it gives. */
  async function doing(status, words, act) {
    status.className = "quiet";
    status.textContent = words;
    try {
      if (work.puzzle) await work.settled; // an edit that is under way
      status.textContent = (await act()) ?? "";
    } catch (error) {
      status.className = "problem";
      status.textContent = error.message;
    }
  }

  const download = (format) =>
    doing(saving, "Writing the file …", async () => {
      for (const file of await files({ kind: "export", puzzle: work.source, format }))
        save(`${name()}.${format}`, file.type, file.text);
    });

  // nothing is saved of a puzzle with an error
  const keep = (act) => doing(saving, "", async () => void (work.source && (await act())));

  /** Buttons that print puzzles, without and with their solutions. */
  function printer(words, id, puzzles) {
    return h(
      "div",
      { class: "row" },
      button(words, () => print(puzzles, false), { id }),
      button(`${words} with solutions`, () => print(puzzles, true), { id: `${id}-solved` }),
    );
  }

  /** Print the sheets of puzzles. */
  const print = (puzzles, solutions) =>
    doing(saving, "Drawing the sheets …", async () => {
      const [pages] = await files({
        kind: "print",
        puzzles: puzzles().map(({ text }) => ({ text })),
        solutions,
      });
      const parsed = new DOMParser().parseFromString(pages.text, "text/html");
      for (const unsafe of parsed.querySelectorAll("script, foreignObject")) unsafe.remove();
      const box = h(
        "div",
        { class: "sheets" },
        ...parsed.head.childNodes,
        ...parsed.body.childNodes,
      );
      document.body.append(box);
      addEventListener("afterprint", () => box.remove(), { once: true });
      globalThis.print();
    });

  const pictures = [
    button("Picture (SVG)", () => keep(() => save(`${name()}.svg`, "image/svg+xml", stage.svg)), {
      id: "save-svg",
    }),
    button("Picture (PNG)", () => keep(() => savePng(`${name()}.png`, stage.svg)), {
      id: "save-png",
    }),
  ];
  const puzzle = button("Puzzle file", () => keep(() => savePuzzle(work)), { id: "save-toml" });
  const formatButtons = FORMATS.map(([format, words]) =>
    button(words, () => download(format), { id: `save-${format}` }),
  );
  const formatting = h(
    "details",
    { id: "formats" },
    h("summary", {}, "Files for other programs"),
    h("div", { class: "row" }, others, ...formatButtons),
  );
  const printing = h(
    "section",
    {},
    h("h2", {}, "Print and download"),
    printer("Print", "print", () => [work.source]),
    h("div", { class: "row" }, pictures, puzzle),
    formatting,
    saving,
  );
  const generating = h("section", {}, h("h2", {}, "Generate"), generator, making, printAll, made);
  fill(panel, printing, generating);
  printAll.hidden = true;

  /** What tells the puzzle from which others are made. */
  const origin = () => work.name ?? work.id;

  /** Keep what was made, for when the puzzle from which it was made, or one of these, is opened
   * again. */
  function keepMade(from) {
    writeList(
      MADE,
      [{ from, all: generated }, ...readList(MADE).filter((each) => each.from !== from)].slice(
        0,
        MOST_SETS,
      ),
    );
  }

  async function recall() {
    const found = readList(MADE).find(
      ({ from, all }) => from === origin() || all.some(({ text }) => text === work.text),
    );
    if (!found || generated.length) return;
    const all = (generated = found.all);
    number.value = all.length;
    printAll.hidden = false;
    printAll.inert = false;
    making.textContent = `${all.length} made.`;
    const papers = all.map(card);
    for (const [i, { text }] of all.entries()) {
      if (generated === all)
        fill(
          papers[i],
          picture((await one(work.engine, { kind: "load", puzzle: { text } }, "puzzle")).svg, ""),
        );
    }
  }

  /** Add the card of a puzzle that was made; returns the place of its picture. */
  function card({ text, words }) {
    const paper = h("span", { class: "paper", "aria-hidden": "true" });
    made.append(
      h(
        "li",
        {},
        button([paper, h("span", {}, words)], () => work.turnTo({ text }), {
          class: "card",
          "aria-label": `Open ${words}`,
        }),
      ),
    );
    return paper;
  }

  async function generate(request) {
    controller?.abort();
    const mine = (controller = new AbortController());
    const from = origin();
    fill(made);
    generated = [];
    printAll.hidden = halt.disabled = false;
    printAll.inert = true; // until there is something to print
    const done = doing(making, "Generating …", async () => {
      for await (const message of work.engine.ask(request, mine.signal)) {
        if (message.kind === "puzzle") {
          const title = [message.title || "A new puzzle", request.difficulty]
            .filter(Boolean)
            .join(", ");
          const at = generated.length + 1;
          const words =
            request.number > 1 && !title.includes(`no. ${at}`) ? `${at}. ${title}` : title;
          generated.push({ text: message.toml, words });
          keepMade(from);
          printAll.inert = false;
          if (generated.length < request.number)
            making.textContent = `Generating … ${generated.length} of ${request.number} made`;
          fill(card(generated.at(-1)), picture(message.svg, ""));
        }
        if (message.kind === "error" || (message.kind === "stopped" && !mine.signal.aborted))
          throw new Error(message.message);
      }
      return `${generated.length} made.`;
    });
    // now, not when one aims at what was made
    made.scrollIntoView({ block: "nearest", behavior: calm() ? "instant" : "smooth" });
    await done;
    if (controller === mine) halt.disabled = true;
  }

  async function form() {
    const { family, data, clues, missing } = work.puzzle;
    // what can be done is first
    fill(panel, ...(missing ? [generating, printing] : [printing, generating]));
    recall().catch(console.error);
    const like = likeness(data);
    const now = JSON.stringify([family, like, clues > 0]);
    if (asked === now) return;
    asked = now;
    fill(generator, h("p", { class: "quiet" }, "Loading …"));
    const { generator: schema, formats } = await work.about(family);
    others.hidden = !formats.length;
    fill(
      others,
      ...formats.map((format) =>
        button(`Puzzle (${format})`, () => download(format), { id: `save-${format}` }),
      ),
    );
    if (!schema) {
      fill(generator, h("p", { class: "quiet" }, "There is no generator for this family."));
      return;
    }
    const fields = schemaFields(schema, like);
    const common = () => ({
      kind: "generate",
      seed: Number(seed.value) || 0,
      number: Number(number.value) || 1,
      difficulty: difficulty.value || null,
    });
    const go = () => generate({ ...common(), family, options: options(fields) });
    const again = () => generate({ ...common(), puzzle: work.source });
    const same = Object.entries(like).filter(
      ([name, value]) => fields.some((each) => each.name === name) && !String(value).includes("\n"),
    );
    const words = same.map(([name, value]) => `${name} ${value}`).join(", ");
    fill(
      generator,
      h(
        "p",
        { class: "quiet" },
        "New puzzles of the kind and size of this one, even if it is not complete.",
      ),
      h(
        "div",
        { class: "row fields" },
        field("How many", number),
        field("Difficulty", difficulty),
        field("Random start", seed, "another number, other puzzles"),
      ),
      h(
        "details",
        {},
        h("summary", {}, `Settings${words && ` (${words}, as in this puzzle)`}`),
        h("div", { class: "row fields" }, ...fields.map(({ label }) => label)),
      ),
      h(
        "div",
        { class: "row" },
        button("Generate", go, { class: "main", id: "generate" }),
        clues > 0 && button("New clues for this puzzle", again),
        halt,
      ),
    );
  }

  return {
    changed: () =>
      panel.hidden ||
      form().catch((error) => fill(generator, h("p", { class: "problem" }, error.message))),
    shown: () =>
      work.puzzle &&
      form().catch((error) => fill(generator, h("p", { class: "problem" }, error.message))),
    close: () => controller?.abort(),
  };
}
