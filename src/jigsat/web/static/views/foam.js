// Thick pieces: their outlines with teeth, and their bodies.

import {
  BufferGeometry,
  Float32BufferAttribute,
  ShapeUtils,
  Vector2,
  Vector3,
} from "../vendor/three.module.js";
import { middle } from "./folding.js";

const DRAWN = 0.955; // the part of a face that the picture of a toothed piece fills
const THIN = 0.06; // the thickness of a face without teeth, as a fraction of a side

/** The body of a face: its outer side with the texture's coordinates, its walls and its inner side.
 * The groups 0 and 1 are the outer side and the rest; `userData.edges` are its edges, from point to
 * point. `teeth` is null or {size, rim}, the rim as it lies, clockwise from the first corner.  The
 * middle of a piece with teeth lies on its face, and its teeth reach half their length beyond the
 * sides. So the teeth of two pieces fill the same space around the side at which they meet, whether
 * the solid is convex, flat or concave there. */
export function body(points, net, normal, teeth) {
  const apothem =
    middle(points).distanceTo(middle(points.slice(0, 2))) / points[0].distanceTo(points[1]);
  const grown = teeth ? grow(points, 1 / (1 - 1 / (2 * apothem * teeth.size))) : points;
  const side = grown[0].distanceTo(grown[1]);
  const inset = teeth && Math.max(0.35, 1 - 1 / teeth.size / apothem); // of the gaps' inner corners
  const weighted = bends(
    teeth ? outline(points.length, teeth, inset) : points.map((_, i) => [[i, 1]]),
    grown,
  );
  const depth = side * (teeth ? 1 / teeth.size : THIN);
  const outer = weighted.map((weights) =>
    blend(grown, weights).addScaledVector(normal, teeth ? depth / 2 : 0),
  );
  const uv = weighted.map((weights) => blendPlane(teeth ? shrunk(net) : net, weights));
  const inner = outer.map((point) => point.clone().addScaledVector(normal, -depth));
  const triangles = ShapeUtils.triangulateShape(planar(outer, normal), []);
  const positions = [];
  const texture = [];
  const put = (list, i) => {
    positions.push(...list[i]);
    texture.push(...uv[i]);
  };
  for (const [a, b, c] of triangles) for (const i of [a, c, b]) put(outer, i);
  const top = positions.length / 3;
  for (const [a, b, c] of triangles) for (const i of [a, b, c]) put(inner, i);
  outer.forEach((_, i) => {
    const j = (i + 1) % outer.length;
    for (const [list, k] of [
      [outer, i],
      [outer, j],
      [inner, i],
      [outer, j],
      [inner, j],
      [inner, i],
    ])
      put(list, k);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(texture, 2));
  geometry.addGroup(0, top, 0);
  geometry.addGroup(top, positions.length / 3 - top, 1);
  geometry.computeVertexNormals();
  geometry.userData.corners = grown;
  geometry.userData.edges = outer.flatMap((point, i) => [
    point,
    outer.at(i - 1),
    inner[i],
    inner.at(i - 1),
    point,
    inner[i],
  ]);
  return geometry;
}

function grow(points, factor) {
  const centre = middle(points);
  return points.map((point) => centre.clone().lerp(point, factor));
}

/** The outline of a piece: for each of its points the weights of the corners of its face. */
function outline(sides, { size, rim }, inset) {
  const found = [];
  const along = (s, fraction) => [
    [s, 1 - fraction],
    [(s + 1) % sides, fraction],
  ];
  const inside = (s, fraction) => {
    const weights = Array.from({ length: sides }, (_, i) => [i, (1 - inset) / sides]);
    for (const [corner, weight] of along(s, fraction)) weights[corner][1] += weight * inset;
    return weights;
  };
  for (let s = 0; s < sides; s++) {
    const teeth = rim.slice(s * (size - 1), (s + 1) * (size - 1));
    if (teeth[0])
      found.push(along((s + sides - 1) % sides, 1 - 1 / size), along(s, 0), along(s, 1 / size));
    else found.push(inside(s, 0));
    teeth.slice(1).forEach((tooth, i) => {
      if (tooth) found.push(along(s, (i + 1) / size), along(s, (i + 2) / size));
      else found.push(inside(s, i / (size - 2)), inside(s, (i + 1) / (size - 2)));
    });
  }
  const same = (a, b) =>
    Array.from({ length: sides }, (_, i) => Math.abs(weight(a, i) - weight(b, i))).every(
      (d) => d < 1e-6,
    );
  return found.filter((weights, i) => !same(weights, found[(i + 1) % found.length]));
}

/** The points of an outline at which it bends. */
function bends(weighted, corners) {
  const at = weighted.map((weights) => blend(corners, weights));
  const step = (i, j) => at[j % at.length].clone().sub(at[i]).normalize();
  return weighted.filter(
    (_, i) => step((i + at.length - 1) % at.length, i).dot(step(i, i + 1)) < 1 - 1e-6,
  );
}

const weight = (weights, corner) =>
  weights.reduce((sum, [i, weight]) => sum + (i === corner ? weight : 0), 0);

const blend = (points, weights) =>
  weights.reduce((sum, [i, weight]) => sum.addScaledVector(points[i], weight), new Vector3());

/** Pictures of pieces leave a narrow gap between them, which must not become part of a face. */
function shrunk(net) {
  const centre = blendPlane(
    net,
    net.map((_, i) => [i, 1 / net.length]),
  );
  return net.map((point) => point.map((x, axis) => centre[axis] + (x - centre[axis]) * DRAWN));
}

const blendPlane = (points, weights) =>
  weights.reduce(
    ([x, y], [i, weight]) => [x + points[i][0] * weight, y + points[i][1] * weight],
    [0, 0],
  );

/** Points of a plane in two coordinates, anticlockwise as seen against the normal. */
function planar(points, normal) {
  const along = points[1].clone().sub(points[0]).normalize();
  const across = normal.clone().cross(along);
  return points.map((point) => new Vector2(point.dot(along), -point.dot(across)));
}
