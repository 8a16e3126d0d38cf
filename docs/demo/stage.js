// The scenes: a world that plays on a canvas, with its numbers.

import { World } from "./carom/carom.js";
import { Sheet } from "./canvas.js";
import { bounds, drawWalls } from "./walls.js";

const by = (id) => document.getElementById(id);
const shown = (x) => (x === 0 ? "0" : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(3) : x.toPrecision(6));
/** Discs of more than this are drawn without outlines. */
const MANY = 400;
/** Milliseconds of a frame that may go into the engine, so that the page stays responsive. */
const SHARE = 12;
/** Events in one go of the engine, between two looks at the clock. */
const PORTION = 2000;

export class Stage {
  constructor() {
    this.sheet = new Sheet(by("view"), [0, 0, 1, 1]);
    this.playing = false;
    this.speed = 1;
    by("play").addEventListener("click", () => this.toggle());
    by("step").addEventListener("click", () => this.step());
    by("restart").addEventListener("click", () => this.open(this.text));
    by("speed").addEventListener("input", (event) => this.setSpeed(10 ** Number(event.target.value)));
    by("view").addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(by("view"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Opens a scene: its text, or its name. Throws what the engine says of it. */
  open(text) {
    const world = World.fromScene(text);
    this.world?.free();
    this.world = world;
    this.text = text;
    this.info = world.scene ?? { colours: [], stripes: [], view: {}, until: Infinity };
    this.walls = world.walls;
    this.sheet.bounds = bounds(this.info.view, this.walls, world.states);
    this.start = world.totals.kineticEnergy;
    this.setPlaying(false);
    this.rate = undefined;
    world.setBudget(PORTION);
    by("title").textContent = [this.info.title, this.info.description].filter(Boolean).join(". ");
    for (const id of ["play", "step", "restart", "share"]) by(id).disabled = false;
    this.show();
  }

  setSpeed(speed) {
    this.speed = Number(speed.toPrecision(2));
    by("speed-shown").textContent = `${this.speed}×`;
  }

  setPlaying(playing) {
    this.playing = playing;
    by("play").textContent = playing ? "Pause" : "Play";
  }

  toggle() {
    this.setPlaying(!this.playing);
    if (!this.playing) return;
    let [last, count, since] = [undefined, 0, performance.now()];
    const frame = (now) => {
      if (!this.playing) return;
      const dt = last === undefined ? 0 : Math.min(0.05, (now - last) / 1000);
      last = now;
      const before = this.world.totals.events;
      this.advance(dt * this.speed);
      count += this.world.totals.events - before;
      if (now - since > 500) {
        this.rate = (1000 * count) / (now - since);
        [count, since] = [0, now];
      }
      this.show();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /** Advances by some seconds, or by as much as a frame has time for. */
  advance(seconds) {
    const target = this.world.now + seconds;
    const end = performance.now() + SHARE;
    this.behind = false;
    while (this.world.advanceTo(Math.max(target, this.world.now)).end === "out_of_budget") {
      if (performance.now() > end) {
        this.behind = true;
        return;
      }
    }
  }

  step() {
    this.setPlaying(false);
    this.world.stepEvent();
    this.show();
  }

  key(event) {
    if (event.key === " ") this.toggle();
    else if (event.key === "ArrowRight") this.step();
    else return;
    event.preventDefault();
  }

  show() {
    const { world } = this;
    const { kineticEnergy, momentum, events } = world.totals;
    const next = world.nextEvent();
    const set = (id, text) => { by(`n-${id}`).textContent = text; };
    set("time", `${world.now.toFixed(4)} s${this.behind ? " (slowed)" : ""}`);
    set("next", next ? `in ${shown(next.time - world.now)} s` : "never");
    set("discs", String(world.discCount));
    set("events", events.toLocaleString("en"));
    set("rate", this.rate === undefined ? "–" : Math.round(this.rate).toLocaleString("en"));
    set("energy", shown(kineticEnergy));
    set("momentum", `${shown(momentum[0])}, ${shown(momentum[1])}`);
    set("hash", world.hash());
    this.draw();
  }

  draw() {
    const { sheet, world, info } = this;
    if (world === undefined || sheet.canvas.clientWidth === 0) return;
    sheet.begin();
    drawWalls(sheet, this.walls);
    const { discs, ink } = sheet.colours;
    const states = world.states;
    const outlined = states.length / 8 <= MANY;
    for (let at = 0; at < states.length; at += 8) {
      const index = states[at + 6];
      const colour = info.colours[index] ?? discs[1];
      const centre = [states[at], states[at + 1]];
      sheet.circle(centre, states[at + 4], { fill: colour, stroke: outlined ? ink : undefined, width: 0.75 });
      if (info.stripes[index]) sheet.circle(centre, 0.55 * states[at + 4], { fill: sheet.colours.paper });
    }
  }

  /** What is shown, in numbers, for tests. */
  describe() {
    const { world, playing, text } = this;
    return { time: world.now, events: world.totals.events, playing, hash: world.hash(), scene: text, discs: world.discCount };
  }
}
