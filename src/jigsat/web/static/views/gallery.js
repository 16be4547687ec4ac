// The gallery: one solved puzzle of each family, then all instances as pictures of unsolved
// puzzles, by family.

import { fill, h, picture, button } from "../dom.js";
import { drafts, forget, rename, restore } from "../drafts.js";
import { one, onServer } from "../engines/engine.js";
import { PUZZLES, chooser, puzzleIn, save } from "../files.js";
import { fragment, keptPicture, named, newPuzzle } from "../link.js";
import { brief, known, number, plural, searchFor } from "../words.js";
import { FAMILIES, hasStones, kindName, wordsOf } from "../editors/begin.js";
import { hue, makeMore } from "./covers.js";
import { GROUP_NAMES, groupOf } from "./groups.js";

/** The gallery, which is kept while the page lives. */
export class Gallery {
  #scrolled = 0; // where it was left
  #chosen = ""; // the group of families that is shown, or '' for all
  #cards = new Map(); // by the name of the instance
  #loaded = false;
  #papers = new Map(); // the pictures of the puzzles of one's own, by their text

  constructor(engine, covers) {
    this.engine = engine;
    this.featured = h("ul", {
      class: "cards",
      id: "featured",
      "aria-label": "One solved puzzle of each kind",
    });
    this.covers = covers;
    this.chips = h(
      "div",
      { class: "row chips", role: "group", "aria-label": "Kinds" },
      ...["", ...GROUP_NAMES].map((name) => this.#chip(name)),
    );
    this.shelf = h("div", { class: "shelf" });
    this.status = h("p", { class: "quiet", role: "status" }, "Loading the puzzles …");
    this.search = h("input", {
      type: "search",
      placeholder: "Find a puzzle",
      "aria-label": "Find a puzzle",
      title: "The family, title, source or number of solutions",
      oninput: () => this.#count(),
    });
    this.fresh = h("a", { class: "button main", href: newPuzzle() }, "New puzzle");
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
    // so that they stay in this order, whatever comes first
    for (const name of Object.keys(FAMILIES)) this.#family(name);
    this.#count();
  }

  /** Show it where it was left. Returns what leaves it. */
  show(main) {
    document.title = "jigsat";
    this.own = own(this.engine, this.#papers);
    if (!this.featured.firstChild)
      this.featured.append(
        ...this.covers.cards((family, name) => ({
          href: name ? `#puzzle=${encodeURIComponent(name)}` : newPuzzle({ family }),
        })),
      );
    document.querySelector(".top .brand").after(this.begin);
    fill(main, this.intro, this.chips, this.below, this.own, this.featured, this.shelf);
    this.#count();
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
    for await (const message of this.engine.gallery(signal)) {
      if (signal.aborted) return;
      if (message.kind === "instance") {
        const shown = this.#cards.get(message.name);
        if (shown && message.svg) fill(shown.querySelector(".paper"), picture(message.svg, ""));
        else if (!shown) {
          this.#cards.set(message.name, card(message, this.covers));
          this.#family(message.family).append(this.#cards.get(message.name));
          this.#count();
        }
      } else if (message.kind !== "end") {
        this.status.textContent = message.message;
        return; // it is asked for again when it is shown next
      }
    }
    this.#loaded = true;
  }

  #count() {
    this.fresh.setAttribute("href", newPuzzle({ find: this.search.value.trim() }));
    const found = find(this.shelf, this.search.value, this.#chosen);
    this.featured.hidden = Boolean(this.search.value.trim() || this.#chosen);
    if (this.own) this.own.hidden = this.featured.hidden; // what was found is not below it
    for (const chip of this.chips.children) this.#tell(chip);
    const all = plural(this.#cards.size, "puzzle");
    const words = this.featured.hidden ? `${found || "No puzzle"} found among ${all}` : all;
    this.status.textContent = this.#cards.size ? words : "Loading the puzzles …";
  }

  #chip(name) {
    const words = [name || "All", " ", h("small", {})];
    return button(words, () => ((this.#chosen = name), this.#count()), { "data-chip": name });
  }

  /** Whether a group is chosen, and how many puzzles it has. */
  #tell(chip) {
    const { chip: name } = chip.dataset;
    chip.setAttribute("aria-pressed", String(name === this.#chosen));
    const kinds = [...this.shelf.children].filter(({ dataset }) => inGroup(dataset.family, name));
    const puzzles = kinds.reduce((sum, kind) => sum + kind.querySelectorAll("li").length, 0);
    chip.hidden = !kinds.length;
    fill(chip.lastChild, puzzles ? number(puzzles) : "");
  }

  /** The list of a family's puzzles. */
  #family(name) {
    const id = `family-${name}`;
    const found = this.shelf.querySelector(`#${CSS.escape(id)}`);
    if (found) return found;
    const list = h("ul", { class: "cards", id });
    this.shelf.append(
      h(
        "section",
        {
          "aria-labelledby": `${id}-title`,
          "data-family": name,
          style: hue(name),
          class: hasStones(name) && "stones",
        },
        h("h2", { id: `${id}-title` }, kindName(name)),
        list,
      ),
    );
    return list;
  }
}

function card({ name, title, family, source, svg, known: facts, puzzles }, covers) {
  const words = puzzles > 1 ? plural(puzzles, "puzzle") : brief(facts) || "not known";
  const searched =
    `${name} ${title} ${wordsOf(family)} ${source} ${known(facts, number).replaceAll(",", "")}`.toLowerCase();
  const paper = h("div", { class: "paper", "aria-hidden": "true" }, svg && picture(svg, ""));
  if (!onServer) covers.hang(paper, () => keptPicture(name));
  const link = { class: "card", href: `#puzzle=${encodeURIComponent(name)}`, "data-name": name };
  const names = JSON.stringify([name, title].map((each) => each.toLowerCase()));
  return h(
    "li",
    { "data-words": searched, "data-names": names },
    h("a", link, paper, h("strong", {}, title || name), h("span", { class: "quiet" }, words)),
    FAMILIES[family] && makeMore(name, title || name),
  );
}

const inGroup = (family, group) => !group || groupOf(family) === group;

/** Hide what is not searched for. */
function find(shelf, text, group) {
  const fits = searchFor(text);
  for (const item of shelf.querySelectorAll("li")) item.hidden = !fits(item.dataset.words);
  sort(shelf, text.trim().toLowerCase());
  for (const section of shelf.querySelectorAll("section"))
    section.hidden =
      !inGroup(section.dataset.family, group) || !section.querySelector("li:not([hidden])");
  return shelf.querySelectorAll("section:not([hidden]) li:not([hidden])").length;
}

/** Put first what has the name that is searched for, then what begins with it; without a search all
 * is in its own order. */
function sort(shelf, name) {
  const rank = (item) => {
    const names = JSON.parse(item.dataset.names);
    if (!name || !names.some((each) => each.startsWith(name))) return 2;
    return names.includes(name) ? 0 : 1;
  };
  const first = new Map(); // the best rank in each section
  for (const section of shelf.children) {
    const items = [...section.querySelectorAll("li")];
    first.set(section, Math.min(2, ...items.map(rank)));
    arrange(section.querySelector("ul"), items, rank);
  }
  arrange(shelf, [...shelf.children], (section) => first.get(section));
}

/** Put the children of an element into the order of their ranks, and those of one rank into the
 * order in which they came. */
function arrange(parent, children, rank) {
  children.forEach((child, i) => (child.dataset.came ??= i));
  const sorted = [...children].sort(
    (one, other) => rank(one) - rank(other) || one.dataset.came - other.dataset.came,
  );
  if (sorted.some((child, i) => child !== children[i])) parent.append(...sorted);
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
