// Choosing, saving and drawing files.

import { h } from "./dom.js";

/** A field for choosing files, for which a label can stand; `use` gets what was chosen. */
export function chooser(id, accept, use, attributes = {}) {
  return h("input", { type: "file", class: "unseen", id, accept, ...attributes, onchange });

  function onchange({ target }) {
    const files = [...target.files];
    target.value = ""; // or the same file could not be chosen again
    if (files.length) use(files);
  }
}

/** Before what was played, in a comment, so that other programs read the puzzle alone. */
const PLAYED = "# played: ";

/** The endings and types of files that hold a puzzle. */
export const PUZZLES = ".toml,.txt,.sdk,.csv,text/plain";

/** Save a file; one of bytes has a character for each. */
export function save(name, type, content) {
  const bytes = type === "application/octet-stream";
  const data = bytes ? Uint8Array.from(content, (each) => each.charCodeAt(0)) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What the file of a puzzle is called, without its ending: by its title, or by the instance that
 * it is. */
export function fileName({ name, puzzle }) {
  return (
    name ??
    ((puzzle?.title ?? "").replace(/[^\p{L}\p{N} -]/gu, "").trim() || puzzle?.family || "puzzle")
  );
}

/** Save the file of the puzzle at hand, perhaps with what was `played`. */
export async function savePuzzle(work, { played = false } = {}) {
  await work.settled;
  const text = played && work.played ? `${PLAYED}${work.played}\n${work.text}` : work.text;
  save(`${fileName(work)}.toml`, "application/toml", text);
}

/** What a file holds: the text of the puzzle, and what was played if its first line tells it. */
export function puzzleIn(text) {
  if (!text.startsWith(PLAYED)) return { text };
  const [first, ...lines] = text.split(/\r?\n/);
  return { text: lines.join("\n"), played: first.slice(PLAYED.length) };
}

/** An image on a white canvas; its longer side has this many pixels. */
export async function onCanvas(url, pixels) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = pixels / Math.max(image.naturalWidth, image.naturalHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** An SVG document drawn on a canvas; its longer side has this many pixels. */
export async function drawn(svg, pixels) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [, , width, height] = (root.getAttribute("viewBox") ?? "0 0 100 100")
    .split(/[\s,]+/)
    .map(Number);
  const scale = pixels / Math.max(width, height);
  root.setAttribute("width", String(width * scale));
  root.setAttribute("height", String(height * scale));
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" }),
  );
  try {
    return await onCanvas(url, pixels);
  } finally {
    URL.revokeObjectURL(url);
  }
}

export async function savePng(name, svg) {
  const canvas = await drawn(svg, 2000);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  save(name, "image/png", blob);
}
