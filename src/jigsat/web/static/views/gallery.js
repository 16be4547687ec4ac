// The gallery: one solved puzzle of each family, then all instances as pictures of unsolved
// puzzles, by family.

import { arrange, button, fill, h, picture } from "../dom.js";
import { drafts, forget, rename, restore } from "../drafts.js";
import { one, onServer } from "../engines/engine.js";
import { PUZZLES, chooser, puzzleIn, save } from "../files.js";
import { fragment, instanceLink, keptPicture, named, newPuzzle } from "../link.js";
import { brief, number, plural } from "../words.js";
import { FAMILIES, kindName } from "../editors/begin.js";
import { looksOf, makeMore } from "./covers.js";
import * as found from "./found.js";
import { GROUP_NAMES } from "./groups.js";

/** The gallery, which is kept while the page lives. What it shows follows from one state (found.js);
 * `#draw` alone changes the elements. */
export class Gallery {
  #state = found.EMPTY;
  #scrolled = 0; // where it was left
  #loaded = false;
  #chips = new Map(); // the buttons of the groups
  #sections = new Map(); // by family: its {section, list}
  #cards = new Map(); // by the name of the instance
  #papers = new Map(); // the pictures of the puzzles of one's own, by their text

  constructor(engine, covers) {
    this.engine = engine;
    this.featured = h("ul", {
      class: "cards",
      id: "featured",
      "aria-label": "One solved puzzle of each kind",
    });
    this.covers = covers;
    for (const group of ["", ...GROUP_NAMES]) this.#chips.set(group, this.#chip(group));
    const looks = { class: "row chips", role: "group", "aria-label": "Kinds" };
    this.chips = h("div", looks, ...this.#chips.values());
    this.shelf = h("div", { class: "shelf" });
    this.status = h("p", { class: "quiet", role: "status" });
    this.search = h("input", {
      type: "search",
      placeholder: "Find a puzzle",
      "aria-label": "Find a puzzle",
      title: "The family, title, source or number of solutions",
      oninput: () => this.#update({ text: this.search.value }),
    });
    this.fresh = h("a", { class: "button main" }, "New puzzle");
    const opener = chooser("open-file", PUZZLES, async ([file]) => go(await file.text()));
    this.intro = h(
      "section",
      { class: "intro" },
      h("h1", {}, "Every solution, and the proof that none is missing."),
    );
    this.begin = h(
      "div",
      { class: "row begin" },
      this.search,
      this.fresh,
      h("label", { class: "button", for: "open-file" }, "Open a file"),
      opener,
    );
    this.below = h("div", { class: "row below" }, this.status, ...pasting(this.engine));
  }

  #chip(group) {
    const words = [group || "All", " ", h("small", {})];
    return button(words, () => this.#update({ group }), { "data-chip": group });
  }

  /** Show it where it was left. Returns what leaves it. */
  show(main) {
    document.title = "jigsat";
    this.own = own(this.engine, this.#papers);
    if (!this.featured.firstChild)
      this.featured.append(
        ...this.covers.cards((family, name) => ({
          href: name ? instanceLink(name) : newPuzzle({ family }),
        })),
      );
    document.querySelector(".top .brand").after(this.begin);
    fill(main, this.intro, this.chips, this.below, this.own, this.featured, this.shelf);
    this.#draw();
    scrollTo(0, this.#scrolled);
    const reading = new AbortController();
    if (!this.#loaded) this.#load(reading.signal);
    return () => {
      this.#scrolled = scrollY;
      this.begin.remove();
      reading.abort(); // so that what comes next is answered first
    };
  }

  /** A server lists the instances first and draws them then. */
  async #load(signal) {
    this.#update({ problem: "" });
    for await (const message of this.engine.gallery(signal)) {
      if (signal.aborted) return;
      if (message.kind === "instance") this.#receive(message);
      // it is asked for again when it is shown next
      else if (message.kind !== "end") return this.#update({ problem: message.message });
    }
    this.#loaded = true;
  }

  #receive(message) {
    const before = this.#cards.get(message.name);
    if (before && message.svg) fill(before.querySelector(".paper"), picture(message.svg, ""));
    if (before) return;
    this.#cards.set(message.name, card(message, this.covers));
    this.#update(found.add(this.#state, message));
  }

  #update(changed) {
    this.#state = { ...this.#state, ...changed };
    this.#draw();
  }

  // -- what is seen

  #draw() {
    const whole = found.isWhole(this.#state);
    const shelves = found.shelvesOf(this.#state);
    this.fresh.setAttribute("href", newPuzzle({ find: this.#state.text.trim() }));
    this.featured.hidden = !whole;
    if (this.own) this.own.hidden = !whole; // what was found is not below it
    for (const [group, chip] of this.#chips) tell(chip, found.chipOf(this.#state, group));
    for (const shelf of shelves) this.#drawShelf(shelf);
    arrange(
      this.shelf,
      shelves.map(({ family }) => this.#family(family).section),
    );
    this.status.textContent = found.countOf(this.#state, shelves);
  }

  #drawShelf({ family, cards, shown }) {
    const { section, list } = this.#family(family);
    section.hidden = !shown;
    for (const { name, shown: fits } of cards) this.#cards.get(name).hidden = !fits;
    arrange(
      list,
      cards.map(({ name }) => this.#cards.get(name)),
    );
  }

  /** The section of a family, and the list of its puzzles. */
  #family(family) {
    if (!this.#sections.has(family)) this.#sections.set(family, sectionOf(family));
    return this.#sections.get(family);
  }
}

/** Whether a group is chosen, and how many puzzles it has. */
function tell(chip, { pressed, filled, puzzles }) {
  chip.setAttribute("aria-pressed", String(pressed));
  chip.hidden = !filled;
  fill(chip.lastChild, puzzles ? number(puzzles) : "");
}

function sectionOf(family) {
  const id = `family-${family}`;
  const list = h("ul", { class: "cards", id });
  const looks = {
    "aria-labelledby": `${id}-title`,
    "data-family": family,
    ...looksOf(family),
  };
  const section = h("section", looks, h("h2", { id: `${id}-title` }, kindName(family)), list);
  return { section, list };
}

function card({ name, title, family, svg, known: facts, puzzles }, covers) {
  const words = puzzles > 1 ? plural(puzzles, "puzzle") : brief(facts) || "not known";
  const paper = h("div", { class: "paper", "aria-hidden": "true" }, svg && picture(svg, ""));
  if (!onServer) covers.hang(paper, () => keptPicture(name));
  const link = { class: "card", href: instanceLink(name), "data-name": name };
  return h(
    "li",
    {},
    h("a", link, paper, h("strong", {}, title || name), h("span", { class: "quiet" }, words)),
    FAMILIES[family] && makeMore(name, title || name),
  );
}

/** The part of a link to a page of jigsat that names the puzzle. */
const SHARED = /#(?:text|puzzle)=\S+/;

/** A field for a link or a drawn grid, which opens the puzzle in it, and what is wrong with it. */
function pasting(engine) {
  const problem = h("p", { class: "problem", role: "alert" });
  const entry = h("input", {
    id: "paste-link",
    "aria-label": "Paste a link of jigsat or puzz.link",
    placeholder: "or paste a link of puzz.link",
    autocomplete: "off",
    size: 26,
    onpaste: () => setTimeout(() => form.requestSubmit()),
  });
  const form = h("form", { class: "paste", onsubmit: open }, entry);

  async function open(event) {
    event.preventDefault();
    fill(problem);
    if (!entry.value.trim()) return;
    const [shared] = SHARED.exec(entry.value) ?? [];
    try {
      if (shared) await named(shared); // or what is wrong with it is told here
      if (shared) return (location.hash = shared);
      const { toml } = await one(engine, { kind: "load", puzzle: { text: entry.value } }, "puzzle");
      entry.value = "";
      await go(toml);
    } catch (error) {
      fill(problem, error.message);
    }
  }

  return [form, problem];
}

/** Enter ends the name, which may have two lines on the screen alone. */
const enter = (event) => event.key === "Enter" && (event.preventDefault(), event.target.blur());

/** The puzzles that were opened or edited in this browser; `papers` are the pictures that were
 * drawn before. */
function own(engine, papers) {
  const kept = drafts();
  if (!kept.length) return null;
  const list = h("ul", { class: "cards drafts" });
  const drawn = []; // one after the other, so that a server is not asked for all at once
  for (const draft of kept) {
    const { id, title, name = title, family, text, time } = draft;
    const when = new Date(time).toLocaleString([], {
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
    });
    const paper = papers.get(text) ?? h("div", { class: "paper", "aria-hidden": "true" });
    papers.set(text, paper);
    const entry = h("textarea", {
      value: name,
      rows: 2,
      maxlength: 80,
      onkeydown: enter,
      onchange: () => (
        rename(id, (entry.value = entry.value.replace(/\s+/g, " ").trim() || title)),
        label()
      ),
    });
    const parts = {
      Open: button(paper, () => go(text), { class: "open" }),
      Name: entry,
      Delete: button("✕", remove, { class: "link" }),
    };
    const label = () =>
      Object.entries(parts).forEach(([what, part]) =>
        part.setAttribute("aria-label", `${what} ${entry.value}`),
      );
    label();
    const whole = [
      parts.Open,
      entry,
      h(
        "div",
        { class: "about" },
        h("span", { class: "quiet" }, kindName(family), h("br"), when),
        parts.Delete,
      ),
    ];
    const item = h("li", { class: "card" }, ...whole);
    list.append(item);
    if (!paper.firstChild)
      drawn.push(async () =>
        fill(
          paper,
          picture((await one(engine, { kind: "load", puzzle: { text } }, "puzzle")).svg, ""),
        ),
      );

    function remove() {
      const gone = drafts().find((each) => each.id === id) ?? draft;
      forget(id);
      const back = button("Undo", () => (restore(gone), fill(item, ...whole), parts.Open.focus()));
      fill(item, h("span", { role: "status" }, `“${entry.value}” was deleted.`), back);
      back.focus();
    }
  }
  (async () => {
    for (const draw of drawn) await draw().catch(console.error);
  })();
  const all = button("Save all", () =>
    drafts().forEach(({ title, name = title, text }, i) =>
      save(`${i + 1} ${name.replace(/[^\p{L}\p{N} -]/gu, "")}.toml`, "application/toml", text),
    ),
  );
  return h("section", { "aria-labelledby": "own" }, h("h2", { id: "own" }, "Yours"), list, all);
}

/** Open the puzzle in a file. */
const go = async (text) => (location.hash = await fragment(puzzleIn(text)));
