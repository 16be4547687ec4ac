// The gallery: all instances as pictures of unsolved puzzles, by family.

import { fill, h, picture, button } from "../dom.js";
import { drafts, forget, rename } from "../drafts.js";
import { save } from "../files.js";
import { cover, fragment } from "../link.js";
import { known, plural } from "../words.js";

let scrolled = 0; // where the gallery was left
let wanted = ""; // what was searched for

export function showGallery(main, engine) {
  document.title = "jigsat";
  const shelf = h("div", { class: "shelf" });
  const status = h("p", { class: "quiet", role: "status" }, "Loading the puzzles …");
  const search = h("input", { type: "search", placeholder: "Find a puzzle", "aria-label": "Find a puzzle", value: wanted, oninput: count });
  const opener = h("input", { type: "file", accept: ".toml,.txt,.sdk,.csv,text/plain", class: "unseen", id: "open-file", onchange: () => open(opener.files[0]) });
  fill(
    main,
    h(
      "section",
      { class: "intro" },
      h("h1", {}, "Puzzles"),
      h("p", {}, "Choose a puzzle to solve, change or print. Solutions that can be turned or mirrored into each other count as one."),
      h("div", { class: "row" }, search, h("a", { class: "button main", href: "#new" }, "New puzzle"), h("label", { class: "button", for: "open-file" }, "Open a file"), opener),
    ),
    own(),
    status,
    shelf,
  );
  const before = scrolled; // an empty shelf scrolls to the top
  let left = false;
  let number = 0;
  let loading = true;

  function count() {
    wanted = search.value;
    const found = find(shelf, wanted);
    const all = `${plural(number, "puzzle")}${loading ? " so far …" : ""}`;
    status.textContent = search.value.trim() ? `${found || "No puzzle"} found among ${all}` : all;
  }

  (async () => {
    for await (const message of engine.gallery()) {
      if (left) return;
      if (message.kind === "error" || message.kind === "stopped") status.replaceChildren(message.message);
      if (message.kind !== "instance") continue;
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
  shelf.append(h("section", { "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, name.replaceAll("-", " ")), list));
  return list;
}

function card({ name, title, family, source, svg, known: facts, puzzles }) {
  const words = [puzzles > 1 ? plural(puzzles, "puzzle") : known(facts) || "not known"].join(" ");
  return h(
    "li",
    { "data-words": `${name} ${title} ${family} ${family.replaceAll("-", " ")} ${source}`.toLowerCase() },
    h(
      "a",
      { class: "card", href: `#puzzle=${encodeURIComponent(name)}`, "data-name": name },
      h("div", { class: "paper", "aria-hidden": "true" }, svg ? picture(svg, "") : h("img", { src: cover(name), alt: "", loading: "lazy" })),
      h("strong", {}, title || name),
      h("span", { class: "quiet" }, words),
    ),
  );
}

function find(shelf, text) {
  const wanted = text.trim().toLowerCase();
  for (const item of shelf.querySelectorAll("li")) item.hidden = !item.dataset.words.includes(wanted);
  for (const section of shelf.querySelectorAll("section")) section.hidden = !section.querySelector("li:not([hidden])");
  return shelf.querySelectorAll("li:not([hidden])").length;
}

/** The puzzles that were edited in this browser. */
function own() {
  const kept = drafts();
  if (!kept.length) return null;
  const list = h("ul", { class: "drafts" });
  for (const { id, title, name = title, family, text, time } of kept) {
    const when = new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const entry = h("input", { value: name, maxlength: 80, onchange: () => (rename(id, (entry.value = entry.value.trim() || title)), label()) });
    const parts = { Name: entry, Open: button("Open", () => go(text)), Forget: button("Forget", () => (forget(id), item.remove())) };
    const label = () => Object.entries(parts).forEach(([what, part]) => part.setAttribute("aria-label", `${what} ${entry.value}`));
    label();
    const item = h("li", {}, entry, parts.Open, h("span", { class: "quiet" }, `${family}, ${when}`), parts.Forget);
    list.append(item);
  }
  const all = button("Save all", () => drafts().forEach(({ title, name = title, text }, i) => save(`${i + 1} ${name.replace(/[^\p{L}\p{N} -]/gu, "")}.toml`, "application/toml", text)));
  return h("section", { "aria-labelledby": "own" }, h("h2", { id: "own" }, "Yours"), list, all);
}

async function go(text) {
  location.hash = await fragment({ text });
}

async function open(file) {
  if (file) go(await file.text());
}
