// The puzzle at hand: its text, the puzzle that the engine read from it, and what was edited.

import { drafts, keep } from "./drafts.js";
import { Refused, familiesOf } from "./engines/engine.js";
import { fragment } from "./link.js";
import { entriesOf, messageOf, pairsOf } from "./things.js";
import { titleOf } from "./editors/begin.js";

/** Events: 'puzzle' when the puzzle changed, 'solved' when its solutions were counted, 'problem'
 * when its text is wrong, 'edited' after each change of the text. */
export class Work extends EventTarget {
  puzzle = null;
  text = "";
  several = [];
  /** What is wrong with the last edit, as an error; null if what is drawn is what was edited. */
  problem = null;
  /** Resolved when what was opened or edited last has been read; questions about the puzzle wait
   * for it. */
  settled = Promise.resolve();
  tab = "play";
  #ofKind = false; // whether more puzzles of its kind are wanted, and it is only an example
  /** What was played, as text; the number of solutions once it is known. */
  played;
  count;
  closed = false; // whether the view was left: then only what was edited is still kept
  parted; // the draft from which this one was parted, because another tab had changed that
  /** The edits: each {id, source, text, plain, name, number, field}, with the draft it belongs to,
   * what the engine reads, the text, which is not known of an instance at first, the text before the
   * engine wrote it, and the field in which it was typed. */
  #history = [];
  #at = -1;
  #families = []; // what is known about them, once somebody has asked
  #reading = false;
  #kept = new Map(); // the text of each draft, as this tab knows it

  constructor(engine) {
    super();
    this.engine = engine;
  }

  /** Open an instance by its name, or a text. */
  open({ name, number = 1, text: linked, tab = "play", played, kind = false }) {
    this.tab = tab;
    this.#ofKind = kind;
    const { id, text } = draftOf(linked);
    const source = name === undefined ? { text } : { name };
    return this.#add({ id, name, number, text, played, source });
  }

  /** Turn to another puzzle, which is kept beside the one before; undoing leads back. */
  turnTo({ text: opened, played }) {
    const { id, text } = draftOf(opened);
    return this.#add({ id, text, played, source: { text } });
  }

  /** Choose a puzzle of a file with several. */
  choose(number) {
    const { name } = this.#state;
    const text = this.several[number - 1].toml;
    this.#push({ id: draftOf(text).id, name, number, text, source: { text } });
    this.#show(this.several);
  }

  /** What requests name: the puzzle as it is now. Throws the problem of the last edit, so that
   * nothing is said of the puzzle before. */
  get source() {
    if (this.problem) throw new Error(this.refusal);
    if (this.puzzle?.missing)
      throw new Error(`Not complete yet: ${this.puzzle.missing}. Complete it under Change it.`);
    if (!this.puzzle) throw new Error("The puzzle has not loaded yet; try again in a moment.");
    return { text: this.text };
  }

  /** Why nothing is told of the puzzle: the engine has not read the last edit, or refuses it. */
  get refusal() {
    const { message } = this.problem;
    return this.unanswered ? message : `Mend the puzzle first, under Change it: ${message}`;
  }

  /** Whether the engine did not answer when the last edit was to be read. */
  get unanswered() {
    return this.problem?.said.kind === "stopped";
  }

  /** Replace the text. */
  write(text) {
    return text === this.#state.text
      ? this.settled
      : this.#add({ id: this.#state.id, text, source: { text } });
  }

  /** Replace the puzzle's entries, as an editor does, which goes on to show entries that are
   * refused. Their text is plain until the engine has written it. What is typed in one `field` is
   * one edit. */
  change(data, field = null) {
    const text = pairs(data).join("\n");
    if (field && field === this.#state.field) this.#at--;
    return this.#add({ id: this.#state.id, text, plain: text, source: { data }, field });
  }

  /** The entries that an editor wrote last, if nothing else came after them. */
  get entries() {
    return this.#state?.source.data;
  }

  /** Whether more puzzles of the kind are made, to which the one at hand is only an example. */
  get makesKind() {
    return this.#ofKind && this.tab === "make" && this.name !== undefined;
  }

  /** The name of the instance that is shown, if it was not edited. */
  get name() {
    return this.#state?.name;
  }

  /** The puzzle was solved: its numbers of solutions, with those of each level, are known. */
  solved(known) {
    this.count = known.solutions ?? this.count;
    this.puzzle.known = { ...this.puzzle.known, ...known };
    if (this.name === undefined)
      keep(this.id, { text: this.text, facts: { ...this.#facts, ...known } }, this.id);
    this.dispatchEvent(new Event("solved"));
  }

  /** Which draft it is, or would become by an edit. */
  get id() {
    return this.#state?.id;
  }

  get undoable() {
    return this.#at > 0;
  }

  get redoable() {
    return this.#at < this.#history.length - 1;
  }

  /** Undo the last edit (−1), or do it again (1). */
  step(by) {
    if (!this.#history[this.#at + by]) return this.settled;
    this.#at += by;
    this.#moved();
    return this.#read();
  }

  /** Put the puzzle and the tab into the URL. Compressing a text takes a moment, in which one may
   * leave, so the text itself is put beside the URL at once. */
  async link() {
    if (!this.#state || this.closed) return;
    const { name, number } = this.#state;
    const text = name === undefined ? this.text : undefined;
    history.replaceState({ text }, "");
    const { tab, played, makesKind: kind } = this;
    const to = await fragment({ name, number, text, tab, played, kind });
    const newer = history.state?.text !== text; // it comes with a link of its own
    if (to !== location.hash && !newer && !this.closed) history.replaceState({ text }, "", to);
  }

  /** What is known about a family: its formats, and the schemas of its entries and its generator.
   * */
  async about(family) {
    this.#families = await familiesOf(this.engine);
    return this.known(family);
  }

  /** The same at once; undefined if nobody has asked yet. */
  known(family) {
    return this.#families.find((about) => about.family === family);
  }

  get #facts() {
    // of this very text, after a reload too
    return drafts().find(({ text }) => text === this.text)?.facts;
  }

  get #state() {
    return this.#history[this.#at];
  }

  #push(state) {
    this.#history = [...this.#history.slice(0, ++this.#at), state];
    this.#moved();
  }

  #add(state) {
    this.#push(state);
    return this.#read();
  }

  #moved() {
    this.text = this.#state.text ?? this.text;
    this.played = this.#state.played;
    this.dispatchEvent(new Event("edited"));
    this.#keep(this.#state.source.data);
  }

  #read() {
    if (!this.#reading) this.settled = this.#readNewest();
    return this.settled;
  }

  /** Read the newest state. Edits that come meanwhile wait, and only the newest of them is read
   * next. */
  async #readNewest() {
    this.#reading = true;
    for (let read = null; read !== this.#state;) {
      read = this.#state;
      const found = [];
      let problem = null;
      const { data, ...named } = read.source;
      const puzzle = data ? messageOf(data) : named;
      for await (const message of this.engine.ask({ kind: "load", puzzle })) {
        if (message.kind === "puzzle") found.push({ ...message, data: entriesOf(message) });
        else if (message.kind !== "end") problem ??= new Refused(message);
      }
      if (read !== this.#state) continue;
      this.problem = problem;
      if (problem) this.dispatchEvent(new Event("problem"));
      else {
        this.#show(found);
        this.#keep(this.puzzle);
      }
    }
    this.#reading = false;
  }

  /** Show the puzzle of the newest state, which was read. */
  #show(found) {
    const { number = 1, played } = this.#state;
    delete this.#state.played; // when an edit is undone, what was played since lies on the board
    this.problem = null;
    this.played = played;
    this.count = undefined;
    this.several = found;
    this.puzzle = found[Math.min(number, found.length) - 1];
    this.text = this.#state.text = this.#state.source.text ?? this.puzzle.toml;
    this.puzzle.known = { ...this.puzzle.known, ...this.#facts };
    if (!this.closed) this.dispatchEvent(new Event("puzzle"));
  }

  /** Keep what was opened or edited: in this browser unless it is an instance, and in the URL.
   * `about` has its title and family, if they are known. */
  #keep(about) {
    const { id, name, text, plain } = this.#state;
    const other = drafts().some(
      (draft) => draft.id === id && draft.text !== (this.#kept.get(id) ?? text),
    ); // another tab changed it
    const own = other ? newId() : id;
    if (other) this.parted = id;
    for (const each of this.#history) if (each.id === id) each.id = own;
    if (name === undefined)
      keep(
        own,
        {
          text,
          plain,
          facts: this.#facts,
          ...(about && { title: titleOf(about), family: about.family }),
        },
        id,
      );
    this.#kept.set(own, text);
    if (this.#history.length > 1) this.link();
  }
}

/** The draft that has this text, or a new one. The link of a page that was left early has the text
 * before the engine wrote it. */
function draftOf(text) {
  const written = drafts().find((draft) => draft.text === text);
  const plain = drafts().find((draft) => draft.plain && draft.plain === text);
  return written ?? plain ?? { id: newId(), text };
}

const newId = () => `${Date.now()}-${Math.random()}`;

/** The entries of an object as TOML, and any value in it. */
const pairs = (object) =>
  pairsOf(object)
    .filter(([, value]) => (value ?? null) !== null)
    .map(([key, value]) => `${JSON.stringify(key)} = ${toml(value)}`);

function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  return typeof value === "object" ? `{ ${pairs(value).join(", ")} }` : JSON.stringify(value);
}
