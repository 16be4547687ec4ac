// Folding a net: every face turns around the side that it shares with its parent.

import { Matrix4, Quaternion, Vector3 } from "../vendor/three.module.js";

/** The folding of faces with `points` in space (clockwise from outside), a `parent` (an index, or
 * null) and the `side` of the face that is hinged to it. */
export class Folding {
  constructor(faces) {
    this.faces = faces;
    this.normals = faces.map(({ points }) => outward(points));
    this.centre = middle(faces.map(({ points }) => middle(points)));
    this.hinges = faces.map((face, i) => (face.parent === null ? null : this.#hinge(face, i)));
    this.order = this.#fromTheRoots();
    this.facing = this.#facing();
  }

  /** The rotation after which the net, which lies in the plane of its first face, is seen from the
   * front as it is drawn. */
  #facing() {
    const { points, net } = this.faces[this.order[0]];
    const normal = this.normals[this.order[0]];
    // clockwise, as y points down
    const drawn = Math.atan2(net[1][1] - net[0][1], net[1][0] - net[0][0]);
    const right = points[1].clone().sub(points[0]).normalize().applyAxisAngle(normal, drawn);
    return new Quaternion()
      .setFromRotationMatrix(new Matrix4().makeBasis(right, normal.clone().cross(right), normal))
      .invert();
  }

  #hinge({ points, parent, side }, i) {
    const start = points[side];
    const axis = points[(side + 1) % points.length].clone().sub(start).normalize();
    const [mine, its] = [this.normals[i], this.normals[parent]];
    const angle = Math.atan2(mine.clone().cross(its).dot(axis), mine.dot(its));
    return { start, axis, angle };
  }

  #fromTheRoots() {
    const order = this.faces.flatMap(({ parent }, i) => (parent === null ? [i] : []));
    for (const at of order) this.faces.forEach(({ parent }, i) => parent === at && order.push(i));
    return order;
  }

  /** The matrices that move every face from its place on the solid; `folded` is 1 for the solid and
   * 0 for the net, `apart` has the distance by which each face leaves the solid. */
  matrices(folded, apart) {
    const found = [];
    for (const i of this.order) {
      const hinge = this.hinges[i];
      const moved = new Matrix4();
      if (hinge) {
        const turn = new Quaternion().setFromAxisAngle(hinge.axis, hinge.angle * (1 - folded));
        moved
          .makeTranslation(...hinge.start)
          .multiply(new Matrix4().makeRotationFromQuaternion(turn));
        moved
          .multiply(new Matrix4().makeTranslation(...hinge.start.clone().negate()))
          .premultiply(found[this.faces[i].parent]);
      }
      found[i] = moved;
    }
    return found.map((matrix, i) =>
      matrix
        .clone()
        .multiply(
          new Matrix4().makeTranslation(...this.normals[i].clone().multiplyScalar(apart[i])),
        ),
    );
  }
}

export function middle(points) {
  return points.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(points.length);
}

/** The unit normal of a polygon whose corners are clockwise as seen from outside. */
export function outward(points) {
  const sum = new Vector3();
  points.forEach((point, i) => sum.add(point.clone().cross(points[(i + 1) % points.length])));
  return sum.normalize().negate();
}
