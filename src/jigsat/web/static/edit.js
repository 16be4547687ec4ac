// Editing: the puzzle's file as text, with errors at their place, and the family's own editor where there is one.

import { button, delayed, fill, h } from "./dom.js";
import { editorFor } from "./editors.js";
import { save } from "./files.js";

export function editPanel(panel, work) {
  const direct = h("div", { class: "direct" });
  const numbers = h("pre", { class: "numbers", "aria-hidden": "true" });
  const text = h("textarea", { id: "toml", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "The puzzle's file (TOML)", "aria-describedby": "toml-problem", oninput: () => (lines(), later()), onchange: () => work.write(text.value), onscroll: () => (numbers.scrollTop = text.scrollTop) });
  const problem = h("p", { class: "problem", id: "toml-problem", role: "alert", hidden: true });
  const undo = button("Undo", () => work.undo(), { id: "undo" });
  const redo = button("Redo", () => work.redo(), { id: "redo" });
  const opener = h("input", { type: "file", class: "unseen", id: "open-toml", accept: ".toml,.txt,.sdk,.csv,text/plain", onchange: async () => opener.files[0] && work.write(await opener.files[0].text()) });
  const copied = h("span", { class: "quiet", role: "status" });
  let written = null;
  fill(
    panel,
    h("div", { class: "row" }, undo, redo, h("label", { class: "button", for: "open-toml" }, "Open"), opener, button("Save", () => save(`${work.puzzle?.name || "mine"}.toml`, "application/toml", work.text)), button("Copy link", copy), copied),
    direct,
    h("div", { class: "editor" }, numbers, text),
    problem,
    h("p", { class: "quiet" }, "Changes are kept in this browser and in the address of this page."),
  );

  const later = delayed(350, () => {
    written = text.value;
    work.write(text.value);
  });

  async function copy() {
    await work.link();
    try {
      await navigator.clipboard.writeText(location.href);
      copied.textContent = "Copied.";
    } catch {
      copied.textContent = "Copy the address of this page.";
    }
  }

  function lines(wrong = 0) {
    const many = text.value.split("\n").length;
    fill(numbers, ...Array.from({ length: many }, (_, i) => h("span", { class: i + 1 === wrong ? "wrong" : null }, `${i + 1}\n`)));
    numbers.scrollTop = text.scrollTop;
  }

  function fresh() {
    if (text.value !== work.text && !(document.activeElement === text && written === work.text)) text.value = work.text;
    undo.disabled = !work.undoable;
    redo.disabled = !work.redoable;
  }

  work.addEventListener("edited", fresh);
  work.addEventListener("problem", ({ detail }) => {
    if (!work.puzzle) text.value = work.text;
    const { line, message } = detail.said;
    problem.hidden = false;
    problem.textContent = line ? `Line ${line}: ${message}` : message;
    text.setAttribute("aria-invalid", "true");
    lines(line ?? 0);
  });
  let close = null;
  return {
    changed() {
      problem.hidden = true;
      text.removeAttribute("aria-invalid");
      queueMicrotask(() => {
        fresh();
        lines();
      });
      const editor = editorFor(work.puzzle);
      close?.();
      close = editor?.(direct, work) ?? null;
      if (!editor) fill(direct);
    },
    close: () => close?.(),
  };
}
