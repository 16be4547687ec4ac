// The puzzle in the URL's fragment: `#puzzle=cube`, or `#text=…` with a compressed file. The
// fragment never reaches a server.

const MOST_BYTES = 2 ** 24; // of a text, as of an instance

async function through(stream, bytes) {
  let left = MOST_BYTES;
  const limited = new TransformStream({
    transform: (part, to) =>
      (left -= part.length) < 0 ? to.error(new RangeError("too large")) : to.enqueue(part),
  });
  const passed = new Blob([bytes]).stream().pipeThrough(stream).pipeThrough(limited);
  try {
    return new Uint8Array(await new Response(passed).arrayBuffer());
  } catch (error) {
    if (left < 0) throw new RangeError("too large", { cause: error }); // some browsers tell another error
    throw error;
  }
}

async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text in a link. Throws an Error that says what is wrong with the link. */
async function unpacked(code) {
  const wrong = code.search(/[^\w-]/);
  if (wrong >= 0)
    throw new Error(
      `The link is damaged: character ${wrong + 1} after “text=” is “${code[wrong]}”; expected a letter, a digit, - or _. Copy the whole link once more.`,
    );
  try {
    const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
  } catch (error) {
    const words =
      error instanceof RangeError
        ? "The puzzle in this link is too large: it has more than 16 MB."
        : `The link is damaged or cut off: after “text=” it has ${code.length} characters, which are not a whole puzzle. Copy the whole link once more.`;
    throw new Error(words, { cause: error });
  }
}

/** The picture of an instance, which a static site has as a file. */
export async function keptPicture(name, folder = "covers") {
  const response = await fetch(`${folder}/${encodeURIComponent(name)}.svg`);
  if (!response.ok) throw new Error(`There is no picture of ${name}.`);
  return response.text();
}

/** The address of an instance. */
export const instanceLink = (name) => `#puzzle=${encodeURIComponent(name)}`;

/** The fragment for a puzzle: an instance by its name, any other by its text.
 * @param {{name?: string, number?: number, text?: string, tab?: string, played?: string, kind?: boolean}} puzzle
 * With `kind`, it is an example of its kind. */
export async function fragment({ name, number, text, tab, played, kind }) {
  const entries = new URLSearchParams();
  if (text !== undefined) entries.set("text", await packed(text));
  else entries.set("puzzle", name);
  if (text === undefined && number > 1) entries.set("number", String(number));
  if (tab && tab !== "play") entries.set("tab", tab);
  if (played) entries.set("played", played);
  if (kind) entries.set("kind", "");
  return `#${entries}`;
}

/** The fragment for a new puzzle of a family, or of one that is still to be chosen, perhaps by words
 * that it is searched for with. */
export function newPuzzle({ family = "", find = "" } = {}) {
  const entries = new URLSearchParams({ new: family, ...(find && { find }) });
  return `#${entries}`.replace(/new=$/, "new");
}

/** What a fragment names; null for the gallery, `begin` for a new puzzle of a family that may be
 * chosen already, or is searched for with the words `find`. What was edited here since it was
 * written, the text `newer`, goes first. Throws an Error if the link is damaged. */
export async function named(hash, newer) {
  const entries = new URLSearchParams(hash.replace(/^#/, ""));
  const tab = entries.get("tab") ?? "play";
  const played = entries.get("played") ?? undefined;
  if (newer !== undefined) return { text: newer, tab, played };
  if (entries.has("text")) return { text: await unpacked(entries.get("text")), tab, played };
  if (entries.has("new"))
    return { begin: { family: entries.get("new"), find: entries.get("find") ?? "" } };
  if (!entries.has("puzzle")) return null;
  return {
    name: entries.get("puzzle"),
    number: Number(entries.get("number") ?? 1) || 1,
    tab,
    played,
    kind: entries.has("kind"),
  };
}
