// Playing: pieces are dragged onto the board, turned and turned over, by mouse, finger or keys;
// symbols are typed, lines and cells drawn.
//
// What is played is one state (acts.js). Buttons, keys and pointers ask for acts, which make the
// next state of it; `#update` shows it, and does what else a move brings about.

import * as acts from "../acts.js";
import { announce, fill, h, picture } from "../dom.js";
import { one } from "../engines/engine.js";
import { samePlaced } from "../game.js";
import { afterEdit, afterReload, keptPlacements, remember } from "../played.js";
import { capitalized, number, plural } from "../words.js";
import { Advice } from "./advice.js";
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { Clues } from "./crossword.js";
import { Ending } from "./ending.js";
import { Hand } from "./hand.js";
import { actOf } from "./keys.js";
import { Switch } from "./own.js";
import { Space } from "./space.js";
import { Table, text } from "./table.js";
import { Tray } from "./tray.js";

export class Play {
  /** What is played; null while nothing is. */
  state = null;
  #draft = null; // the puzzle that is played, or was played last
  #past = null; // what was played before an edit: the draft, and the state
  #fresh = false; // whether it is the puzzle as it is now
  #asked = 0; // questions about the board, of which only the last is answered
  #checks = 0; // a question asked after a check is answered, not the check
  #hinting = false; // whether a hint is given once there is something to play

  constructor(panel, work, stage, turnTo, covers) {
    this.panel = panel;
    this.work = work;
    this.stage = stage;
    const onkeydown = (event) => this.#press(event);
    this.hand = new Hand(this);
    this.board = new Board({
      onkeydown,
      onpointerdown: (event) => this.hand.press(event),
      onfocus: () => this.#show(),
    });
    this.tray = new Tray(
      work,
      { onkeydown },
      {
        press: (event, piece) => this.hand.pressPiece(event, piece),
        pick: (piece) => this.pick(piece, true),
      },
    );
    this.pens = new Switch(this.board, { onkeydown }, this.act);
    this.controls = new Controls(this.act, () => this.#draw(true));
    this.clues = new Clues();
    this.space = new Space(work);
    this.notes = h("p", { class: "quiet" }); // what is written below the picture
    this.ending = new Ending(work, covers, {
      again: () => this.act("startAgain"),
      prove: () => turnTo("solve").run(),
      make: () => turnTo("make"),
    });
    this.advice = new Advice(work, this.board.element, this.tray, this.#ofAdvice());
    this.#build();
    this.#stop("Loading …");
    this.resized = new ResizeObserver(() => {
      if (this.state && this.#shown) this.#show();
    });
    this.resized.observe(panel.parentElement ?? panel);
  }

  #build() {
    const { controls, advice, pens, tray, clues, space, hand, ending } = this;
    const messages = [controls.help, controls.said, ending.proof, advice.trail, advice.said];
    const words = h("div", {}, ...messages);
    const buttons = h("div", { class: "acts" }, controls.hand, advice.buttons);
    const told = h("div", { class: "told" }, buttons, words);
    this.bar = h("div", { class: "row bar" }, controls.undo, controls.check, advice.next);
    const tools = h("div", { class: "pinned tools" }, this.bar, ending.bar);
    fill(
      this.panel,
      told,
      pens.element,
      ending.others,
      tray.element,
      pens.colours,
      advice.legend,
      this.notes,
      clues.element,
      space.element,
      tools,
      hand.ghost,
    );
  }

  /** What advice knows of the game, and what it does. */
  #ofAdvice() {
    return {
      placed: () => (this.state ? acts.positionOf(this.state).placed : []),
      held: () => this.state?.held?.piece,
      lying: () => acts.lying(this.state),
      make: (candidates) => this.act("lay", candidates),
      takeBack: (candidate) => this.act("takeBack", candidate),
      turnsOf: (candidate) => acts.turnsOf(this.state, candidate),
      turnTo: (candidate, from) => this.act("put", candidate, from),
      hush: () => {
        this.#checks++;
        this.#update({ ...this.state, said: "" });
      },
    };
  }

  // -- the view of a puzzle, as other views are

  /** What the menu has for the board. */
  get menu() {
    return [this.controls.redo, ...this.advice.elements, this.controls.again];
  }

  get #shown() {
    return !this.panel.hidden;
  }

  /** Show a picture until the puzzle has been read. */
  preview(svg) {
    this.board.preview(svg);
  }

  shown() {
    this.stage.edit(this.board.element);
    if (this.work.problem) this.broken();
    else if (!this.#fresh && this.work.puzzle) this.#start();
  }

  left() {
    this.stage.edit(null);
  }

  changed() {
    this.#fresh = false;
    if (this.#shown) this.#start();
  }

  /** Play nothing while the text of the puzzle is wrong, or was not read. */
  broken() {
    this.#fresh = false;
    this.#asked++;
    this.#stop(this.work.refusal);
    if (!this.work.unanswered) this.board.clear();
  }

  step(by) {
    this.act("step", by);
  }

  hint() {
    this.#hinting = !this.state?.drawn;
    if (!this.#hinting) this.advice.step();
  }

  close() {
    this.resized.disconnect();
    this.advice.close();
    this.space.close();
  }

  // -- the puzzle

  async #start() {
    const mine = ++this.#asked;
    const { work, board } = this;
    const wanted = () => mine === this.#asked;
    this.#fresh = true;
    if (this.state) board.clear(); // of the puzzle before
    this.#stop("Loading …");
    this.#draft = work.id;
    try {
      const table = await this.#load(wanted);
      if (wanted()) await this.#begin(table);
    } catch (error) {
      if (!wanted()) return;
      board.preview(work.puzzle.svg);
      this.controls.stop(error.message);
    }
  }

  /** What there is to play with. Its picture is on the board first, with what is kept of the game.
   * */
  async #load(wanted) {
    const { work, board } = this;
    const empty = await this.#ask([]);
    const lying = keptPlacements(work);
    const { svg } = lying.length ? await this.#ask(lying).catch(() => empty) : empty;
    await board.hang(svg, "The board", wanted);
    const started = await one(work.engine, { kind: "start", puzzle: work.source }, "started");
    const drawing = picture(empty.svg, "");
    const table = new Table(started, drawing, work.puzzle);
    if (wanted()) {
      const notes = [...drawing.querySelectorAll(".note")];
      const below = notes.map((note) => `On the ${table.board}: ${note.textContent}.`);
      fill(this.notes, below.join(" "));
      const names = new Set(lying.map(text));
      board.drawn = table.candidates.filter(({ placement }) => names.has(text(placement)));
    }
    return table;
  }

  /** Play on a table, with what is kept of the game. */
  async #begin(table) {
    const { work } = this;
    if (!table.candidates.length)
      return this.controls.stop("This puzzle cannot be played by hand.");
    const { game, lost, ways } = this.#recall(table);
    this.state = acts.begin(table, game, ways);
    if (acts.positionOf(this.state).placed.length) remember(work, table, game);
    this.controls.start(table);
    this.tray.start(this.state);
    this.pens.start(table);
    this.clues.start(table, work.puzzle);
    this.advice.start(table);
    this.#show();
    await this.#draw();
    if (this.state?.table !== table) return; // another puzzle came meanwhile
    const gone = `Taken back after the edit, which has no such place or piece: ${plural(lost, "placement")}.`;
    this.#update({ ...this.state, drawn: true, said: lost ? gone : this.state.said });
    if (work.puzzle.solid) this.space.start(this.#placements);
    if (this.#hinting) this.hint();
  }

  /** The game that goes on, with how much of it is lost, and after an edit how pieces lay in the
   * tray. */
  #recall(table) {
    const past = this.#past;
    const edited = past && [this.#draft, this.work.parted].includes(past.draft);
    if (!edited) return afterReload(this.work, table);
    return { ...afterEdit(this.work, table, past.state), ways: past.state.ways };
  }

  /** Play nothing, as `words` say. What was played goes on after an edit. */
  #stop(words) {
    if (this.state) this.#past = { draft: this.#draft, state: this.state };
    this.#end(false);
    this.state = null;
    this.board.drawn = [];
    this.panel.setAttribute("data-idle", "");
    this.clues.stop();
    this.tray.stop();
    this.pens.start(null);
    this.advice.start(null);
    fill(this.notes);
    this.controls.stop(words);
  }

  // -- acts

  /** Do something that acts.js names. */
  act = (name, ...what) => {
    if (this.state) this.#update(acts[name](this.state, ...what));
  };

  /** Go on with the next state. */
  #update(next) {
    const before = this.state;
    if (!before) return;
    this.state = { ...next, spoken: "" };
    if (next.table.lettered) this.state.along = acts.wordAt(next).along;
    if (next.spoken) announce(next.spoken);
    if (next.game !== before.game) remember(this.work, next.table, next.game);
    if (next.ways !== before.ways) this.hand.turned();
    if (next.held !== before.held) this.advice.held();
    if (samePlaced(acts.positionOf(next), acts.positionOf(before))) return this.#show();
    this.advice.moved();
    this.#draw();
  }

  #press(event) {
    const act = this.state && actOf(event, this.state, event.currentTarget === this.board.element);
    if (!act) return;
    const [name, ...what] = act;
    this.#update(acts[name]({ ...this.state, touched: null }, ...what));
    event.preventDefault();
    event.stopPropagation();
  }

  /** Pick up a piece of the tray, or write a symbol. The arrows then move over the board, unless
   * one who writes by keys is in the tray. */
  pick(piece, byKey = false) {
    const { typed } = this.state.table;
    this.act(typed ? "write" : "pickUp", piece);
    if (byKey ? this.state.held : typed) this.board.focus();
  }

  // -- what is seen

  #show() {
    const { state } = this;
    if (!state) return;
    this.panel.toggleAttribute("data-idle", !state.drawn);
    this.board.element.toggleAttribute("data-typed", state.table.typed);
    this.board.element.toggleAttribute("data-solved", state.solved);
    this.#end(state.solved);
    for (const part of [this.board, this.pens, this.clues, this.controls]) part.show(state);
    this.tray.show(state); // in the room that the others leave
    if (document.activeElement?.closest("#tray [hidden]")) this.board.focus();
  }

  #end(solved) {
    this.bar.hidden = solved;
    this.ending.show(solved);
  }

  /** Show a move until its picture comes. */
  sketch() {
    const { state } = this;
    const lies = (candidate) => acts.positionOf(this.state ?? state).placed.includes(candidate);
    this.board.sketch(state.table, acts.positionOf(state), this.tray, lies);
  }

  get #placements() {
    const { placed } = acts.positionOf(this.state);
    return [...placed]
      .sort((one, other) => one.number - other.number)
      .map(({ placement }) => placement);
  }

  /** The picture of a position, and which rules are broken if that is asked. */
  #ask(placements, check = false) {
    const { engine, source } = this.work;
    return one(engine, { kind: "play", puzzle: source, placements, check }, "position");
  }

  /** Draw the position, and tell whether rules are broken if one checks or writes. */
  async #draw(checking = false) {
    const mine = ++this.#asked;
    if (checking) {
      this.advice.clear();
      this.#update({ ...this.state, said: "Checking …" });
    }
    const check = checking && ++this.#checks;
    const { placed } = acts.positionOf(this.state);
    const placements = this.#placements;
    if (!checking) this.sketch();
    this.#show();
    try {
      const answer = await this.#ask(placements, checking || this.state.table.typed);
      const words = `The board with ${plural(placed.length, "piece")} placed`;
      await this.board.hang(answer.svg, words, () => mine === this.#asked);
      if (mine !== this.#asked || !this.state) return;
      this.board.drawn = placed;
      this.board.show(this.state);
      this.advice.drawn();
      this.#tell(answer, check === this.#checks);
      this.space.show(placements);
    } catch (error) {
      if (mine === this.#asked) this.#update({ ...this.state, said: error.message });
    }
  }

  /** Say that it is solved or which rules are broken; to one who checks, also whether it is right
   * so far. */
  #tell({ solved, broken, cost }, checked) {
    if (checked) this.advice.clear();
    const said = solved
      ? this.#ending(cost)
      : this.#faults(broken ?? [], checked) || this.state.said;
    this.#update({ ...this.state, solved, said });
    if (solved || checked) announce(said);
    if (checked && !solved && !broken.length) this.advice.judge(said);
  }

  /** What is wrong; where symbols are typed, it is marked at once. */
  #faults(broken, checked) {
    if (checked || broken.length) return this.advice.faults(broken);
    return acts.isFull(this.state)
      ? "All pieces are placed, but not all fit. Check shows where."
      : "";
  }

  /** That it is solved, and how well if some solutions are better than others. */
  #ending(cost) {
    if (cost) return `Solved! ${capitalized(cost)}.`;
    const count = this.work.count ?? this.work.puzzle.known.solutions;
    if (count === undefined) return "Solved!";
    return String(count) === "1"
      ? "Solved! It is the only solution."
      : `Solved! This is one of ${number(count)} solutions.`;
  }
}
