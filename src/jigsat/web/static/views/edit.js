// Editing: the family's own editor on the stage, with its tray beside it, and the puzzle's file as
// text, with errors at their place.

import { button, delayed, fill, h } from "../dom.js";
import { edit } from "../editors/editors.js";
import { Faults } from "../editors/faults.js";
import { onServer } from "../engines/engine.js";
import { PUZZLES, chooser, puzzleIn, savePuzzle } from "../files.js";
import { messageOf } from "../things.js";

const TYPED = "input:not([type=radio], [type=checkbox], [type=file]), textarea";

/** Whether entries are the same, with things in the same order. */
const sameEntries = (one, other) =>
  JSON.stringify(messageOf(one)) === JSON.stringify(messageOf(other));

/** The entry that an element shows, as its field names it. */
const entryOf = (element) => element.closest("[data-entry]")?.dataset.entry;

export function editPanel(panel, work, stage, turnTo) {
  const places = {
    stage: h("div", { class: "direct" }),
    tray: h("div", { class: "palette" }),
    settings: h("div", { class: "direct" }),
  };
  const hand = {}; // the brush that is held
  const faults = new Faults(places);
  const source = new Source(work);
  const problem = h("p", { class: "problem", id: "toml-problem", role: "alert" });
  const missing = h("p", { class: "missing", id: "missing", role: "status" });
  const looks = { class: "main", id: "edited", disabled: true };
  const solve = button("Solve", () => afterReading("run"), looks);
  const unique = button("Unique?", () => afterReading("isUnique"), { disabled: true });
  const undo = button("Undo", () => work.step(-1), { id: "undo" });
  const redo = button("Redo", () => work.step(1), { id: "redo" });
  const opener = chooser("open-toml", PUZZLES, async ([file]) =>
    work.turnTo(puzzleIn(await file.text())),
  );
  const bar = h("div", { class: "row bar" }, solve, unique, undo, redo);
  const pinned = h("div", { class: "pinned" }, places.tray, missing, bar);
  // A field that is seen above what is pinned is not scrolled to when one types in it.
  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--pinned", `${pinned.offsetHeight}px`);
  }).observe(pinned);
  fill(
    panel,
    problem,
    pinned,
    h(
      "div",
      { class: "row" },
      h("label", { class: "button", for: "open-toml" }, "Open"),
      opener,
      button("Save", () => savePuzzle(work)),
    ),
    places.settings,
    source.element,
    h(
      "p",
      { class: "quiet" },
      `Changes are kept in this browser${onServer ? "" : " and in the address of this page"}.`,
    ),
  );

  /** Whether the puzzle can be solved. While an edit that may make it so is `unread`, the buttons
   * look as before, but a press is kept. */
  function enable(ready, unread = false) {
    for (const control of [solve, unique]) {
      control.disabled = !ready;
      control.toggleAttribute("data-unread", unread);
    }
  }

  /** Solve the puzzle, once it is known whether it can be solved. */
  async function afterReading(act) {
    if (solve.hasAttribute("data-unread")) await work.settled;
    if (!solve.disabled && work.tab === "edit") turnTo("solve")[act]();
  }

  function fresh() {
    source.show();
    undo.disabled = !work.undoable;
    redo.disabled = !work.redoable;
  }

  work.addEventListener("edited", () => {
    fresh();
    if (work.puzzle && solve.disabled) enable(true, true);
    missing.dataset.old = ""; // so does what is missing
  });
  work.addEventListener("problem", () => {
    enable(false);
    delete missing.dataset.old;
    complain();
    if (!work.entries || work.entries === entries) return;
    entries = work.entries; // an edit was undone that had been refused, too
    due = true;
    refresh();
  });

  /** Say what is wrong: beside the field of the entry, or of a text with its line. What is half typed
   * is not judged. */
  function complain() {
    const { line, message, place } = work.problem.said;
    const beside = !line && (half || faults.tell(place ?? [], message, last, touched));
    missing.textContent = faults.said; // the bar is in view, wherever the field is
    if (beside) source.unmark();
    else source.mark(line);
    fill(
      problem,
      line && button(`Line ${line}`, () => source.reach(line), { class: "link" }),
      line ? ": " : "",
      beside ? "" : message,
    );
  }

  /** Say beside its field what is probably a mistake. */
  function doubt() {
    const { doubts, doubtful } = work.puzzle;
    const first = doubtful.findIndex((path) => path.length);
    if (first >= 0 && !half) faults.tell(doubtful[first], doubts[first], last, touched);
  }

  /** Say of the fields as they are drawn what is wrong with them. */
  function judge() {
    if (work.problem) complain();
    else doubt();
  }

  let entries = {};
  let due = false;
  let half = null; // a field in which one types
  let typing = null; // the same while its text is counted
  let last; // the entry that was changed last, as its field names it
  let touched; // the entry in whose field somebody clicked or typed last

  /** Apply a change of the entries; `redraw` if the editor does not show it by itself. Entries that
   * are no puzzle yet, such as four tiles for nine cells, are kept, so that further changes can
   * complete them. */
  async function change(changed, { redraw = false } = {}) {
    // what is known holds only for the unedited puzzle
    const { known: _, ...kept } = changed(entries);
    due ||= redraw;
    if (!sameEntries(kept, entries)) {
      entries = kept;
      await work.change(entries, typing);
    }
    refresh();
  }

  /** What is typed counts at once. The editor is drawn anew only when the field is left. */
  function count(field) {
    typing = field;
    field.dispatchEvent(new Event("change")); // which only the field itself hears
    typing = null;
  }

  /** Draw the editor anew once all its changes were read, and no text is half typed in it. */
  function refresh() {
    if (!due || half || !work.puzzle) return;
    due = false;
    const { family, painted } = work.puzzle;
    edit(places, entries, family, change, work.engine, {
      painted,
      hand,
      known: work.known(family),
      about: () => work.about(family),
      drawn: judge,
    });
  }

  for (const place of Object.values(places)) {
    for (const kind of ["pointerdown", "focusin", "input"])
      place.addEventListener(kind, ({ target }) => (touched = entryOf(target)));
    place.addEventListener("input", ({ target }) => {
      half = target;
      faults.spare(target);
      last = target.dataset.entry;
      if (target.matches(TYPED)) count(target);
    });
    for (const kind of ["change", "focusout"]) {
      place.addEventListener(kind, ({ target }) => {
        half = null;
        work.settled.then(judge); // not of what was there before
        if (target.validity?.valid === false) return; // what is wrong with its text stands beside it
        setTimeout(refresh); // not before the click that took the focus
      });
    }
  }

  return {
    shown: () => stage.edit(places.stage),
    left: () => stage.edit(null),
    changed() {
      fill(problem);
      faults.clear();
      delete missing.dataset.old;
      missing.textContent = work.puzzle.missing && `Not complete yet: ${work.puzzle.missing}`;
      enable(!work.puzzle.missing);
      fresh();
      source.unmark();
      // The editor, where the entries come from, shows them already.
      if (work.entries === entries) return doubt();
      entries = work.puzzle.data;
      due = true;
      refresh();
    },
  };
}

/** The puzzle's file as text, with the numbers of its lines. */
class Source {
  constructor(work) {
    this.work = work;
    this.numbers = h("pre", { class: "numbers", "aria-hidden": "true" });
    const later = delayed(350, () => work.write(this.text.value));
    this.text = h("textarea", {
      id: "toml",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      "aria-label": "The puzzle's file (TOML)",
      "aria-describedby": "toml-problem",
      oninput: () => (this.#number(), later()),
      onchange: () => work.write(this.text.value),
      onscroll: () => (this.numbers.scrollTop = this.text.scrollTop),
    });
    this.element = h(
      "details",
      { id: "advanced" },
      h("summary", {}, "Advanced: the text of the file"),
      h("div", { class: "editor" }, this.numbers, this.text),
    );
  }

  /** Show the text as it is now, unless one types in it. */
  show() {
    const { text, work } = this;
    if (text.value !== work.text && document.activeElement !== text) text.value = work.text;
  }

  /** Something is wrong, perhaps in a line. A text of which no puzzle could be read is opened. */
  mark(line) {
    if (!this.work.puzzle) this.text.value = this.work.text;
    if (!this.work.puzzle) this.element.open = true;
    this.text.setAttribute("aria-invalid", "true");
    this.#number(line);
  }

  unmark() {
    this.text.removeAttribute("aria-invalid");
    this.#number();
  }

  /** Select a line. */
  reach(line) {
    const { text } = this;
    this.element.open = true;
    const rows = text.value.split("\n");
    const start = rows.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    text.focus();
    text.setSelectionRange(start, start + (rows[line - 1] ?? "").length);
    text.scrollTop = Math.max(0, (text.scrollHeight / rows.length) * (line - 5));
  }

  #number(wrong = 0) {
    const rows = this.text.value.split("\n").map((_, i) => i + 1);
    const numbers = rows.map((row) =>
      h("span", { class: row === wrong ? "wrong" : null }, `${row}\n`),
    );
    fill(this.numbers, ...numbers);
    this.numbers.scrollTop = this.text.scrollTop;
  }
}
