// The steps in which a solid is put together in 3-D: each has its part, the direction from which
// that comes, and words.

import { Vector3 } from "../vendor/three.module.js";
import { areAssembled, describeBlock, describeFace, orderOf } from "./assembly.js";
import { middle } from "./folding.js";

/** The directions from which blocks are put in. */
const DIRECTIONS = {
  "from above": new Vector3(0, 1, 0),
  "from the front": new Vector3(0, 0, 1),
  "from the right": new Vector3(1, 0, 0),
  "from behind": new Vector3(0, 0, -1),
  "from the left": new Vector3(-1, 0, 0),
};

export function blockSteps({ blocks, ways }) {
  return ways.map((way, part) => ({
    part,
    out: DIRECTIONS[way],
    title: blocks[part].piece,
    words: describeBlock(blocks[part], way),
  }));
}

/** A point of three.js as one of jigsat's boards. */
const pointOf = ({ x, y, z }) => [x, -y, -z];

/** The steps for faces; none unless all faces have pieces. */
export function faceSteps(faces, normals, placements) {
  if (!areAssembled(faces)) return [];
  return orderOf(faces.map(({ points }) => middle(points))).map((part) => ({
    part,
    out: normals[part],
    title: faces[part].piece,
    words: describeFace({ ...faces[part], points: faces[part].points.map(pointOf) }, placements),
  }));
}
