// The puzzle at hand: its text, the puzzle that the engine read from it, and what was edited.

import { drafts, keep } from "./drafts.js";
import { Refused, one } from "./engines/engine.js";
import { fragment } from "./link.js";

/** Events: 'puzzle' when the puzzle changed, 'problem' when its text is wrong, 'edited' after each change of the text. */
export class Work extends EventTarget {
  puzzle = null;
  text = "";
  several = [];
  /** What is wrong with the last edit, as an error; null if what is drawn is what was edited. */
  problem = null;
  /** Resolved when all edits have been read, one after the other; questions about the puzzle wait for it. */
  settled = Promise.resolve();
  /** The number of edits that are being read or wait for that. */
  pending = 0;
  tab = "play";
  /** What was played, as text; the number of solutions once it is known. */
  played;
  count;
  #name = null;
  #number = 1;
  #history = [];
  #at = -1;
  #refused = false;
  #about = null;
  #id = `${Date.now()}-${Math.random()}`;

  constructor(engine) {
    super();
    this.engine = engine;
  }

  /** Open an instance by its name, or a text. */
  open(wanted) {
    return this.#queue(() => this.#open(wanted));
  }

  async #open({ name = null, number = 1, text, tab = "play", played }) {
    this.#name = name;
    this.#number = number;
    this.tab = tab;
    this.#id = drafts().find((draft) => draft.text === text)?.id ?? this.#id;
    const found = await this.#load(name === null ? { text } : { name });
    if (found) {
      this.#choose(found, number, played);
      if (name === null) this.text = text;
    } else this.text = text ?? "";
    this.#remember();
  }

  /** Choose a puzzle of a file with several. */
  choose(number) {
    this.#number = number;
    this.#choose(this.several, number);
    this.#remember();
    this.link();
  }

  /** What requests name: the puzzle as it is now. Throws the problem of the last edit, so that nothing is said of the puzzle before. */
  get source() {
    if (this.problem) throw new Error(`Mend the puzzle first, under Edit: ${this.problem.message}`);
    if (this.puzzle?.missing) throw new Error(`Not complete yet: ${this.puzzle.missing}. Complete it under Edit.`);
    if (!this.puzzle) throw new Error("The puzzle has not loaded yet; try again in a moment.");
    return this.text === this.puzzle.toml ? { text: this.puzzle.toml } : { text: this.text };
  }

  /** Replace the text. Returns whether it is a puzzle. */
  write(text) {
    return this.#queue(() => this.#write(text));
  }

  async #write(text, { history = true, read = null } = {}) {
    if (text === this.text && this.puzzle && !this.problem) return true;
    this.text = text;
    this.#name = null;
    this.#refused = false;
    if (history) this.#remember();
    this.dispatchEvent(new Event("edited"));
    this.link();
    const found = read ?? (await this.#load({ text }));
    if (!found) return false;
    const kept = this.text;
    this.#choose(found, 1);
    this.text = kept;
    keep(this.#id, { title: this.puzzle.title || this.puzzle.name || this.puzzle.family, family: this.puzzle.family, text });
    return true;
  }

  /** Replace the puzzle's entries, as an editor does, which goes on to show entries that are refused. */
  change(data) {
    return this.#queue(() => this.#change(data));
  }

  async #change(data) {
    const found = await this.#load({ data });
    if (!found) {
      this.#refused = true;
      this.dispatchEvent(new Event("edited"));
      return false;
    }
    return this.#write(found[0].toml, { read: found });
  }

  /** The name of the instance that is shown, if it was not edited. */
  get name() {
    return this.#name;
  }

  get undoable() {
    return this.#refused || this.#at > 0;
  }

  get redoable() {
    return this.#at < this.#history.length - 1;
  }

  undo() {
    return this.#queue(() => {
      if (this.#refused) return this.#write(this.text, { history: false });
      if (this.undoable) return this.#write(this.#history[--this.#at], { history: false });
    });
  }

  redo() {
    return this.#queue(() => this.redoable && this.#write(this.#history[++this.#at], { history: false }));
  }

  /** Put the puzzle and the tab into the URL. */
  async link() {
    const unchanged = this.#name !== null;
    const to = await fragment({ name: this.#name, number: this.#number, text: unchanged ? undefined : this.text, tab: this.tab, played: this.played });
    if (to !== location.hash) history.replaceState(null, "", to);
  }

  /** What is known about a family: its formats, and the schemas of its entries and its generator. */
  async about(family) {
    this.#about ??= one(this.engine, { kind: "about" }, "about");
    return (await this.#about).families.find((each) => each.family === family);
  }

  #queue(act) {
    this.pending++;
    const done = this.settled.then(act).finally(() => this.pending--);
    this.settled = done.catch(() => undefined);
    return done;
  }

  async #load(puzzle) {
    const found = [];
    for await (const message of this.engine.ask({ kind: "load", puzzle })) {
      if (message.kind === "puzzle") found.push(message);
      else if (message.kind !== "end") {
        this.problem = new Refused(message);
        this.dispatchEvent(new CustomEvent("problem", { detail: this.problem }));
        return null;
      }
    }
    return found.length ? found : null;
  }

  #choose(found, number, played) {
    this.problem = null;
    this.played = played;
    this.count = undefined;
    this.several = found;
    this.puzzle = found[Math.min(number, found.length) - 1];
    this.text = this.puzzle.toml;
    this.dispatchEvent(new Event("puzzle"));
  }

  #remember() {
    if (this.#history[this.#at] === this.text) return;
    this.#history = [...this.#history.slice(0, this.#at + 1), this.text];
    this.#at = this.#history.length - 1;
  }
}
