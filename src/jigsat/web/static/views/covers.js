// Covers of the families: one solved puzzle of each.

import { fill, h, picture } from "../dom.js";
import { FAMILIES } from "../editors/begin.js";
import { one, onServer } from "../engines/engine.js";

/** A card for each family; `attributes(family, its cover)` are those of its link. */
export function familyCards(engine, attributes, left) {
  const covers = Object.entries(FAMILIES).map(([family, { title, words, cover }]) => {
    const paper = h("div", { class: "paper", "aria-hidden": "true" }, !onServer && h("img", { src: `covers/solved/${cover}.svg`, alt: "" }));
    return { cover, paper, card: h("li", {}, h("a", { class: "card", ...attributes(family, cover) }, paper, h("strong", {}, title), h("span", { class: "quiet" }, words))) };
  });
  if (onServer) solve(engine, covers, left).catch(console.error);
  return covers.map(({ card }) => card);
}

/** A server solves them one after the other; a static site has their pictures. */
async function solve(engine, covers, left) {
  for (const { cover, paper } of covers) {
    const { svg } = await one(engine, { kind: "solve", puzzle: { name: cover }, limit: 1, drawn: 1 }, "solution");
    if (left()) return;
    fill(paper, picture(svg, ""));
  }
}
