// The scenes: a world that plays on a canvas and can be dragged, with its numbers.

import { CaromError, STATE_STRIDE, World } from "./carom/carom.js";
import { Sheet } from "./canvas.js";
import { drawArrow, listen, pulled, taken, tipOf } from "./handles.js";
import { bounds, drawWalls } from "./walls.js";

const by = (id) => document.getElementById(id);
const shown = (x) => (x === 0 ? "0" : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(3) : x.toPrecision(6));
/** Discs of more than this are drawn without outlines. */
const MANY = 400;
/** The most discs that all have paths and arrows. Of more, those of the next event and the picked one do. */
const FEW = 40;
/** The most discs that all have stubs at rest. Of more, only the picked one does: many are a tangle. */
const STUBS = 6;
/** The most discs for which a drag shows where the engine would push them. With more it takes too long. */
const PUSHED = 200;
/** Impacts of a disc up to which its path is shown: further on the lines would be a tangle. */
const AHEAD = 2;
/** The arrows that a path is long at most, at the speed of the fastest. */
const ARROWS = 12;
/** Milliseconds for the paths of one frame: in a heap of many discs they take longer, and are shorter from then on. */
const LOOK = 40;
/** Milliseconds after which no further path is looked for, so that the page answers. */
const LONGEST_LOOK = 1000;
/** The part of the view that the longest arrow at the start takes. */
const LONGEST = 0.15;
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
    listen(by("view"), {
      under: (place, pointerType) => this.under(place, pointerType),
      hold: (handle) => this.hold(handle),
      drag: (place) => this.move(this.sheet.from(place)),
      drop: () => this.drop(),
    });
    by("view").addEventListener("keydown", (event) => this.key(event));
    by("view").addEventListener("blur", () => this.drop());
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
    this.picked = undefined;
    this.held = undefined;
    this.headings = new Map();
    this.seconds = this.arrowSeconds();
    this.horizon = ARROWS * this.seconds;
    this.setPlaying(false);
    this.rate = undefined;
    world.setBudget(PORTION);
    by("title").textContent = [this.info.title, this.info.description].filter(Boolean).join(". ");
    for (const id of ["play", "step", "restart", "share"]) by(id).disabled = false;
    this.say("");
    this.show();
  }

  /** Seconds of flight that an arrow shows. */
  arrowSeconds() {
    const [left, bottom, right, top] = this.sheet.bounds;
    const fastest = Math.max(0, ...this.discs().map(({ velocity }) => Math.hypot(...velocity)));
    return fastest > 0 ? (LONGEST * Math.max(right - left, top - bottom)) / fastest : 1;
  }

  /** The discs as they are. */
  discs() {
    const { states } = this.world;
    return Array.from({ length: states.length / STATE_STRIDE }, (_, k) => {
      const [x, y, vx, vy, radius, mass, note, id] = states.subarray(STATE_STRIDE * k, STATE_STRIDE * (k + 1));
      return { id, position: [x, y], velocity: [vx, vy], radius, mass, note, heading: this.headings.get(id) };
    });
  }

  say(words) {
    by("said").textContent = words;
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
    this.drop();
    this.setPlaying(!this.playing);
    if (!this.playing) {
      this.show();
      return;
    }
    this.say("");
    let [last, count, since] = [undefined, 0, performance.now()];
    const frame = (now) => {
      if (!this.playing) return;
      const dt = last === undefined ? 0 : Math.min(0.05, (now - last) / 1000);
      last = now;
      const before = this.world.totals.events;
      // While a disc is held, time stands still.
      if (this.held === undefined) this.advance(dt * this.speed);
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
        break;
      }
    }
    this.shorten();
  }

  /** Where discs have become faster than at the start, arrows show less time. */
  shorten() {
    if (this.world.discCount <= FEW) this.seconds = Math.min(this.seconds, this.arrowSeconds());
  }

  step() {
    this.drop();
    this.setPlaying(false);
    this.world.stepEvent();
    this.shorten();
    this.say("");
    this.show();
  }

  /** What can be dragged: discs, the tips of arrows that are drawn, and of the disc that was picked. */
  handles() {
    const all = this.discs();
    const tips = all.filter((disc) => this.hasTip(disc, all.length));
    return [
      ...all.map((disc) => ({ id: disc.id, kind: "position", at: disc.position, radius: disc.radius })),
      ...tips.map((disc) => ({ id: disc.id, kind: "velocity", at: tipOf(disc, this.seconds, this.sheet.scale) })),
    ];
  }

  hasTip({ id, velocity: [vx, vy], mass }, count) {
    const most = vx === 0 && vy === 0 ? STUBS : FEW;
    return mass < Infinity && (id === this.picked?.id || count <= most);
  }

  under(place, pointerType) {
    if (this.world === undefined) return undefined;
    const { sheet } = this;
    const handles = this.handles();
    const seen = handles.map(({ at, radius }) => ({ at: sheet.to(at), radius: radius === undefined ? undefined : radius * sheet.scale }));
    return handles[taken(seen, place, pointerType)];
  }

  /** Takes hold of a handle; gives its place on the screen. */
  hold(handle) {
    if (this.held?.id !== handle.id) this.drop();
    const { id, kind, at } = handle;
    this.picked = { id, kind };
    // Where it was is where it goes back if there is no room for it where it is dropped.
    this.held ??= { id, free: this.world.get(id).position };
    this.say("");
    this.show();
    return this.sheet.to(at);
  }

  /** Moves what is held to a place of the world. */
  move(point) {
    const { world, picked: { id, kind } } = this;
    const disc = { ...world.get(id), heading: this.headings.get(id) };
    if (kind === "velocity") {
      const { velocity, heading } = pulled(disc, point, this.seconds, this.sheet.scale);
      this.headings.set(id, heading);
      world.setVelocity(id, velocity);
    } else {
      const [left, bottom, right, top] = this.sheet.seen;
      this.put(disc, [Math.min(right, Math.max(left, point[0])), Math.min(top, Math.max(bottom, point[1]))]);
    }
    this.show();
  }

  /** Puts a disc somewhere: onto others, too, but not into a wall. */
  put({ disc: id, radius, rules }, place) {
    const { world } = this;
    try {
      world.setPosition(id, place);
      this.held.free = place;
      this.say("");
    } catch (error) {
      if (error.code !== "overlap") throw error;
      if (world.overlapDisc(place, radius, { only: "walls", ...rules }).length > 0) {
        this.say("A wall is there: the disc stays where it last had room.");
        return;
      }
      world.setOverlap(id, true);
      world.setPosition(id, place);
      world.setOverlap(id, false);
      this.say("It lies on another disc. Dashed: where the engine puts them when you let go.");
    }
  }

  /** Lets go: what overlaps then is pushed apart, or the disc goes back where it had room. */
  drop() {
    const { held, world } = this;
    if (held === undefined) return;
    this.held = undefined;
    const { position } = world.get(held.id);
    if (position[0] !== held.free[0] || position[1] !== held.free[1]) {
      try {
        const moved = world.pushApart();
        const far = Math.max(0, ...moved.map(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1])));
        const who = moved.length === 1 ? "one disc" : `${moved.length} discs`;
        this.say(`Pushed apart: ${who} moved, by ${Number(far.toPrecision(3))} at most.`);
      } catch (error) {
        if (!(error instanceof CaromError)) throw error;
        world.setPosition(held.id, held.free);
        this.say("There is no room for it there: the disc is back where it last had some.");
      }
    }
    this.show();
  }

  key(event) {
    const [left, bottom, right, top] = this.sheet.bounds;
    const step = Math.max(right - left, top - bottom) * (event.shiftKey ? 0.001 : 0.01);
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === " ") this.toggle();
    else if (event.key === "Enter") this.pickNext();
    else if (event.key === "Escape" && this.picked !== undefined) this.letGo();
    else if (ways[event.key] && this.picked !== undefined) this.nudge(ways[event.key]);
    else if (event.key === "ArrowRight") this.step();
    else return;
    event.preventDefault();
  }

  /** Picks the next handle for the keys: of each disc first the disc, then its arrow. */
  pickNext() {
    const all = this.discs();
    if (all.length === 0) return;
    const { id, kind } = this.picked ?? {};
    const at = all.findIndex((disc) => disc.id === id);
    this.drop();
    this.picked = at >= 0 && kind === "position" && all[at].mass < Infinity
      ? { id, kind: "velocity" }
      : { id: all[(at + 1) % all.length].id, kind: "position" };
    this.show();
  }

  letGo() {
    this.drop();
    this.picked = undefined;
    this.show();
  }

  /** Moves what is picked a little. */
  nudge([dx, dy]) {
    const { world, picked: { id, kind } } = this;
    const { position: [x, y], velocity: [vx, vy] } = world.get(id);
    this.held ??= { id, free: [x, y] };
    if (kind === "position") {
      this.move([x + dx, y + dy]);
    } else {
      world.setVelocity(id, [vx + dx / this.seconds, vy + dy / this.seconds]);
      this.show();
    }
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
    this.paths = this.playing && this.held === undefined ? [] : this.foretold(next);
    this.draw();
  }

  /** The paths that are shown: of all discs where there are few, else of those of the next event and of the picked one. */
  foretold(next) {
    const { world, picked } = this;
    const first = [picked?.id, next?.a, next?.b?.disc].filter((id) => id !== undefined && world.has(id));
    const ids = new Set(world.discCount <= FEW ? [...first, ...world.discs()] : first);
    const start = performance.now();
    const paths = [];
    for (const id of ids) {
      paths.push({ id, pieces: world.forecast(id, { maxTime: this.horizon, maxImpacts: AHEAD }).pieces });
      if (performance.now() - start > LONGEST_LOOK) break;
    }
    // Where the look takes too long, the next one goes less far.
    this.horizon *= Math.min(1, LOOK / (performance.now() - start));
    return paths;
  }

  draw() {
    const { sheet, world, info } = this;
    if (world === undefined || sheet.canvas.clientWidth === 0) return;
    sheet.begin();
    for (const { center, radius } of info.view?.pockets ?? []) {
      sheet.circle(center, radius, { fill: sheet.colours.wall, alpha: 0.4 });
    }
    drawWalls(sheet, this.walls);
    const { discs: palette, ink } = sheet.colours;
    const all = this.discs();
    const colour = ({ note }) => info.colours[note] ?? palette[1];
    this.drawPaths(all, colour);
    for (const disc of all) {
      sheet.circle(disc.position, disc.radius, { fill: colour(disc), stroke: all.length <= MANY ? ink : undefined, width: 0.75 });
      if (info.stripes[disc.note]) sheet.circle(disc.position, 0.55 * disc.radius, { fill: sheet.colours.paper });
    }
    if (world.rough !== undefined) this.drawAngles(all);
    for (const disc of all) {
      if (this.hasTip(disc, all.length)) drawArrow(sheet, disc, this.seconds, ink, disc.id === this.picked?.id || all.length <= FEW);
    }
    this.drawPushed(all);
    this.drawPicked(all);
  }

  /** A spoke shows how each disc is turned. */
  drawAngles(all) {
    const { sheet, world } = this;
    world.angles.forEach((angle, k) => {
      const { position: [x, y], radius } = all[k];
      sheet.line([[x, y], [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]], sheet.colours.ink, { width: 0.75 });
    });
  }

  /** Where discs fly, and where they are when what is next happens. */
  drawPaths(all, colour) {
    const { sheet, world } = this;
    const next = this.paths.length > 0 ? world.nextEvent() : undefined;
    for (const { id, pieces } of this.paths) {
      const disc = all.find((each) => each.id === id);
      for (const piece of pieces) {
        const bends = piece.acceleration[0] !== 0 || piece.acceleration[1] !== 0;
        const parts = bends ? 24 : 1;
        const points = Array.from({ length: parts + 1 }, (_, k) => {
          const s = piece.start + ((piece.end - piece.start) * k) / parts - piece.time;
          return [0, 1].map((axis) => piece.position[axis] + (piece.velocity[axis] + 0.5 * piece.acceleration[axis] * s) * s);
        });
        sheet.line(points, sheet.visible(colour(disc)), { dash: [2, 4] });
      }
      const isNext = next !== undefined && (id === next.a || id === next.b?.disc);
      if (isNext && pieces[0]?.met) sheet.circle(pieces[0].endPosition, disc.radius, { stroke: sheet.colours.ink, width: 1, dash: [3, 3] });
    }
  }

  /** Where the engine puts what overlaps while a disc lies on others. */
  drawPushed(all) {
    const { sheet, world, held } = this;
    if (held === undefined || held.isSlow || all.length > PUSHED) return;
    const { position } = world.get(held.id);
    if (position[0] === held.free[0] && position[1] === held.free[1]) return;
    const start = performance.now();
    const copy = world.clone();
    try {
      for (const { disc, to } of copy.pushApart()) {
        sheet.circle(to, all.find(({ id }) => id === disc).radius, { stroke: sheet.colours.ink, dash: [4, 4] });
      }
    } catch (error) {
      if (!(error instanceof CaromError)) throw error;
    } finally {
      copy.free();
      // What takes longer than a frame would hold up the drag.
      held.isSlow = performance.now() - start > LOOK;
    }
  }

  drawPicked(all) {
    const { sheet, picked } = this;
    const disc = all.find(({ id }) => id === picked?.id);
    if (disc === undefined) return;
    const [at, radius] = picked.kind === "position"
      ? [disc.position, disc.radius + 3 / sheet.scale]
      : [tipOf(disc, this.seconds, sheet.scale), 11 / sheet.scale];
    sheet.circle(at, radius, { stroke: sheet.colours.accent, width: 2 });
  }

  /** What is shown, in numbers, for tests. */
  describe() {
    const { world, playing, text, sheet } = this;
    const discs = world.discCount <= FEW ? this.discs().map((disc) => ({
      ...disc, screen: sheet.client(disc.position), tip: sheet.client(tipOf(disc, this.seconds, sheet.scale)),
    })) : undefined;
    return {
      time: world.now, events: world.totals.events, playing, hash: world.hash(), scene: text, pockets: (this.info.view?.pockets ?? []).map(({ center }) => sheet.client(center)), count: world.discCount, discs,
      picked: this.picked, paths: this.paths.length, next: world.nextEvent()?.time, said: by("said").textContent,
    };
  }
}
