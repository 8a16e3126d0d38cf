// A figure: discs that can be dragged, with what the engine says of their future.

import { World } from "./carom/carom.js";
import { Sheet } from "./canvas.js";

/** Pixels within which a pointer takes hold of something, by mouse and by touch. */
const REACH = { mouse: 14, touch: 28, pen: 18 };
/** Seconds of world that an arrow is long. */
const ARROW = 1;

export const seconds = (t) => `${t < 9.9995 ? t.toFixed(3) : t.toPrecision(4)}\u00a0s`;

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
    this.sheet = new Sheet(this.canvas, bounds);
    this.discs = structuredClone(discs);
    this.lasts = lasts;
    this.picked = 0;
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.refresh();
  }

  /** The world of the discs as they are: of the figure, with its walls. */
  make() {
    const world = new World(this.options());
    const ids = this.fill(world);
    return { world, ids };
  }

  options() {
    return {};
  }

  fill(world) {
    return this.discs.map((disc) => world.addDisc({ ...disc, restitution: this.restitution }));
  }

  get restitution() {
    return this.slider ? Number(this.slider.value) : 1;
  }

  /** The same world as the text of a scene, with all digits. */
  scene() {
    const discs = this.discs.map((disc) => ({ ...disc, restitution: this.restitution }));
    return JSON.stringify({ format: 1, model: "discs", name: this.name, until: this.lasts, discs, ...this.around() });
  }

  around() {
    return {};
  }

  /** What can be dragged: discs, and the tips of their arrows. */
  handles() {
    return this.discs.flatMap(({ position: [x, y], velocity: [vx, vy] }, disc) => [
      { disc, kind: "position", at: [x, y] },
      { disc, kind: "velocity", at: [x + ARROW * vx, y + ARROW * vy] },
    ]);
  }

  /** Puts a handle somewhere, if the engine agrees; it says why not where it does not. */
  move({ disc, kind }, [x, y]) {
    const one = this.discs[disc];
    const before = structuredClone(this.discs);
    const [left, bottom, right, top] = this.sheet.seen;
    if (kind === "position") {
      one.position = [Math.min(right, Math.max(left, x)), Math.min(top, Math.max(bottom, y))];
    } else {
      one.velocity = [(x - one.position[0]) / ARROW, (y - one.position[1]) / ARROW];
    }
    try {
      this.refresh();
    } catch (error) {
      this.discs = before;
      this.refresh();
      this.output.textContent = `Not there: ${error.message}.`;
    }
  }

  /** Computes the prediction, and shows it. Worlds are small, so one is made for each. */
  refresh() {
    const { world, ids } = this.make();
    try {
      this.prediction = this.predict(world, ids);
    } finally {
      world.free();
    }
    this.output.textContent = this.say(this.prediction);
    this.draw();
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
    this.discs.forEach(({ position, radius }, index) => {
      sheet.circle(position, radius, { fill: sheet.colours.discs[index % 4] });
    });
    const tips = new Set(this.handles().filter(({ kind }) => kind === "velocity").map(({ disc }) => disc));
    this.discs.forEach(({ position: [x, y], velocity: [vx, vy] }, index) => {
      sheet.arrow([x, y], [x + ARROW * vx, y + ARROW * vy], sheet.colours.ink, { knob: tips.has(index) });
    });
    if (document.activeElement === this.canvas) {
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

  /** Ghosts of the discs where they meet, with their paths and the velocities after. */
  ghosts({ time, positions, velocities }) {
    const { sheet } = this;
    this.discs.forEach(({ position, radius }, index) => {
      const there = positions[index];
      sheet.line([position, there], sheet.colours.discs[index % 4], { dash: [2, 5] });
      sheet.circle(there, radius, { stroke: sheet.colours.discs[index % 4], dash: [4, 4], fill: sheet.colours.panel, alpha: 0.9 });
      if (velocities) {
        const [vx, vy] = velocities[index];
        sheet.arrow(there, [there[0] + ARROW * vx, there[1] + ARROW * vy], sheet.colours.accent);
      }
    });
    return time;
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
  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - this.canvas.clientLeft, event.clientY - box.top - this.canvas.clientTop];
    const reach = REACH[event.pointerType] ?? REACH.mouse;
    let best;
    this.handles().forEach((handle, index) => {
      const [hx, hy] = this.sheet.to(handle.at);
      const far = Math.hypot(hx - x, hy - y);
      const radius = handle.kind === "position" ? this.discs[handle.disc].radius * this.sheet.scale : 0;
      // A tip that lies on a disc is taken before it.
      const rank = handle.kind === "velocity" ? far : far + reach;
      if (far <= Math.max(reach, radius) && (best === undefined || rank < best.rank)) best = { index, rank };
    });
    return best?.index;
  }

  listen() {
    const { canvas } = this;
    let held;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return this.sheet.from([event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop]);
    };
    canvas.addEventListener("pointerdown", (event) => {
      const index = this.under(event);
      if (index === undefined || held) return;
      this.stop();
      const [x, y] = place(event);
      const { at } = this.handles()[index];
      held = { pointer: event.pointerId, off: [at[0] - x, at[1] - y] };
      this.picked = index;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (held?.pointer !== event.pointerId) {
        canvas.style.cursor = this.under(event) === undefined ? "default" : "grab";
        return;
      }
      const [x, y] = place(event);
      this.move(this.handles()[this.picked], [x + held.off[0], y + held.off[1]]);
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { held = undefined; });
    // A finger that holds something drags it; elsewhere it scrolls the page.
    canvas.addEventListener("touchstart", (event) => {
      const [{ clientX, clientY }] = event.changedTouches;
      if (this.under({ clientX, clientY, pointerType: "touch" }) !== undefined) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    for (const kind of ["focus", "blur"]) canvas.addEventListener(kind, () => this.draw());
    this.slider?.addEventListener("input", () => { this.stop(); this.refresh(); });
    this.runner.addEventListener("click", () => this.toggle());
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
      const { at } = handles[this.picked];
      this.move(handles[this.picked], [at[0] + ways[event.key][0], at[1] + ways[event.key][1]]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** All that is shown, in numbers: for tests, and for whoever is curious. */
  describe() {
    const discs = this.discs.map(({ position: [x, y], velocity: [vx, vy] }) => ({
      position: [x, y], velocity: [vx, vy], screen: this.sheet.client([x, y]), tip: this.sheet.client([x + ARROW * vx, y + ARROW * vy]),
    }));
    const { prediction, output, running, ran } = this;
    return { name: this.name, discs, prediction, text: output.textContent, playing: Boolean(running), ran, scene: this.scene() };
  }
}
