// What is wrong with an entry, said beside the field that shows it.

import { h } from "../dom.js";

const FIELDS = "input, select, textarea";
const HOLDERS = ".thing, .pieces, li"; // a message about one of these is put inside it

/** Mark an element as the one that shows the entry at a path. */
export const showsEntry = (element, ...path) => {
  element.dataset.entry = JSON.stringify(path);
  return element;
};

const pathOf = (element) => JSON.parse(element.dataset.entry).map(String);

/** How many steps two paths have in common; 0 if neither leads through the other. */
function common(one, other) {
  const shorter = Math.min(one.length, other.length);
  return one.slice(0, shorter).every((step, i) => step === other[i]) ? shorter : 0;
}

/** The element in some places that shows the entry at a path, or a part of it, or what is around it.
 * Among equally good ones it is that of the entry that was changed `last`. */
function elementOf(places, path, last) {
  const all = places.flatMap((place) => [...place.querySelectorAll("[data-entry]")]);
  const fitting = all.filter((element) => common(pathOf(element), path));
  const best = Math.max(...fitting.map((element) => common(pathOf(element), path)));
  const nearest = fitting.filter((element) => common(pathOf(element), path) === best);
  return nearest.find((element) => element.dataset.entry === last) ?? nearest[0];
}

/** A message without the path with which it begins, or without that of what is around the entry. */
function withoutPlace(words, path) {
  const around = path.slice(0, -1).join(".");
  const known = [`${path.join(".")}: `, ...(around ? [`${around}: `, `${around}.`] : [])];
  const beginning = known.find((prefix) => words.startsWith(prefix));
  return words.slice(beginning?.length ?? 0);
}

/** What is wrong with the entries that some places show. */
export class Faults {
  #message = h("p", { class: "problem", role: "alert", id: "entry-problem" });
  #marked = null;

  constructor(places) {
    this.places = Object.values(places);
  }

  /** Nothing is wrong. */
  clear() {
    this.#message.remove();
    this.#message.textContent = "";
    for (const name of ["aria-invalid", "aria-describedby"]) this.#marked?.removeAttribute(name);
    this.#marked = null;
  }

  /** What is said beside a field; "" if nothing is. */
  get said() {
    return this.#message.textContent;
  }

  /** Nothing is said of a field in which one types: that may be true no longer. */
  spare(field) {
    if (field === this.#marked) this.clear();
  }

  /** Say what is wrong beside the entry at a path. Returns whether there is such a field. The message
   * is scrolled to only if the entry is `touched`, the one in whose field somebody clicked or typed
   * last: nothing else may move under the hand. */
  tell(path, words, last, touched) {
    const before = this.#message.textContent;
    this.clear();
    const element = path.length ? elementOf(this.places, path, last) : undefined;
    if (!element) return false;
    this.#marked = element;
    element.setAttribute("aria-describedby", this.#message.id);
    if (element.matches(FIELDS)) element.setAttribute("aria-invalid", "true");
    this.#message.textContent = withoutPlace(words, path);
    for (let folded = element.closest("details"); folded; folded = above(folded))
      folded.open = true;
    if (element.matches(HOLDERS)) element.append(this.#message);
    else (element.closest(".field") ?? element).after(this.#message);
    if (before !== this.#message.textContent && touched === element.dataset.entry)
      this.#message.scrollIntoView({ block: "nearest" });
    return true;
  }
}

const above = (element) => element.parentElement?.closest("details");
