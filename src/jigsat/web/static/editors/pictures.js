// Pictures of one's own on the things of a tray, such as tiles: image files are dropped on them, or chosen by a button. They become
// part of the puzzle, so they are drawn, saved and shared with it.

import { button, fill, h, select } from "../dom.js";
import { onCanvas } from "../files.js";

const PIXELS = 256; // of the longer side; a tile of 40 mm has 160 per inch

/** What hears of dropped files, as attributes of an element around the tray `entry`, and the fields for choosing files. */
export function pictures(data, entry, word, change) {
  const names = Object.keys(data[entry]);
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const which = select([["0", `all ${word}s, in order`], ...names.map((name, i) => [String(i), `${word} ${name}`])], "0", { "aria-label": "Which get pictures" });
  const chooser = h("input", { type: "file", accept: "image/*", multiple: true, class: "unseen", id: "picture-files", onchange: () => put(chooser.files, which.selectedIndex ? Number(which.value) : 0) });

  /** Give things pictures, one after the other, from a thing on. */
  async function put(files, from) {
    problem.hidden = true;
    const found = [];
    for (const file of [...files].slice(0, names.length - from)) {
      try {
        found.push([names[from + found.length], await shrink(file)]);
      } catch {
        problem.textContent = `${file.name} is not a picture that this browser can read.`;
        problem.hidden = false;
        return;
      }
    }
    if (!found.length) return;
    for (const [name, url] of found) wear(document.querySelector(`[data-thing="${CSS.escape(name)}"]`), url);
    change((now) => ({ ...now, pictures: { ...now.pictures, ...Object.fromEntries(found) } }), { redraw: true });
    show({ ...data.pictures, ...Object.fromEntries(found) });
  }

  function remove() {
    const gone = which.selectedIndex ? [names[Number(which.value)]] : names;
    const left = ({ pictures: now = {} }) => Object.entries(now).filter(([name]) => !gone.includes(name));
    change((now) => ({ ...now, pictures: left(now).length ? Object.fromEntries(left(now)) : undefined }), { redraw: true });
  }

  function drop(event) {
    const thing = event.target.closest("[data-thing]");
    const { files } = event.dataTransfer;
    if (!files.length) return;
    event.preventDefault(); // the browser would open the file
    if (thing) put(files, names.indexOf(thing.dataset.thing));
  }

  /** Show which have pictures beside the buttons as well, because the tray may be far above them. */
  const shown = h("div", { class: "row" });
  function show(all = {}) {
    const pictured = names.filter((name) => all[name]?.startsWith("data:"));
    fill(shown, ...pictured.map((name) => h("img", { src: all[name], alt: `${word} ${name}`, title: `${word} ${name}`, class: "thumb" })));
  }
  show(data.pictures);

  const fields = h(
    "details",
    { id: "pictures" },
    h("summary", {}, "Your own pictures"),
    h("p", { class: "quiet" }, `Drop image files on ${word}s, or choose them here. A picture covers the whole ${word} when it is drawn and printed.`),
    h("div", { class: "row" }, which, h("label", { class: "button", for: "picture-files" }, "Choose pictures"), chooser, data.pictures && button("Remove", remove, { "aria-label": "Remove pictures" })),
    shown,
    problem,
  );
  return { drop: { ondragover: (event) => event.preventDefault(), ondrop: drop }, fields };
}

/** Show the picture of a thing in the tray. */
export function wear(element, url) {
  element.toggleAttribute("data-pictured", Boolean(url));
  if (url) element.style.setProperty("--picture", `url(${url})`);
}

/** An image file as a small JPEG picture in a data URL. */
async function shrink(file) {
  const url = URL.createObjectURL(file);
  try {
    return (await onCanvas(url, PIXELS)).toDataURL("image/jpeg", 0.85);
  } finally {
    URL.revokeObjectURL(url);
  }
}
