// Starts the page: the engine, the progress bar, and the view that the URL names.

import { announce, fill, h } from "./dom.js";
import { createEngine, onServer } from "./engines/engine.js";
import { showBegin } from "./views/begin.js";
import { Covers } from "./views/covers.js";
import { Gallery } from "./views/gallery.js";
import { named } from "./link.js";

const AHEAD = 1000; // milliseconds after which the views of a puzzle are loaded in advance

const main = document.getElementById("main");
const engine = createEngine(loading);
const covers = new Covers(engine);
const gallery = new Gallery(engine, covers);
let leave = () => {};
let asked = 0; // how often a view was asked for

function loading({ fraction, words = "", failed = "" }) {
  const box = document.getElementById("loading");
  box.hidden = fraction === 1;
  box.classList.toggle("problem", failed !== "");
  /** @type {HTMLProgressElement} */ (document.getElementById("loading-bar")).value = fraction;
  document.getElementById("loading-words").textContent = failed || words;
  document.documentElement.dataset.ready = String(fraction === 1);
  // A server's answers and its links with tokens must not be kept, so only the static site works
  // offline. Its files are kept when the engine is ready, not before: the engine needs the network
  // first.
  if (fraction === 1) navigator.serviceWorker?.register("sw.js").catch(() => {});
}

/** The views of a puzzle are two thirds of the page's code. They are loaded when a puzzle is opened,
 * or in advance when the gallery is there. */
async function loadPuzzleView() {
  try {
    return await import("./views/puzzle.js");
  } catch {
    throw new Error("Parts of the page could not be loaded. Load the page again.");
  }
}

async function show() {
  const mine = ++asked;
  leave();
  leave = () => {};
  covers.stop();
  if (location.hash.length > 1) scrollTo(0, 0); // the gallery scrolls to where it was left
  try {
    const wanted = await named(location.hash, history.state?.text);
    const view = wanted && !wanted.begin && (await loadPuzzleView());
    if (mine !== asked) return; // another one was asked for meanwhile
    if (view) leave = view.showPuzzle(main, engine, covers, wanted);
    else leave = wanted ? showBegin(main, engine, covers, wanted.begin) : gallery.show(main);
    if (!view) setTimeout(() => loadPuzzleView().catch(console.warn), AHEAD);
  } catch (error) {
    fill(
      main,
      h("p", { class: "problem", role: "alert" }, error.message),
      h("p", {}, h("a", { href: "#" }, "Go to the gallery")),
    );
  }
}

addEventListener("hashchange", () => {
  announce("");
  show().then(() => main.focus({ preventScroll: true }));
});
const isField = (target) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
const TYPED = "input:not([type], [readonly]), [type=number], [type=text]";
// What is typed into a field replaces its text. A press that brings the focus would put the caret
// into the text after that. The first key may come even sooner than the selection.
let unselected = null;
function selectText() {
  if (unselected === document.activeElement) unselected?.select();
  unselected = null;
}
addEventListener("focusin", ({ target }) => {
  if (!isField(target) || !target.matches(TYPED)) return;
  unselected = target;
  setTimeout(selectText);
});
addEventListener("keydown", selectText, { capture: true });
// Escape gives a name back that it had when one began to type.
const NAMES = ".thing input, .drafts textarea, .title";
let nameBefore = "";
addEventListener("focusin", ({ target }) => {
  if (isField(target) && target.matches(NAMES)) nameBefore = target.value;
});
addEventListener("keydown", ({ key, target }) => {
  if (key !== "Escape" || !isField(target) || !target.matches(NAMES)) return;
  target.value = nameBefore;
  target.setCustomValidity("");
  target.dispatchEvent(new Event("input", { bubbles: true })); // what was typed has counted already
  target.blur();
});
document.documentElement.dataset.ready = String(onServer);
history.scrollRestoration = "manual"; // the gallery knows where it was left
show();
