// A figure: discs that can be dragged, with what the engine says of their future.

import { CaromError, World } from "./carom/carom.js";
import { Sheet } from "./canvas.js";
import { drawArrow, listen, pulled, taken, tipOf } from "./handles.js";

/** Seconds of flight that an arrow shows. */
export const ARROW = 1;

export const seconds = (t) => `${t < 9.9995 ? t.toFixed(3) : t.toPrecision(4)}\u00a0s`;

/** The pairs of discs that overlap: which, by how much, and how fast they approach. */
export function overlaps(discs) {
  const found = [];
  for (let j = 1; j < discs.length; j += 1) {
    for (let i = 0; i < j; i += 1) {
      const [d, v] = ["position", "velocity"].map((of) => [0, 1].map((axis) => discs[j][of][axis] - discs[i][of][axis]));
      const [far, reach] = [Math.hypot(...d), discs[i].radius + discs[j].radius];
      // What touches is no overlap: the rounding of a place on the screen is far above this.
      if (far < reach * (1 - 1e-9)) found.push({ i, j, depth: reach - far, approach: -(d[0] * v[0] + d[1] * v[1]) / (far || 1) });
    }
  }
  return found;
}

export class Figure {
  /**
   * @param root the `figure` element
   * @param setting what is seen and the discs at the start: { bounds, discs: [{ position, velocity, radius }], lasts }
   */
  constructor(root, { bounds, discs, lasts = 6 }) {
    this.root = root;
    this.name = root.dataset.figure;
    this.canvas = root.querySelector("canvas");
    this.output = root.querySelector("output");
    this.runner = root.querySelector("button.run");
    this.slider = root.querySelector("input");
    this.parter = root.querySelector("button.apart");
    this.sheet = new Sheet(this.canvas, bounds);
    this.discs = structuredClone(discs);
    this.lasts = lasts;
    this.picked = 0;
    this.listen(structuredClone(discs));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.refresh();
  }

  /** The world of the discs as they are: of the figure, with its walls. Discs may be put onto each other. */
  make() {
    const world = new World(this.options());
    const ids = this.fill(world);
    return { world, ids };
  }

  options() {
    return {};
  }

  fill(world) {
    return this.discs.map(({ heading, ...disc }) => world.addDisc({ ...disc, restitution: this.restitution, overlap: true }));
  }

  get restitution() {
    return this.slider ? Number(this.slider.value) : 1;
  }

  /** The same world as the text of a scene, with all digits. */
  scene() {
    const discs = this.discs.map(({ heading, ...disc }) => ({ ...disc, restitution: this.restitution, allow_overlap: true }));
    return JSON.stringify({ format: 1, model: "discs", name: this.name, until: this.lasts, discs, ...this.around() });
  }

  around() {
    return {};
  }

  /** What can be dragged: discs, and the tips of their arrows. */
  handles() {
    return this.discs.flatMap((disc, index) => [
      { disc: index, kind: "position", at: disc.position },
      { disc: index, kind: "velocity", at: tipOf(disc, ARROW, this.sheet.scale) },
    ]);
  }

  /** The nearest place to one in which a disc may be: what is seen, and inside the walls. */
  confined([x, y]) {
    const [left, bottom, right, top] = this.sheet.seen;
    return [Math.min(right, Math.max(left, x)), Math.min(top, Math.max(bottom, y))];
  }

  /** Puts a handle somewhere. */
  move({ disc, kind }, point) {
    const one = this.discs[disc];
    if (kind === "position") one.position = this.confined(point, one);
    else Object.assign(one, pulled(one, point, ARROW, this.sheet.scale));
    this.refresh();
  }

  /** Changes a position or a velocity by as much. */
  nudge({ disc, kind }, [dx, dy]) {
    const one = this.discs[disc];
    const [x, y] = one[kind];
    one[kind] = kind === "position" ? this.confined([x + dx, y + dy], one) : [x + dx, y + dy];
    this.refresh();
  }

  /** Computes the prediction, and shows it. Worlds are small, so one is made for each. */
  refresh() {
    const { world, ids } = this.make();
    try {
      this.prediction = this.predict(world, ids);
    } finally {
      world.free();
    }
    this.overlaps = overlaps(this.discs);
    this.apart = this.overlaps.length > 0 ? this.pushedApart() : undefined;
    if (this.parter) this.parter.hidden = this.apart === undefined;
    this.output.textContent = [this.sayOverlaps(), this.say(this.prediction)].filter(Boolean).join(" ");
    this.draw();
  }

  /** Where the engine puts discs that overlap if it is asked to push them apart; nothing where there is no room. */
  pushedApart() {
    const { world, ids } = this.make();
    try {
      return world.pushApart().map(({ disc, from, to }) => ({ disc: ids.indexOf(disc), from, to }));
    } catch (error) {
      if (error instanceof CaromError && error.code === "overlap") return undefined;
      throw error;
    } finally {
      world.free();
    }
  }

  sayOverlaps() {
    const [first] = this.overlaps;
    if (first === undefined) return "";
    const { depth, approach } = this.overlaps.reduce((most, each) => (each.depth > most.depth ? each : most));
    const then = approach > 0 ? "they approach, so they collide at once"
      : approach < 0 ? "they part, so nothing holds them up" : "neither comes nearer, so nothing happens";
    const way = this.apart === undefined ? "There is no room to push them apart." : "Dashed: where they are if they are pushed apart.";
    return `Two discs overlap by ${depth.toFixed(3)}: ${then}. ${way}`;
  }

  /** Pushes apart what overlaps. */
  part() {
    this.stop();
    for (const { disc, to } of this.apart ?? []) this.discs[disc].position = to;
    this.refresh();
  }

  draw() {
    if (this.canvas.clientWidth === 0 || this.prediction === undefined) return;
    this.sheet.begin();
    this.backdrop();
    if (this.running) this.drawRunning();
    else this.drawStill();
  }

  backdrop() {}

  drawStill() {
    const { sheet } = this;
    this.foretell(this.prediction);
    const alpha = this.overlaps.length > 0 ? 0.75 : 1;
    this.discs.forEach(({ position, radius }, index) => {
      sheet.circle(position, radius, { fill: sheet.colours.discs[index % 4], alpha });
    });
    for (const { disc, from, to } of this.apart ?? []) {
      sheet.circle(to, this.discs[disc].radius, { stroke: sheet.colours.ink, dash: [4, 4] });
      sheet.arrow(from, to, sheet.colours.ink, { width: 1 });
    }
    for (const disc of this.discs) drawArrow(sheet, disc, ARROW, sheet.colours.ink, true);
    this.overlay(this.prediction);
    if (document.activeElement === this.canvas && this.canvas.matches(":focus-visible")) {
      const handle = this.handles()[this.picked];
      const radius = handle.kind === "position" ? this.discs[handle.disc].radius * 1.15 : 12 / sheet.scale;
      sheet.circle(handle.at, radius, { stroke: sheet.colours.accent, width: 2 });
    }
  }

  drawRunning() {
    const { positions } = this.running.world;
    this.discs.forEach(({ radius }, index) => {
      this.sheet.circle([positions[2 * index], positions[2 * index + 1]], radius, { fill: this.sheet.colours.discs[index % 4] });
    });
  }

  /** What is drawn over the discs: the velocities after an impact. */
  overlay({ impact }) {
    const { sheet } = this;
    impact?.velocities.forEach(([vx, vy], index) => {
      const [x, y] = impact.positions[index];
      sheet.arrow([x, y], [x + ARROW * vx, y + ARROW * vy], sheet.colours.accent);
    });
  }

  /** Ghosts of the discs where they meet, with their paths. */
  ghosts({ positions }) {
    const { sheet } = this;
    this.discs.forEach(({ position, radius }, index) => {
      const there = positions[index];
      const [dx, dy] = [there[0] - position[0], there[1] - position[1]];
      if (Math.hypot(dx, dy) * sheet.scale > 2) {
        sheet.line([position, there], sheet.colours.discs[index % 4], { dash: [2, 5] });
        sheet.circle(there, radius, { stroke: sheet.colours.discs[index % 4], dash: [4, 4], fill: sheet.colours.panel, alpha: 0.9 });
      }
    });
  }

  toggle() {
    if (this.running) {
      this.stop();
      return;
    }
    this.running = this.make();
    this.runner.textContent = "Stop";
    let last;
    const frame = (now) => {
      if (!this.running) return;
      const dt = last === undefined ? 0 : Math.min(0.05, (now - last) / 1000);
      last = now;
      const { world } = this.running;
      world.advance(dt);
      this.ran = world.now;
      this.draw();
      if (world.now < this.lasts) requestAnimationFrame(frame);
      else this.stop();
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.running?.world.free();
    this.running = undefined;
    this.runner.textContent = "Play";
    this.draw();
  }

  /** The handle that a pointer is at, if any. */
  under(place, pointerType) {
    const { sheet } = this;
    const seen = this.handles().map(({ disc, kind, at }) => ({
      at: sheet.to(at), radius: kind === "position" ? this.discs[disc].radius * sheet.scale : undefined,
    }));
    return taken(seen, place, pointerType);
  }

  listen(start) {
    const { canvas } = this;
    listen(canvas, {
      under: (place, pointerType) => this.under(place, pointerType),
      hold: (index) => {
        this.stop();
        this.picked = index;
        return this.sheet.to(this.handles()[index].at);
      },
      drag: (place) => this.move(this.handles()[this.picked], this.sheet.from(place)),
      drop: () => {},
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["focus", "blur"]) canvas.addEventListener(kind, () => this.draw());
    this.slider?.addEventListener("input", () => { this.stop(); this.refresh(); });
    this.runner.addEventListener("click", () => this.toggle());
    this.parter?.addEventListener("click", () => this.part());
    this.root.querySelector("button.reset").addEventListener("click", () => {
      this.stop();
      this.discs = structuredClone(start);
      this.refresh();
    });
  }

  key(event) {
    const step = (event.shiftKey ? 0.01 : 0.1);
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const handles = this.handles();
    if (event.key === "Enter") {
      this.picked = (this.picked + 1) % handles.length;
      this.draw();
    } else if (event.key === " ") {
      this.toggle();
    } else if (ways[event.key]) {
      this.stop();
      this.nudge(handles[this.picked], ways[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** All that is shown, in numbers: for tests, and for whoever is curious. */
  describe() {
    const discs = this.discs.map((disc) => ({
      position: disc.position, velocity: disc.velocity,
      screen: this.sheet.client(disc.position), tip: this.sheet.client(tipOf(disc, ARROW, this.sheet.scale)), radius: disc.radius * this.sheet.scale,
    }));
    const { prediction, output, running, ran, apart } = this;
    return {
      name: this.name, discs, prediction, apart, overlaps: this.overlaps, text: output.textContent, playing: Boolean(running), ran, scene: this.scene(),
    };
  }
}
