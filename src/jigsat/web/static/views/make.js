// Making: download, print, and generate puzzles.

import { button, field, fill, h, picture, select } from "../dom.js";
import { save, savePng } from "../files.js";
import { options, schemaFields } from "../editors/schema.js";

const FORMATS = [["cnf", "DIMACS"], ["opb", "OPB"], ["smt2", "SMT-LIB"]];

export function makePanel(panel, work, stage) {
  const name = () => work.puzzle?.name || "puzzle";
  const status = h("p", { role: "status", class: "quiet" });
  const generator = h("div", {});
  const others = h("div", { class: "row" });
  const made = h("ul", { class: "cards made", "aria-label": "Generated puzzles" });
  const printAll = printer("Print all", "print-all", () => generated);
  let generated = [];
  let controller = null;
  let family = "";

  async function files(request) {
    const found = [];
    for await (const message of work.engine.ask(request)) {
      if (message.kind === "file") found.push(message);
      if (message.kind === "error" || message.kind === "stopped") throw new Error(message.message);
    }
    return found;
  }

  async function doing(words, act) {
    status.className = "quiet";
    status.textContent = words;
    try {
      await act();
      status.textContent = "";
    } catch (error) {
      status.className = "problem";
      status.textContent = error.message;
    }
  }

  const download = (format) =>
    doing("Writing the file …", async () => {
      for (const file of await files({ kind: "export", puzzle: work.source, format })) save(`${name()}.${format}`, file.type, file.text);
    });

  const keep = (act) => doing("", async () => work.source && act()); // nothing is saved of a puzzle with an error

  /** A button that prints puzzles, and whether their solutions follow. */
  function printer(words, id, puzzles) {
    const solutions = h("input", { type: "checkbox", id: `${id}-solutions` });
    return h("div", { class: "row" }, button(words, () => print(puzzles, solutions.checked), { id }), h("label", { class: "check" }, solutions, " with solutions"));
  }

  /** Print the sheets of puzzles. */
  const print = (puzzles, solutions) =>
    doing("Drawing the sheets …", async () => {
      const found = await files({ kind: "print", puzzles: puzzles(), solutions });
      const sheets = found.map(({ text }, i) => h("div", { class: "sheet" }, picture(text, `Page ${i + 1}`)));
      const box = h("div", { class: "sheets" }, ...sheets);
      document.body.append(box);
      addEventListener("afterprint", () => box.remove(), { once: true });
      globalThis.print();
    });

  fill(
    panel,
    h("h2", {}, "Print and download"),
    printer("Print", "print", () => [work.source]),
    h(
      "div",
      { class: "row" },
      button("SVG", () => keep(() => save(`${name()}.svg`, "image/svg+xml", stage.svg)), { id: "save-svg" }),
      button("PNG", () => keep(() => savePng(`${name()}.png`, stage.svg)), { id: "save-png" }),
      button("TOML", () => keep(() => save(`${name()}.toml`, "application/toml", work.text)), { id: "save-toml" }),
      ...FORMATS.map(([format, words]) => button(words, () => download(format), { id: `save-${format}` })),
    ),
    others,
    h("p", { class: "quiet" }, "SVG and PNG contain the picture as it is shown. The other files contain the puzzle."),
    status,
    h("h2", {}, "Generate"),
    generator,
    printAll,
    made,
  );
  printAll.hidden = true;

  async function generate(request) {
    controller?.abort();
    const mine = (controller = new AbortController());
    fill(made);
    generated = [];
    printAll.hidden = true;
    await doing("Generating …", async () => {
      for await (const message of work.engine.ask(request, mine.signal)) {
        if (message.kind === "puzzle") {
          generated.push({ text: message.toml });
          printAll.hidden = false;
          made.append(h("li", {}, button(h("span", { class: "paper" }, picture(message.svg, message.title || "A new puzzle")), () => work.write(message.toml), { class: "card", "aria-label": `Open puzzle ${made.children.length + 1}` })));
        }
        if (message.kind === "error" || (message.kind === "stopped" && !mine.signal.aborted)) throw new Error(message.message);
      }
    });
  }

  async function form() {
    if (family === work.puzzle.family) return;
    family = work.puzzle.family;
    const { generator: schema, formats } = await work.about(family);
    fill(others, ...formats.map((format) => button(format, () => download(format), { id: `save-${format}` })));
    if (!schema) {
      fill(generator, h("p", { class: "quiet" }, "There is no generator for this family."));
      return;
    }
    const fields = schemaFields(schema);
    const seed = h("input", { type: "number", min: 0, value: 1, id: "seed" });
    const number = h("input", { type: "number", min: 1, max: 50, value: 3, id: "number" });
    const difficulty = select([["", "any"], ["easy", "easy"], ["medium", "medium"], ["hard", "hard"]], "", { id: "difficulty" });
    const common = () => ({ kind: "generate", seed: Number(seed.value) || 0, number: Number(number.value) || 1, difficulty: difficulty.value || null });
    const go = () => generate({ ...common(), family, options: options(fields) });
    const again = () => generate({ ...common(), puzzle: work.source });
    fill(
      generator,
      h("div", { class: "row fields" }, field("How many", number), field("Seed", seed), field("Difficulty", difficulty)),
      h("details", {}, h("summary", {}, "Options of the family"), h("div", { class: "row fields" }, ...fields.map(({ label }) => label))),
      h("div", { class: "row" }, button("Generate", go, { class: "main", id: "generate" }), work.puzzle.clues > 0 && button("New clues for this puzzle", again), button("Stop", () => controller?.abort())),
    );
  }

  return {
    changed: () => panel.hidden || form().catch((error) => fill(generator, h("p", { class: "problem" }, error.message))),
    shown: () => work.puzzle && form().catch((error) => fill(generator, h("p", { class: "problem" }, error.message))),
    close: () => controller?.abort(),
  };
}
