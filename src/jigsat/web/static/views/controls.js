// The buttons and the words of playing.

import { button, fill, h } from "../dom.js";
import { canStep, EMPTY, same } from "../game.js";
import { canClear, positionOf } from "../acts.js";

export class Controls {
  /** `act(name, …)` hears what a button does to the state, and `check()` of a check. */
  constructor(act, check) {
    const turned = () => act("turn", "turned");
    const flipped = () => act("turn", "flipped");
    this.said = h("p", { class: "count", id: "said", role: "status" });
    this.help = h("p", { class: "quiet", id: "help" });
    this.undo = button("Undo", () => act("step", -1), { id: "play-undo", "data-icon": "↶" });
    this.redo = button("Redo", () => act("step", 1), { id: "play-redo" });
    this.again = button("Start again", () => act("startAgain"), { id: "play-again" });
    this.check = button("Check", check, { id: "check", "data-icon": "✓" });
    this.turner = button("Turn", turned, { id: "turn", title: "R", "data-icon": "⟳" });
    this.flipper = button("Turn over", flipped, { id: "flip", title: "F", "data-icon": "⇆" });
    this.remover = button("Put back", () => act("putBack"), {
      id: "put-back",
      title: "Delete",
      "data-icon": "⌫",
    });
    this.hand = h("div", { class: "hand" }, this.turner, this.flipper, this.remover);
  }

  /** Offer what a table has. */
  start(table) {
    fill(this.help, table.help());
    fill(this.remover, table.typed || table.toggles ? "Clear" : "Put back");
    this.turner.hidden = !table.turns;
    this.flipper.hidden = !table.flips;
  }

  /** Nothing is played, as `words` say. */
  stop(words) {
    fill(this.help);
    fill(this.said, words);
    this.said.removeAttribute("data-solved");
    for (const each of [this.undo, this.redo, this.again, this.check]) each.disabled = true;
    this.hand.hidden = true;
  }

  show(state) {
    // screen readers read this text aloud
    if (this.said.textContent !== state.said) fill(this.said, state.said);
    this.said.toggleAttribute("data-solved", state.solved);
    this.undo.disabled = !canStep(state.game, -1);
    this.redo.disabled = !canStep(state.game, 1);
    this.again.disabled = same(positionOf(state), EMPTY);
    this.check.disabled = !state.drawn;
    const idle = !canClear(state);
    for (const each of [this.turner, this.flipper, this.remover]) each.disabled = idle;
    this.hand.hidden = false; // also while idle: else a move would shift the tray under the finger
  }
}
