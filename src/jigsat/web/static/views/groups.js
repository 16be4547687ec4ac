// The groups of kinds in the gallery.

const GROUPS = {
  "Pieces and solids": ["edge-matching", "interlocking", "tiling"],
  Numbers: [
    "sudoku",
    "latin",
    "binairo",
    "calcudoku",
    "fillomino",
    "futoshiki",
    "hidato",
    "kakuro",
    "killer-sudoku",
    "ripple-effect",
    "skyscrapers",
    "straights",
    "suguru",
  ],
  "Lines and areas": [
    "galaxies",
    "hashi",
    "masyu",
    "numberlink",
    "shikaku",
    "slant",
    "slitherlink",
    "yajilin",
  ],
  "Shaded cells": [
    "aqre",
    "aquarium",
    "heyawake",
    "hitori",
    "kuromasu",
    "lits",
    "mosaic",
    "nonogram",
    "norinori",
    "nurikabe",
    "yin-yang",
  ],
  "Lights and signs": ["akari", "lights-out", "magnets", "minesweeper", "star-battle", "tents"],
  "Words and people": ["crossword", "seating"],
};

/** Where the kinds are that are in no other group, such as those from outside. */
const OTHERS = "Others";

export const GROUP_NAMES = [...Object.keys(GROUPS), OTHERS];

export const groupOf = (family) =>
  Object.keys(GROUPS).find((name) => GROUPS[name].includes(family)) ?? OTHERS;
