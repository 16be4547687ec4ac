// Sharing: a button in the head of the puzzle says what can be sent, and does it when asked.

import { button, fill, h } from "../dom.js";
import { one, onServer } from "../engines/engine.js";
import { savePuzzle } from "../files.js";

const FILE =
  "The file holds the puzzle and what you played. Send it to your friends: they open it on any jigsat page with “Open a file”, which is on the first page, above the puzzles.";
const SITE = "The link of puzz.link holds the puzzle alone. It opens there, and in other programs.";
const HERE = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** The static page to which a server's links lead, if one is set, or else this page. */
const PUBLISHED = onServer ? document.documentElement.dataset.published : location.href;
const PAGE = PUBLISHED || location.href;
/** Whether nobody else can open a link to this page. */
const ALONE = !PUBLISHED && HERE.test(location.hostname);

/** Who can open a link to this page. */
function reach() {
  if (PUBLISHED) return "Whoever has it opens them at once.";
  return ALONE
    ? "But this page is on your machine alone: the link opens here, in any browser, until the server stops. To others, send the file."
    : "It opens on the machines that reach this server, until the server stops. It also lets them use the rest of this page, so send it only to people you trust.";
}

/** A button, and what it opens: a link to the puzzle with what was played, and the file of both. The
 * one that others can open is first. */
export function sharing(work) {
  const done = h("p", { role: "status" });
  const copy = h(
    "div",
    {},
    button("Copy link", copyLink, { id: "copy-link" }),
    h("p", { class: "quiet" }, `The link holds the puzzle and what you played. ${reach()}`),
  );
  const file = h(
    "div",
    {},
    button("Save the file, to send it", saveFile, { id: "send-file" }),
    h("p", { class: "quiet" }, FILE),
  );
  const site = h(
    "div",
    { hidden: true },
    button("Copy link of puzz.link", copySite, { id: "copy-site-link" }),
    h("p", { class: "quiet" }, SITE),
  );
  const box = h(
    "div",
    { id: "sharing", popover: "auto", class: "sharing" },
    ...(ALONE ? [file, copy] : [copy, file]),
    site,
    done,
  );
  const opener = button("Share", () => box.showPopover(), { id: "share" });
  box.addEventListener("toggle", ({ newState }) => {
    fill(done);
    if (newState !== "open") return;
    work
      .about(work.puzzle?.family)
      .then((about) => (site.hidden = !about?.formats.includes("puzz.link")), console.error);
  });

  async function saveFile() {
    await savePuzzle(work, { played: true });
    fill(done, "Saved.");
  }

  async function copyLink() {
    await work.settled;
    await work.link();
    await copyText(new URL(location.hash, PAGE).href);
  }

  async function copySite() {
    await work.settled;
    try {
      const { text } = await one(
        work.engine,
        { kind: "export", puzzle: work.source, format: "puzz.link" },
        "file",
      );
      await copyText(text.trim());
    } catch (error) {
      fill(done, error.message);
    }
  }

  async function copyText(link) {
    try {
      await navigator.clipboard.writeText(link);
      fill(done, "Copied.");
    } catch {
      fill(
        done,
        "The browser does not allow it. This is the link: ",
        h("a", { href: link }, "open it"),
        ", and copy its address.",
      );
    }
  }

  return { opener, box };
}
