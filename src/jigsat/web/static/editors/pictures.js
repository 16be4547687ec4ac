// Pictures of one's own on the things of a tray, such as tiles: image files are dropped on them, or
// chosen by a button. They become part of the puzzle, so they are drawn, saved and shared with it.

import { button, fill, h, select } from "../dom.js";
import { chooser, onCanvas } from "../files.js";
import { namesOf, pairsOf, thingOf } from "../things.js";

const PIXELS = 256; // of the longer side; a tile of 40 mm has 160 per inch

/** What hears of dropped files, as attributes of an element around the tray `entry`, and the fields
 * for choosing files. `hand.pictured` keeps which thing is chosen while the editor is drawn again.
 * */
export function pictures(data, entry, word, change, hand) {
  const names = namesOf(data[entry]);
  const problem = h("p", { class: "problem", role: "alert" });
  const options = [
    ["", `all ${word}s, in order`],
    ...names.map((name) => [name, `${word} ${name}`]),
  ];
  const which = select(options, names.includes(hand.pictured) ? hand.pictured : "", {
    "aria-label": "Which get pictures",
    onchange: () => ((hand.pictured = which.value), offer()),
  });
  const opener = chooser(
    "picture-files",
    "image/*",
    (files) => put(files, Math.max(0, names.indexOf(which.value))),
    { multiple: true },
  );
  const remover = button("", remove, { id: "remove-pictures" });

  /** Give things pictures, one after the other, from a thing on. */
  async function put(files, from) {
    fill(problem);
    const found = [];
    for (const file of [...files].slice(0, names.length - from)) {
      try {
        found.push([names[from + found.length], await shrink(file)]);
      } catch {
        fill(problem, `${file.name} is not a picture that this browser can read.`);
        return;
      }
    }
    if (!found.length) return;
    for (const [name, url] of found)
      wear(document.querySelector(`[data-thing="${CSS.escape(name)}"]`), url);
    change((now) => ({ ...now, pictures: new Map([...pairsOf(now.pictures ?? {}), ...found]) }), {
      redraw: true,
    });
  }

  /** Say from which things the button removes pictures. */
  function offer() {
    remover.textContent = which.value
      ? `Remove from ${word} ${which.value}`
      : `Remove from all ${word}s`;
    remover.hidden = which.value ? !thingOf(data.pictures, which.value) : !data.pictures;
  }
  offer();

  function remove() {
    const gone = which.value ? [which.value] : names;
    const left = ({ pictures: now = {} }) => pairsOf(now).filter(([name]) => !gone.includes(name));
    change((now) => ({ ...now, pictures: left(now).length ? new Map(left(now)) : undefined }), {
      redraw: true,
    });
  }

  function drop(event) {
    const thing = event.target.closest("[data-thing]");
    const { files } = event.dataTransfer;
    if (!files.length) return;
    event.preventDefault(); // the browser would open the file
    if (thing) put(files, names.indexOf(thing.dataset.thing));
  }

  /** Show which have pictures beside the buttons as well, because the tray may be far above them.
   * */
  const pictured = names.filter((name) => thingOf(data.pictures, name)?.startsWith("data:"));
  const thumbs = h(
    "div",
    { class: "row" },
    ...pictured.map((name) =>
      h(
        "figure",
        { class: "thumb" },
        h("img", { src: thingOf(data.pictures, name), alt: `${word} ${name}` }),
        h("figcaption", {}, name),
      ),
    ),
  );

  const words = `Drop image files on ${word}s, or choose them here. A picture covers the ${word} wherever it is drawn or printed; its name stays readable.`;
  const choice = h(
    "div",
    { class: "row" },
    which,
    h("label", { class: "button", for: "picture-files" }, "Choose pictures"),
    opener,
    remover,
  );
  const fields = h(
    "details",
    { id: "pictures" },
    h("summary", {}, "Your own pictures"),
    h("p", { class: "quiet" }, words),
    choice,
    thumbs,
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
