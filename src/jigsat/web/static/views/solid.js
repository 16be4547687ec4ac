// Solids in 3-D: faces that fold from the net, pieces of unit cubes, an exploded view. Drag to
// turn, Ctrl and the wheel to zoom.

import {
  AmbientLight,
  BoxGeometry,
  BufferGeometry,
  CanvasTexture,
  CircleGeometry,
  Color,
  DirectionalLight,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  SRGBColorSpace,
  Scene,
  ShadowMaterial,
  VSMShadowMap,
  Vector3,
  WebGLRenderer,
} from "../vendor/three.module.js";
import { button, calm, fill, h } from "../dom.js";
import { one } from "../engines/engine.js";
import { drawn } from "../files.js";
import { Assembly } from "./assembly.js";
import { body } from "./foam.js";
import { Folding } from "./folding.js";
import { blockSteps, faceSteps } from "./steps.js";

const SECONDS = 2.2; // the time that folding takes
const LIFTED = 0.7; // how far a face is lifted before it is put in, in lengths of its side
const LIFTED_CUBES = 2.2; // the same for a block, in cubes
const UPRIGHT = new Quaternion();
const ASIDE = new Quaternion()
  .setFromAxisAngle(new Vector3(1, 0, 0), 0.5)
  .multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), -0.6));
const [NEAREST, FARTHEST] = [0.4, 3]; // how far one can zoom

export class Solid {
  #parts = [];
  #folding = null;
  #asked = 0;
  #frame = 0;
  #model = new Group();
  /** How the solid is turned, and how its net is turned away from facing the camera. */
  #turned = ASIDE.clone();
  #tilted = UPRIGHT.clone();
  zoom = 1;

  constructor(container, work) {
    this.work = work;
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "img",
      title: "Drag to turn. Ctrl and the wheel, or the keys + and −, zoom.",
      "aria-label": "The solid in 3-D. Drag it or press the arrow keys to turn it; + and − zoom.",
    });
    this.fold = slider("Folded", 1, () => this.#later());
    this.fold.label.hidden = true; // until it is known whether there is a net
    this.apart = slider("Exploded", 0, () => this.#later());
    this.player = button("Unfold", () => this.play(this.fold.value > 0.5 ? 0 : 1), {
      id: "fold",
      hidden: true,
    });
    this.reset = button("Reset view", () => this.#look(), { class: "reset", hidden: true });
    this.note = h("p", { class: "quiet", role: "status" });
    this.assembly = new Assembly(() => {
      this.controls.hidden = this.assembly.active;
      this.#later();
    });
    const { opener, element } = this.assembly;
    const sliders = [this.player, this.fold.label, this.apart.label];
    this.controls = h("div", { class: "row" }, ...sliders, opener, this.note);
    fill(container, this.canvas, this.reset, this.controls, element);
    this.renderer = new WebGLRenderer({
      canvas: this.canvas,
      antialias: true,
      alpha: true,
      preserveDrawingBuffer: true,
    });
    this.camera = new PerspectiveCamera(32, 1, 0.1, 200);
    this.scene = new Scene();
    this.scene.add(new AmbientLight(0xffffff, 2), this.#model);
    const sun = new DirectionalLight(0xffffff, 2.1);
    sun.position.set(2, 6, 4);
    sun.castShadow = this.renderer.shadowMap.enabled = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 10;
    this.renderer.shadowMap.type = VSMShadowMap;
    this.sun = sun;
    this.ground = new Mesh(new CircleGeometry(1, 64), new ShadowMaterial({ opacity: 0.22 }));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.receiveShadow = true;
    this.scene.add(sun, this.ground);
    this.#listen();
    this.watcher = new ResizeObserver(() => this.#later());
    this.watcher.observe(this.canvas);
  }

  /** Show a solution. Its picture becomes the texture of its faces. */
  async show(solution) {
    const asked = ++this.#asked;
    try {
      const shape = await one(
        this.work.engine,
        { kind: "solid", puzzle: this.work.source, placements: solution.placements },
        "solid",
      );
      const picture = shape.faces.length ? await drawn(shape.svg, 2048) : null;
      if (asked !== this.#asked) return;
      const first = !this.#parts.length;
      this.#clear();
      if (picture) this.#faces(shape, picture);
      else this.#blocks(shape.blocks);
      this.#begin(shape, solution.placements);
      this.fold.label.hidden = this.player.hidden = !this.#folding;
      this.note.textContent = "";
      this.#later();
      if (first && this.#folding) {
        this.fold.value = 0;
        this.play(1);
      }
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  /** Fold the net (1) or unfold it (0), with an animation unless the system asks for less motion.
   * */
  play(to) {
    const from = this.fold.value;
    const began = performance.now();
    const step = (now) => {
      const fraction = calm() ? 1 : Math.min(1, Math.max(0, (now - began) / 1000 / SECONDS));
      this.fold.value = from + (to - from) * fraction * fraction * (3 - 2 * fraction);
      this.#draw();
      this.#frame = fraction < 1 ? requestAnimationFrame(step) : 0;
    };
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(step);
  }

  close() {
    this.watcher.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#clear();
    this.ground.geometry.dispose();
    this.ground.material.dispose();
    this.sun.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // browsers keep the memory of a context until then
  }

  #clear() {
    for (const part of this.#parts) {
      this.#model.remove(part);
      part.traverse(({ geometry, material }) => {
        geometry?.dispose();
        for (const one of [material ?? []].flat()) {
          one.map?.dispose();
          one.dispose();
        }
      });
    }
    this.#parts = [];
    this.#folding = null;
  }

  /** Offer to put it together step by step. */
  #begin(shape, placements) {
    const { faces, normals } = this.#folding ?? { faces: [] };
    this.assembly.start(faces.length ? faceSteps(faces, normals, placements) : blockSteps(shape));
    this.controls.hidden = false;
  }

  #faces(shape, picture) {
    const [left, top, width, height] = viewBox(shape.svg);
    const faces = shape.faces.map((face) => ({
      ...face,
      points: face.points.map((point) => right(point)),
    }));
    this.#folding = new Folding(faces);
    const texture = new CanvasTexture(picture);
    texture.colorSpace = SRGBColorSpace;
    texture.anisotropy = this.renderer.capabilities.getMaxAnisotropy();
    const pixels = picture.getContext("2d", { willReadFrequently: true });
    this.#parts = faces.map(({ points, net, rim }, i) => {
      const uv = net.map(([x, y]) => [(x - left) / width, 1 - (y - top) / height]);
      const teeth = rim.length ? { size: rim.length / points.length + 1, rim } : null;
      const foam = new Color(teeth ? colour(pixels, uv) : 0xd9d4c8);
      const geometry = body(points, uv, this.#folding.normals[i], teeth);
      const part = new Group();
      part.matrixAutoUpdate = false;
      part.add(
        new Mesh(geometry, [
          surface({ map: texture }),
          surface({ color: foam.multiplyScalar(0.85) }),
        ]),
        lines(new BufferGeometry().setFromPoints(geometry.userData.edges)),
      );
      return part;
    });
    this.#model.add(...this.#parts);
  }

  #blocks(blocks) {
    const centre = new Vector3();
    const cells = blocks.flatMap(({ cells }) => cells);
    if (!cells.length) return;
    for (const [z, y, x] of cells) centre.add(new Vector3(x, -z, y));
    centre.divideScalar(cells.length);
    this.#parts = blocks.map(({ cells, colour: paint }) => {
      const part = new Group();
      const own = new Vector3();
      for (const [z, y, x] of cells) {
        const cube = new Mesh(new BoxGeometry(0.97, 0.97, 0.97), surface({ color: paint }));
        cube.position.set(x, -z, y).sub(centre);
        own.add(cube.position);
        cube.add(lines(new EdgesGeometry(cube.geometry)));
        part.add(cube);
      }
      part.userData.out = own.divideScalar(cells.length);
      return part;
    });
    this.#model.add(...this.#parts);
  }

  #later() {
    if (!this.#frame) {
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
    }
  }

  #draw() {
    if (this.assembly.active) this.#close();
    this.player.textContent = this.fold.value > 0.5 ? "Unfold" : "Fold";
    // a net has nothing to explode
    this.apart.label.style.visibility = this.#folding && this.fold.value === 0 ? "hidden" : "";
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    if (!this.#parts.length) return this.renderer.clear();
    this.#parts.forEach((part, i) => (part.visible = this.assembly.shows(i)));
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    const reach = this.#folding ? this.#place() : this.#spread();
    const span = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect);
    this.camera.position.z = ((reach * 1.12) / span) * this.zoom;
    this.camera.updateProjectionMatrix();
    this.#light(reach);
    this.renderer.render(this.scene, this.camera);
    this.canvas.dataset.rendered = ""; // it would be black before
  }

  /** While it is put together, it is neither unfolded nor exploded. */
  #close() {
    this.fold.value = 1;
    this.apart.value = 0;
  }

  /** A light, and the ground as far as its shadows reach: their map has a seam at its edge. */
  #light(reach) {
    this.ground.position.set(-1 / 3, -1, -2 / 3).multiplyScalar(reach * 0.95);
    this.ground.scale.setScalar(reach * 1.5);
    this.sun.position.set(1, 3, 2).multiplyScalar(reach);
    const { camera } = this.sun.shadow;
    [camera.left, camera.right, camera.bottom, camera.top] = [-reach, reach, -reach, reach].map(
      (x) => x * 1.6,
    );
    [camera.near, camera.far] = [0.1, reach * 8];
    camera.updateProjectionMatrix();
    this.#model.traverse((each) => each.isMesh && (each.castShadow = true));
  }

  /** Put the faces of a folded net in their places; returns the radius of what is seen. */
  #place() {
    const size = this.#folding.faces[0].points[0].distanceTo(this.#folding.faces[0].points[1]);
    if (this.fold.value === 1) this.#tilted.copy(UPRIGHT);
    this.#model.quaternion
      .copy(this.#tilted)
      .multiply(this.#folding.facing)
      .slerp(this.#turned, this.fold.value);
    const apart = this.apart.value * this.fold.value * size * 1.2;
    const lift = (part) => (this.assembly.lifted(part) ? size * LIFTED : apart);
    const matrices = this.#folding.matrices(
      this.fold.value,
      this.#parts.map((_, part) => lift(part)),
    );
    const corners = this.#parts.flatMap(({ children: [face] }, i) =>
      face.geometry.userData.corners.map((point) => point.clone().applyMatrix4(matrices[i])),
    );
    const centre = corners
      .reduce((sum, point) => sum.add(point), new Vector3())
      .divideScalar(corners.length);
    matrices.forEach((matrix, i) => {
      this.#parts[i].matrix
        .copy(matrix)
        .setPosition(new Vector3().setFromMatrixPosition(matrix).sub(centre));
      this.#parts[i].matrixWorldNeedsUpdate = true;
    });
    return Math.max(...corners.map((point) => point.distanceTo(centre)));
  }

  #spread() {
    this.#model.quaternion.copy(this.#turned);
    this.#parts.forEach((part, i) => {
      part.position.copy(part.userData.out).multiplyScalar(this.apart.value * 1.6);
      const out = this.assembly.lifted(i);
      if (out) part.position.addScaledVector(out, LIFTED_CUBES);
    });
    const ends = this.#parts.flatMap((part) =>
      part.children.map((cube) => cube.position.clone().add(part.position).length()),
    );
    return Math.max(...ends) + 0.9;
  }

  #zoomBy(factor) {
    this.zoom = Math.min(FARTHEST, Math.max(NEAREST, this.zoom * factor));
    this.reset.hidden = false;
    this.#later();
  }

  /** Look at it as at first. */
  #look() {
    this.zoom = 1;
    this.#turned.copy(ASIDE);
    this.#tilted.copy(UPRIGHT);
    this.reset.hidden = true;
    this.canvas.focus({ preventScroll: true });
    this.#later();
  }

  #turn(x, y) {
    const turned = new Quaternion()
      .setFromAxisAngle(new Vector3(0, 1, 0), x)
      .multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), y));
    for (const each of [this.#turned, this.#tilted]) each.premultiply(turned).normalize();
    this.reset.hidden = false;
    this.#later();
  }

  #listen() {
    this.canvas.addEventListener("pointerdown", (event) =>
      this.canvas.setPointerCapture(event.pointerId),
    );
    this.canvas.addEventListener(
      "pointermove",
      ({ buttons, movementX, movementY }) =>
        buttons && this.#turn(movementX / 120, movementY / 120),
    );
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      this.#zoomBy(Math.exp(event.deltaY / 800));
    });
    this.canvas.addEventListener("keydown", (event) => {
      const closer = { "+": 0.8, "-": 1.25 }[event.key];
      if (closer && !event.ctrlKey && !event.metaKey) this.#zoomBy(closer);
      const turn = {
        ArrowLeft: [-0.15, 0],
        ArrowRight: [0.15, 0],
        ArrowUp: [0, -0.15],
        ArrowDown: [0, 0.15],
      }[event.key];
      if (!turn) return;
      event.preventDefault();
      this.#turn(...turn);
    });
  }
}

function slider(words, value, oninput) {
  const input = h("input", { type: "range", min: 0, max: 1, step: 0.01, value, oninput });
  const label = h("label", {}, words, input);
  return {
    label,
    get value() {
      return Number(input.value);
    },
    set value(to) {
      input.value = to;
    },
  };
}

/** A point of jigsat's boards, whose y axis points down and whose z axis points away, as a point of
 * three.js. */
const right = ([x, y, z]) => new Vector3(x, -y, -z);

/** A material whose surface lies a little behind its edges, so that these are drawn whole. */
const surface = (look) =>
  new MeshLambertMaterial({
    ...look,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 4,
  });

const lines = (edges) =>
  new LineSegments(
    edges,
    new LineBasicMaterial({ color: 0x1d2330, transparent: true, opacity: 0.45 }),
  );

function viewBox(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return root
    .getAttribute("viewBox")
    .split(/[\s,]+/)
    .map(Number);
}

/** The colour of a piece: that of a point between its middle and its first corner. */
function colour(pixels, uv) {
  const middle = [0, 1].map((axis) => uv.reduce((sum, point) => sum + point[axis], 0) / uv.length);
  const [u, v] = [0, 1].map((axis) => middle[axis] + (uv[0][axis] - middle[axis]) * 0.5);
  const { width, height } = pixels.canvas;
  const [r, g, b] = pixels.getImageData(
    Math.round(u * width),
    Math.round((1 - v) * height),
    1,
    1,
  ).data;
  return `rgb(${r}, ${g}, ${b})`;
}
