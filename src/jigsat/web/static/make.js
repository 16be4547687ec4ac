// Making: generate puzzles, print, and download.

import { button, fill, h } from "./dom.js";
import { save, savePng } from "./files.js";

export function makePanel(panel, work, stage) {
  const name = () => work.puzzle?.name || "puzzle";
  const status = h("p", { role: "status", class: "quiet" });
  fill(
    panel,
    h("h2", {}, "Download"),
    h(
      "div",
      { class: "row" },
      button("SVG", () => save(`${name()}.svg`, "image/svg+xml", stage.svg), { id: "save-svg" }),
      button("PNG", () => savePng(`${name()}.png`, stage.svg), { id: "save-png" }),
      button("TOML", () => save(`${name()}.toml`, "application/toml", work.text), { id: "save-toml" }),
    ),
    status,
  );
  return {};
}
