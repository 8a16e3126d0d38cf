// Worlds. Types and documentation are in carom.d.ts.

import { CaromError, finite, flag, number, options as known, refused, text, vector, whole } from "./check.js";
import { EventList, body } from "./events.js";
import { Engine, guarded, holds, present, ready, remade, scene_text, understood, view } from "./load.js";
import * as read from "./options.js";
import { verdicts as table } from "./verdicts.js";

const STOPS = ["reached", "stopped", "out_of_budget", "crushed", "jammed", "outgrown", "other"];
const UPCOMING = [
  "discs", "wall", "change", "release", "enter", "leave", "timer", "arrive", "turned", "wall_moved", "other",
];
const PATH_ENDS = ["time", "impacts", "removed"];
const PIECE = 19;

/** For what shares the worlds' engines: that of a world, and how a run of it has ended, which makes older events past. */
export let engineOf;
export let advanced;

export const exact = (numbers, at) => ({ epoch: numbers[at], offset: numbers[at + 1] });
const pair = (numbers, at) => [numbers[at], numbers[at + 1]];
const isName = (given) => /^[a-z0-9-]{1,64}$/.test(given);

export class World {
  #engine;
  #made = remade;
  #advances = 0;

  static {
    engineOf = (world) => world.#alive;
    advanced = (world) => world.#advanced();
  }

  constructor(options = {}) {
    if (options instanceof Engine) {
      this.#engine = options;
      return;
    }
    const [scene, forces, rough, verdicts] = read.world(options);
    try {
      this.#engine = guarded(() => new Engine(scene, forces, rough));
    } catch (error) {
      throw read.ofOptions(error);
    }
    if (verdicts !== undefined) this.setVerdicts(verdicts);
  }

  static fromScene(textOrName, options = {}) {
    text(textOrName, "scene");
    const { forces = false, rough } = known(options, "options", ["forces", "rough"]);
    flag(forces, "forces");
    const roughness = read.rough(rough);
    return new World(guarded(() => new Engine(isName(textOrName) ? scene_text(textOrName) : textOrName, forces, roughness)));
  }

  static load(snapshot) {
    text(snapshot, "snapshot");
    return new World(guarded(() => Engine.load(snapshot)));
  }

  get #alive() {
    ready();
    if (this.#engine === undefined) throw new CaromError({ code: "freed", message: "the world has been freed" });
    present("world", this.#made);
    return this.#engine;
  }

  #call(name, ...numbers) {
    const engine = this.#alive;
    try {
      return engine[name](...numbers);
    } catch (error) {
      throw understood(error);
    }
  }

  /** What the last call of the engine has given, until the next one. */
  get #out() {
    return view(this.#engine.out_pointer(), this.#engine.out_length());
  }

  save() {
    return this.#call("save");
  }

  clone() {
    return new World(this.#call("duplicate"));
  }

  copyFrom(other) {
    if (!(other instanceof World)) throw refused("other", other, "a world");
    const from = other.#alive;
    if (other === this) return;
    this.#call("assign", from);
    this.#advances += 1;
  }

  free() {
    // What a module that has failed had is gone with its memory.
    if (holds(this.#made)) this.#engine?.free();
    this.#engine = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  get isFreed() {
    return this.#engine === undefined;
  }

  get scene() {
    const info = this.#call("info");
    return info === "" ? undefined : JSON.parse(info);
  }

  get hasForces() {
    return this.#call("has_forces");
  }

  get rough() {
    return this.#call("roughness") ? read.roughnessAt(this.#out) : undefined;
  }

  get gravity() {
    this.#call("gravity");
    return pair(this.#out, 0);
  }

  setGravity(gravity) {
    const [x, y] = vector(gravity, "gravity");
    this.#call("gravity");
    this.#call("set_gravity", x, y, this.#out[2]);
  }

  setVerdicts(verdicts) {
    this.#call("set_verdicts", ...table(verdicts));
  }

  get growth() {
    return this.#call("growth");
  }

  setGrowth(rate) {
    this.#call("set_growth", number(rate, "rate"));
  }

  scaleVelocities(factor) {
    this.#call("scale_velocities", number(factor, "factor"));
  }

  addDisc(options) {
    return this.#call("insert", read.disc(options));
  }

  addDiscs(list) {
    if (typeof list?.[Symbol.iterator] !== "function") throw refused("discs", list, "a list of discs");
    return Array.from(list, (options) => this.addDisc(options));
  }

  remove(disc) {
    this.#call("remove", number(disc, "disc"));
  }

  clear() {
    this.#call("clear");
    this.#advances += 1;
  }

  has(disc) {
    return this.#call("contains", typeof disc === "number" ? disc : -1);
  }

  get(disc) {
    this.#call("get", number(disc, "disc"));
    const n = this.#out;
    return {
      disc,
      position: pair(n, 0),
      unwrapped: pair(n, 20),
      velocity: pair(n, 3),
      acceleration: pair(n, 18),
      radius: n[2],
      mass: n[5],
      restitution: n[6],
      userData: n[7],
      rules: { membership: n[8], mask: n[9], team: n[10] },
      forces: { acceleration: pair(n, 13), gravityScale: n[15], friction: n[16], speedLimit: n[17] },
      sensor: (n[11] & 2) !== 0,
      kinematic: (n[11] & 4) !== 0,
      enabled: (n[11] & 8) !== 0,
      maxSpeed: n[12],
      angle: n[22],
      angularVelocity: n[23],
      inertia: n[24],
      roughness: (n[11] & 16) !== 0 ? read.roughnessAt(n, 25) : undefined,
    };
  }

  setPosition(disc, position) {
    this.#call("set_position", number(disc, "disc"), ...vector(position, "position"));
  }

  setVelocity(disc, velocity) {
    this.#call("set_velocity", number(disc, "disc"), ...vector(velocity, "velocity"));
  }

  setVelocities(rows) {
    this.#call("set_velocities", this.#rows(rows));
  }

  setPositions(rows) {
    this.#call("set_positions", this.#rows(rows));
  }

  #rows(rows) {
    if (typeof rows !== "object" || rows === null || typeof rows.length !== "number") {
      throw refused("rows", rows, "handle, x and y of each disc");
    }
    // A view of the module's own memory is copied before that may grow.
    return Float64Array.from(rows, (value, index) => number(value, `rows[${index}]`));
  }

  applyImpulse(disc, impulse) {
    this.#call("apply_impulse", number(disc, "disc"), ...vector(impulse, "impulse"));
  }

  setRadius(disc, radius) {
    this.#call("set_radius", number(disc, "disc"), number(radius, "radius"));
  }

  setMass(disc, mass) {
    this.#call("set_mass", number(disc, "disc"), number(mass, "mass"));
  }

  setRestitution(disc, restitution) {
    this.#call("set_restitution", number(disc, "disc"), number(restitution, "restitution"));
  }

  setUserData(disc, userData) {
    this.#call("set_user_data", number(disc, "disc"), whole(userData, "userData"));
  }

  setRules(disc, rules) {
    this.#call("set_rules", number(disc, "disc"), ...read.onlyRules(rules));
  }

  setForces(disc, forces) {
    this.#call("set_forces", number(disc, "disc"), ...read.onlyForces(forces));
  }

  setSpin(disc, spin) {
    this.#call("set_spin", number(disc, "disc"), read.spin(spin));
  }

  setOverlap(disc, isAllowed) {
    this.#call("set_overlap", number(disc, "disc"), flag(isAllowed, "isAllowed"));
  }

  pushApart() {
    this.#call("push_apart");
    const n = this.#out;
    const moved = [];
    for (let at = 0; at < n.length; at += 5) moved.push({ disc: n[at], from: pair(n, at + 1), to: pair(n, at + 3) });
    return moved;
  }

  separateOverlaps(speed) {
    this.#call("separate_overlaps", number(speed, "speed"));
    const n = this.#out;
    const overlaps = [];
    for (let at = 1; at < n.length; at += 8) {
      overlaps.push({ a: n[at], b: body(n[at + 1], n[at + 2], n[at + 3]), depth: n[at + 4], normal: pair(n, at + 5), impulse: n[at + 7] });
    }
    return { overlaps, energyAdded: n[0] };
  }

  setEnabled(disc, isEnabled) {
    this.#call("set_enabled", number(disc, "disc"), flag(isEnabled, "isEnabled"));
  }

  moveTo(disc, target, seconds) {
    return this.#sent("move_to", number(disc, "disc"), ...vector(target, "target"), number(seconds, "seconds"));
  }

  moveToUntil(disc, target, time) {
    return this.#sent("move_to_until", number(disc, "disc"), ...vector(target, "target"), number(time, "time"));
  }

  /** Sends something on its way, and gives the time of arrival. */
  #sent(...call) {
    this.#call(...call);
    const n = this.#out;
    return n[0] + n[1];
  }

  exclude(a, b) {
    return this.#call("exclude", number(a, "a"), number(b, "b"), true);
  }

  include(a, b) {
    return this.#call("exclude", number(a, "a"), number(b, "b"), false);
  }

  isExcluded(a, b) {
    return this.#call("is_excluded", number(a, "a"), number(b, "b"));
  }

  addWall(options) {
    return this.#call("add_wall", ...read.wall(options));
  }

  removeWall(wall) {
    this.#call("remove_wall", number(wall, "wall"));
  }

  setWallRestitution(wall, restitution) {
    this.#call("set_wall_restitution", number(wall, "wall"), number(restitution, "restitution"));
  }

  setWallUserData(wall, userData) {
    this.#call("set_wall_user_data", number(wall, "wall"), whole(userData, "userData"));
  }

  setWallSurface(wall, surface) {
    this.#call("set_wall_surface", number(wall, "wall"), read.onlySurface(surface));
  }

  setWallRules(wall, rules) {
    this.#call("set_wall_rules", number(wall, "wall"), ...read.onlyRules(rules));
  }

  moveWall(wall, offset, seconds) {
    return this.#sent("move_wall", number(wall, "wall"), ...vector(offset, "offset"), number(seconds, "seconds"));
  }

  moveWallUntil(wall, offset, time) {
    return this.#sent("move_wall_until", number(wall, "wall"), ...vector(offset, "offset"), number(time, "time"));
  }

  turnArm(wall, angle, rate) {
    this.#call("turn_arm", number(wall, "wall"), number(angle, "angle"), number(rate, "rate"));
    const n = this.#out;
    return n[0] + n[1];
  }

  get walls() {
    const walls = JSON.parse(this.#call("walls"));
    return walls.map(({ shape, roughness, ...wall }) => {
      const [kind, form] = Object.entries(shape)[0];
      return { ...wall, form: { shape: kind, ...form }, roughness: roughness === null ? undefined : read.roughnessAt(roughness) };
    });
  }

  addRegion(options) {
    return this.#call("add_region", read.region(options));
  }

  setRegion(region, options) {
    this.#call("set_region", number(region, "region"), read.region(options));
  }

  removeRegion(region) {
    this.#call("remove_region", number(region, "region"));
  }

  get regions() {
    return JSON.parse(this.#call("regions")).map(({ region, options: { shape, carrier, ...options } }) => {
      const [kind, form] = Object.entries(shape)[0];
      return { region, form: { shape: kind, ...form }, carrier: carrier ?? undefined, ...options };
    });
  }

  inside(region) {
    this.#call("inside", number(region, "region"));
    return Array.from(this.#out);
  }

  isInside(region, disc) {
    return this.#call("is_inside", number(region, "region"), number(disc, "disc"));
  }

  sensorRegion(disc) {
    const region = this.#call("sensor_region", number(disc, "disc"));
    return region < 0 ? undefined : region;
  }

  #advanced() {
    this.#advances += 1;
    const n = this.#out;
    return { end: STOPS[n[0]], time: n[1] + n[2], exactTime: exact(n, 1), events: n[3] };
  }

  advance(seconds) {
    this.#call("advance", number(seconds, "seconds"));
    return this.#advanced();
  }

  advanceTo(time) {
    if (typeof time === "object" && time !== null) {
      this.#call("advance_to_exact", finite(time.epoch, "time.epoch"), finite(time.offset, "time.offset"));
    } else {
      this.#call("advance_to", number(time, "time"));
    }
    return this.#advanced();
  }

  stepEvent() {
    this.#call("step_event");
    return this.#advanced();
  }

  get events() {
    const made = this.#advances;
    return new EventList(() => {
      const engine = this.#alive;
      if (made !== this.#advances) {
        throw new CaromError({ code: "gone", message: "the world has advanced: these events are gone", field: "events" });
      }
      return view(engine.events_pointer(), engine.events_length());
    });
  }

  nextEvent() {
    if (!this.#call("next_event")) return undefined;
    const n = this.#out;
    const kind = UPCOMING[n[2]];
    const next = { time: n[0] + n[1], exactTime: exact(n, 0), kind };
    if (n[3] >= 0) next.a = n[3];
    if (kind === "discs") next.b = body(1, n[4], 0);
    if (kind === "enter" || kind === "leave") next.region = n[4];
    if (kind === "timer") next.timer = n[5];
    if (kind === "wall" || kind === "turned" || kind === "wall_moved") next.b = body(2, n[4], n[5]);
    return next;
  }

  setBudget(events) {
    this.#call("set_budget", whole(events, "events"));
  }

  setTimeScale(scale) {
    this.#call("set_time_scale", number(scale, "scale"));
  }

  setTimer(seconds, note = 0) {
    return this.#call("set_timer", number(seconds, "seconds"), whole(note, "note"));
  }

  setTimerAt(time, note = 0) {
    whole(note, "note");
    if (typeof time === "object" && time !== null) {
      const [epoch, offset] = [finite(time.epoch, "time.epoch"), finite(time.offset, "time.offset")];
      return this.#call("set_timer_at_exact", epoch, offset, note);
    }
    return this.#call("set_timer_at", number(time, "time"), note);
  }

  cancelTimer(timer) {
    return this.#call("cancel_timer", whole(timer, "timer"));
  }

  get timers() {
    this.#call("timers");
    const n = this.#out;
    const timers = [];
    for (let at = 0; at < n.length; at += 3) {
      timers.push({ timer: n[at], time: n[at + 1] + n[at + 2], exactTime: exact(n, at + 1) });
    }
    return timers;
  }

  get now() {
    const { epoch, offset } = this.exactNow;
    return epoch + offset;
  }

  get exactNow() {
    this.#call("now");
    return exact(this.#out, 0);
  }

  get discCount() {
    return this.#call("count");
  }

  get positions() {
    this.#call("read_positions");
    return view(this.#engine.positions_pointer(), this.#engine.positions_length());
  }

  get states() {
    this.#call("read_states");
    return view(this.#engine.states_pointer(), this.#engine.states_length());
  }

  get angles() {
    this.#call("read_angles");
    return view(this.#engine.angles_pointer(), this.#engine.angles_length());
  }

  get angularVelocities() {
    this.#call("read_spins");
    return view(this.#engine.spins_pointer(), this.#engine.spins_length());
  }

  get handles() {
    this.#call("read_handles");
    return view(this.#engine.handles_pointer(), this.#engine.handles_length());
  }

  discs() {
    return Array.from(this.handles);
  }

  get totals() {
    this.#call("totals");
    const n = this.#out;
    return {
      kineticEnergy: n[0], energy: n[1], momentum: pair(n, 2), events: n[4], discImpacts: n[5], wallImpacts: n[6],
      groups: n[7], changes: n[8], madePlastic: n[9], ledger: n[10],
      rotationalEnergy: n[11],
    };
  }

  hash() {
    return this.#call("hash");
  }

  #bodies() {
    const n = this.#out;
    const found = [];
    for (let at = 0; at < n.length; at += 3) found.push(body(n[at], n[at + 1], n[at + 2]));
    return found;
  }

  overlapPoint(point, filter) {
    this.#call("overlap_point", ...vector(point, "point"), read.filter(filter));
    return this.#bodies();
  }

  overlapDisc(center, radius, filter) {
    this.#call("overlap_disc", ...vector(center, "center"), number(radius, "radius"), read.filter(filter));
    return this.#bodies();
  }

  overlapBox(min, max, filter) {
    this.#call("overlap_box", Float64Array.of(...vector(min, "min"), ...vector(max, "max")), read.filter(filter));
    return this.#bodies();
  }

  heldTo(disc) {
    this.#call("held_to", number(disc, "disc"));
    return this.#bodies();
  }

  nearest(point, most = 1, filter) {
    this.#call("nearest", ...vector(point, "point"), whole(most, "most"), read.filter(filter));
    const n = this.#out;
    const found = [];
    for (let at = 0; at < n.length; at += 6) {
      found.push({ body: body(n[at], n[at + 1], n[at + 2]), distance: n[at + 3], point: pair(n, at + 4) });
    }
    return found;
  }

  #rays(origin, direction, isFirst, options = {}) {
    const filter = read.filter(options, ["maxDistance"]);
    const most = number(options.maxDistance ?? Infinity, "maxDistance");
    const ray = Float64Array.of(...vector(origin, "origin"), ...vector(direction, "direction"), most);
    this.#call("cast_ray", ray, isFirst, filter);
    const n = this.#out;
    const hits = [];
    for (let at = 0; at < n.length; at += 8) {
      const isInside = n[at + 6] === 0 && n[at + 7] === 0;
      const normal = isInside ? undefined : pair(n, at + 6);
      hits.push({ body: body(n[at], n[at + 1], n[at + 2]), distance: n[at + 3], point: pair(n, at + 4), normal });
    }
    return hits;
  }

  castRay(origin, direction, options) {
    return this.#rays(origin, direction, true, options)[0];
  }

  rayHits(origin, direction, options) {
    return this.#rays(origin, direction, false, options);
  }

  castDisc(disc, options = {}) {
    if (typeof disc !== "object" || disc === null) throw refused("disc", disc, "an object");
    const filter = read.filter(options, ["maxTime", "frozen"]);
    const { maxTime = Infinity, frozen = false } = options;
    const numbers = Float64Array.of(
      ...vector(disc.position, "position"), number(disc.radius, "radius"), ...vector(disc.velocity, "velocity"),
      number(maxTime, "maxTime"), flag(frozen, "frozen") ? 1 : 0,
    );
    if (!this.#call("cast_disc", numbers, filter)) return undefined;
    const n = this.#out;
    return {
      body: body(n[0], n[1], n[2]), time: n[3] + n[4], exactTime: exact(n, 3), seconds: n[5], position: pair(n, 6),
      point: pair(n, 8), normal: pair(n, 10),
    };
  }

  forecast(disc, options) {
    const [how, change] = read.forecast(options);
    this.#call("forecast", number(disc, "disc"), how, change);
    const n = this.#out;
    const pieces = [];
    for (let at = 1; at < n.length; at += PIECE) {
      const piece = {
        start: n[at] + n[at + 1],
        end: n[at + 2] + n[at + 3],
        exactEnd: exact(n, at + 2),
        time: n[at + 4] + n[at + 5],
        position: pair(n, at + 6),
        velocity: pair(n, at + 8),
        acceleration: pair(n, at + 10),
        endPosition: pair(n, at + 17),
      };
      if (n[at + 12] !== 0) piece.met = { body: body(n[at + 12], n[at + 13], n[at + 14]), point: pair(n, at + 15) };
      pieces.push(piece);
    }
    return { pieces, end: PATH_ENDS[n[0]] ?? "stopped" };
  }
}
