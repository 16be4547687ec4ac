// The gallery: one solved puzzle of each family, then all instances as pictures of unsolved puzzles, by family.

import { fill, h, picture, button } from "../dom.js";
import { drafts, forget, rename, restore } from "../drafts.js";
import { one } from "../engines/engine.js";
import { save } from "../files.js";
import { cover, fragment } from "../link.js";
import { familyCards } from "./covers.js";
import { known, plural } from "../words.js";

let scrolled = 0; // where the gallery was left
let wanted = ""; // what was searched for
let chosen = ""; // the family that is shown, or '' for all

export function showGallery(main, engine) {
  document.title = "jigsat";
  let left = false;
  const cards = familyCards(engine, (_, name) => ({ href: `#puzzle=${encodeURIComponent(name)}` }), () => left);
  const featured = h("ul", { class: "cards", id: "featured", "aria-label": "One solved puzzle of each kind" }, ...cards);
  const chips = h("div", { class: "row chips", role: "group", "aria-label": "Families" });
  const shelf = h("div", { class: "shelf" });
  const status = h("p", { class: "quiet", role: "status" }, "Loading the puzzles …");
  const search = h("input", { type: "search", placeholder: "Find a puzzle", "aria-label": "Find a puzzle", title: "The family, title, source or number of solutions", value: wanted, oninput: count });
  const opener = h("input", { type: "file", accept: ".toml,.txt,.sdk,.csv,text/plain", class: "unseen", id: "open-file", onchange: () => open(opener.files[0]) });
  fill(
    main,
    h(
      "section",
      { class: "intro" },
      h("h1", {}, "Puzzles"),
      h("p", {}, "Choose a puzzle to play, solve, change or print, or make your own. Solutions that can be turned or mirrored into each other count as one."),
      h("div", { class: "row" }, h("a", { class: "button main", href: "#new" }, "New puzzle"), h("label", { class: "button", for: "open-file" }, "Open a file"), opener),
    ),
    own(engine),
    featured,
    h("div", { class: "row finder" }, search, chips),
    status,
    shelf,
  );
  const before = scrolled; // an empty shelf scrolls to the top
  let number = 0;
  let loading = true;

  function count() {
    wanted = search.value;
    const found = find(shelf, wanted, chosen);
    featured.hidden = Boolean(wanted.trim() || chosen);
    for (const chip of chips.children) chip.setAttribute("aria-pressed", String(chip.dataset.chip === chosen));
    const all = `${plural(number, "puzzle")}${loading ? " so far …" : ""}`;
    status.textContent = featured.hidden ? `${found || "No puzzle"} found among ${all}` : all;
  }

  const chip = (name, words) => button(words, () => ((chosen = name), count()), { "data-chip": name });

  (async () => {
    for await (const message of engine.gallery()) {
      if (left) return;
      if (message.kind === "error" || message.kind === "stopped") status.replaceChildren(message.message);
      if (message.kind !== "instance") continue;
      if (!chips.firstChild) chips.append(chip("", "All"));
      if (!shelf.querySelector(`#${CSS.escape(`family-${message.family}`)}`)) chips.append(chip(message.family, message.family.replaceAll("-", " ")));
      family(shelf, message.family).append(card(message));
      number++;
      count();
    }
    loading = false;
    if (number) count();
    if (!left && before) scrollTo(0, before);
  })();

  const remember = () => (scrolled = scrollY);
  addEventListener("scroll", remember);
  addEventListener("click", remember, { capture: true }); // before the event of a scroll that just ended
  return () => {
    left = true;
    removeEventListener("scroll", remember);
    removeEventListener("click", remember, { capture: true });
  };
}

function family(shelf, name) {
  const id = `family-${name}`;
  const found = shelf.querySelector(`#${CSS.escape(id)}`);
  if (found) return found;
  const list = h("ul", { class: "cards", id });
  shelf.append(h("section", { "aria-labelledby": `${id}-title`, "data-family": name }, h("h2", { id: `${id}-title` }, name.replaceAll("-", " ")), list));
  return list;
}

function card({ name, title, family, source, svg, known: facts, puzzles }) {
  const words = [puzzles > 1 ? plural(puzzles, "puzzle") : known(facts) || "not known"].join(" ");
  return h(
    "li",
    { "data-words": `${name} ${title} ${family} ${family.replaceAll("-", " ")} ${source} ${known(facts).replaceAll(",", "")}`.toLowerCase() },
    h(
      "a",
      { class: "card", href: `#puzzle=${encodeURIComponent(name)}`, "data-name": name },
      h("div", { class: "paper", "aria-hidden": "true" }, svg ? picture(svg, "") : h("img", { src: cover(name), alt: "", loading: "lazy" })),
      h("strong", {}, title || name),
      h("span", { class: "quiet" }, words),
    ),
  );
}

/** Hide what is not searched for: all words must occur, and a number must stand alone. */
function find(shelf, text, family) {
  const terms = text.toLowerCase().replace(/(?<=\d),(?=\d)/g, "").split(/\s+/).filter(Boolean);
  const occurs = (words, term) => (/^\d+$/.test(term) ? new RegExp(`(?<!\\d)${term}(?!\\d)`).test(words) : words.includes(term));
  for (const item of shelf.querySelectorAll("li")) item.hidden = !terms.every((term) => occurs(item.dataset.words, term));
  for (const section of shelf.querySelectorAll("section")) section.hidden = (family && section.dataset.family !== family) || !section.querySelector("li:not([hidden])");
  return shelf.querySelectorAll("section:not([hidden]) li:not([hidden])").length;
}

/** The puzzles that were edited in this browser. */
function own(engine) {
  const kept = drafts();
  if (!kept.length) return null;
  const list = h("ul", { class: "drafts" });
  const drawn = []; // one after the other, so that a server is not asked for all at once
  for (const draft of kept) {
    const { id, title, name = title, family, text, time } = draft;
    const when = new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const paper = h("div", { class: "paper", "aria-hidden": "true" });
    const entry = h("input", { value: name, maxlength: 80, onchange: () => (rename(id, (entry.value = entry.value.trim() || title)), label()) });
    const parts = { Name: entry, Open: button("Open", () => go(text)), Delete: button("Delete", remove) };
    const label = () => Object.entries(parts).forEach(([what, part]) => part.setAttribute("aria-label", `${what} ${entry.value}`));
    label();
    const whole = [paper, entry, parts.Open, h("span", { class: "quiet" }, `${family.replaceAll("-", " ")}, ${when}`), parts.Delete];
    const item = h("li", {}, ...whole);
    list.append(item);
    drawn.push(async () => fill(paper, picture((await one(engine, { kind: "load", puzzle: { text } }, "puzzle")).svg, "")));

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
  const all = button("Save all", () => drafts().forEach(({ title, name = title, text }, i) => save(`${i + 1} ${name.replace(/[^\p{L}\p{N} -]/gu, "")}.toml`, "application/toml", text)));
  return h("section", { "aria-labelledby": "own" }, h("h2", { id: "own" }, "Yours"), list, all);
}

async function go(text) {
  location.hash = await fragment({ text });
}

async function open(file) {
  if (file) go(await file.text());
}
