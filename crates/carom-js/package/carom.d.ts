/**
 * Event-driven physics for discs in the plane.
 *
 * A world knows the exact moment of each disc's next event. `advance` jumps from event to event, and between events a
 * path is a formula: nothing tunnels, and the result does not depend on the frame rate. Lengths are in units of the
 * caller's, times in seconds, angles in radians.
 *
 * ```ts
 * import { init, World } from "carom-physics";
 *
 * await init();
 * const world = new World();
 * world.addWall({ shape: "container", min: [0, 0], max: [20, 10] });
 * const cue = world.addDisc({ position: [4, 5], radius: 0.5, velocity: [30, 1] });
 * world.addDisc({ position: [14, 5], radius: 0.5 });
 * world.advance(1 / 60);
 * for (const event of world.events) {
 *   if (event.kind === "impact") console.log(event.time, event.a, event.impulse);
 * }
 * console.log(world.get(cue).position);
 * ```
 */

/** A point or a vector: an array of two numbers, or an object with `x` and `y`. */
export type Vector = readonly [number, number] | { readonly x: number; readonly y: number };
/** A point or a vector, as it is given back. */
export type Pair = [x: number, y: number];

declare const disc: unique symbol;
declare const wall: unique symbol;
declare const region: unique symbol;
declare const timer: unique symbol;
/** Names a disc of a world for as long as it is there. A number; a stale one is an error, never another disc. */
export type DiscId = number & { readonly [disc]: true };
/** Names a wall of a world for as long as it is there. */
export type WallId = number & { readonly [wall]: true };
/** Names a region of a world for as long as it is there. */
export type RegionId = number & { readonly [region]: true };
/** Names a timer of a world. Never used again. */
export type TimerId = number & { readonly [timer]: true };

/** A moment to the last bit: `epoch + offset` seconds, which as one number would be rounded. */
export interface ExactTime {
  readonly epoch: number;
  readonly offset: number;
}

/** What something meets or touches. */
export type Body =
  | { readonly kind: "disc"; readonly disc: DiscId }
  | { readonly kind: "wall"; readonly wall: WallId; /** Which of its parts, counted from 0. */ readonly part: number };

/** Why a call was refused. The world is as it was before. */
export class CaromError extends Error {
  /**
   * `"value"`: a number or option is not allowed. `"gone"`: a handle names nothing (any more). `"overlap"`: something
   * would overlap. `"scene"`, `"text"`: a text cannot be read. `"full"`: no more discs fit. `"freed"`: the world has
   * been freed. `"uninitialized"`: `init` has not been awaited. `"refused"`: anything else that the engine refuses.
   * `"internal"`: the module failed, most likely for want of memory; `init()` makes it anew, and all worlds of before
   * are `"gone"`.
   */
  readonly code:
    | "value" | "gone" | "overlap" | "scene" | "text" | "full" | "freed" | "uninitialized" | "refused" | "internal";
  /** Which value, such as `radius` or `velocity.x`. */
  readonly field?: string;
  /** What was given, as text. */
  readonly value?: string;
  /** What would have been accepted. */
  readonly allowed?: string;
}

/** What `init` takes: where the module is, its bytes, or the module. By default the file beside the package's own. */
export type WasmSource = string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/**
 * Loads the engine. Once is enough, later calls do nothing, unless the module has failed (`"internal"`): then they
 * make it anew, with new memory. In node the file is read, in browsers it is fetched. With
 * a bundler that does not follow `new URL(…, import.meta.url)`, give the address of `carom-physics/carom.wasm`.
 */
export function init(source?: WasmSource): Promise<void>;
/** As `init`, from bytes or a module, at once. */
export function initSync(source: BufferSource | WebAssembly.Module): void;

/** What holds for a whole world. All have defaults. */
export interface WorldOptions {
  /** The acceleration of all discs, in length units a second². It makes a world with forces. */
  gravity?: Vector;
  /** The acceleration that presses discs onto the table on which they slide with friction. */
  weight?: number;
  /** Whether discs may have accelerations and friction; true where there is gravity or a weight. */
  forces?: boolean;
  /** The lengths after which the plane repeats itself. */
  periodic?: { x?: number; y?: number };
  /** The rate at which drag slows all discs down, 1/s. */
  drag?: number;
  /** How fast all radii grow from the start on, 1/s: a radius r is r (1 + growth t) after t seconds. As `setGrowth` says. */
  growth?: number;
  /** The time at which the world starts. */
  start?: number;
  /** How the restitutions of two bodies combine. Default `"geometric_mean"`. */
  restitution?: "geometric_mean" | "minimum" | "maximum" | "average" | "product";
  /** How impacts of the same instant that share discs are resolved. Default `"together"`. */
  simultaneous?: "together" | "one_by_one";
  /** What happens where unstoppable bodies close in on something. Default `"give_way"`. */
  crush?: "give_way" | "stop";
  /** After how many impacts within the contact time an inelastic collapse is ended; 0 for never. */
  collapseAfter?: number;
  /** That contact time, in seconds. */
  contactTime?: number;
  /** Whether contacts that press come to rest. Default true. */
  rest?: boolean;
  /**
   * Most events that one call of `advance` resolves. Default 10⁷. A call also ends, as `"stopped"`, where 2²⁰ records of
   * events are kept, and goes on when it is called again.
   */
  budget?: number;
  /** What becomes of bodies that meet, by rules: see `World.setVerdicts`. It makes a world with forces. */
  verdicts?: readonly VerdictRule[];
  /**
   * How discs and walls rub that have no roughness of their own. It makes a world whose discs turn. Such a world has forces, and neither
   * drag nor growth. With `{ friction: 0 }` only those surfaces rub that have a roughness of their own.
   */
  rough?: RoughnessOptions;
}

/**
 * How a surface rubs. Of two surfaces `friction` and `rollingResistance` are the geometric means, 0 if one is 0, and `tangentialRestitution`
 * is the arithmetic mean.
 */
export interface RoughnessOptions {
  /** The coefficient of friction μ, from 0 to 10¹⁵ or infinite: the force along a surface is at most μ times the one across it. */
  friction: number;
  /** Of an impact that does not slip, −1 to 1: 0 for surfaces that roll on each other afterwards, 1 for a superball. Default 0. */
  tangentialRestitution?: number;
  /**
   * The coefficient of rolling resistance ρ, from 0 to 10¹⁵: what rolls is braked by a moment of at most ρ R times the force across the
   * surface, with the radius R. Default 0: it rolls on for ever.
   */
  rollingResistance?: number;
}

/** How a disc is turned, turns and rubs, in a world with `rough`. Angles and turns are counterclockwise. */
export interface SpinOptions {
  /** In radians, −10¹⁵ to 10¹⁵. Default 0. It is read as a number from −π to π. */
  angle?: number;
  /** In radians a second, −10⁵⁰ to 10⁵⁰. Default 0. */
  angularVelocity?: number;
  /**
   * The moment of inertia as a multiple of m R², from 10⁻¹⁵ to 10¹⁵ or infinite, for what nothing turns: ½ for a uniform disc, the
   * default, ⅖ for a ball, 1 for a ring.
   */
  inertia?: number;
  /** Its roughness, if it is not that of the world. */
  roughness?: RoughnessOptions;
}

/** How the surface of a wall rubs and runs, in a world with `rough`. */
export interface SurfaceOptions {
  /** Its roughness, if it is not that of the world. */
  roughness?: RoughnessOptions;
  /**
   * The speed at which it runs along the wall, as that of a conveyor or a roller does, −10¹⁵ to 10¹⁵. What lies on it is carried to the
   * right where it is positive, seen with the wall below; the surface of a pillar then turns clockwise. Default 0.
   */
  surfaceSpeed?: number;
}

/** Which of two bodies that meet a rule is for: what is left out is not looked at. */
export interface Meets {
  is?: "disc" | "wall";
  /** Its user data: this number, or from the first one to the second. */
  userData?: number | readonly [least: number, most: number];
  /** It is in one of these groups, 32 bits. */
  membership?: number;
  team?: number;
}

/** What becomes of two that meet. `which` and the like name the two as the rule does. */
export type Verdict =
  /** They bounce, as without a rule. */
  | { verdict: "bounce" }
  /** They bounce with this restitution, from 0 to 10¹⁵; above 1 it adds energy. */
  | { verdict: "restitution"; restitution: number }
  /** They bounce with this normal impulse, or with the one that stops them if that is more. */
  | { verdict: "impulse"; impulse: number }
  /** They bounce elastically, but the second half of the impulse is at least so large. */
  | { verdict: "least_impulse"; impulse: number }
  /** A bumper: they bounce, and part faster by this speed. */
  | { verdict: "kick"; speed: number }
  /** They go through each other until they have parted: a ghost, a platform from below. */
  | { verdict: "pass" }
  /** A pocket: these discs are taken off the plane, and their handles stay; `setPosition` and `setEnabled` put them back. */
  | { verdict: "capture"; which: "first" | "second" | "both" }
  /** These, discs or walls, are removed, and the other one goes on; or both bounce before that. */
  | { verdict: "remove" | "bounce_and_remove"; which: "first" | "second" | "both" };

/**
 * What is done besides, after the impacts of the instant, as the function of the world of the same name does. What cannot be done then
 * is an event `"refused"`. Those that are for a disc do nothing of a wall.
 */
export type VerdictCommand =
  | { do: "setUserData"; of: "first" | "second"; userData: number }
  | { do: "setVelocity"; of: "first" | "second"; velocity: Vector }
  | { do: "setPosition"; of: "first" | "second"; position: Vector }
  | { do: "applyImpulse"; of: "first" | "second"; impulse: Vector }
  | { do: "setEnabled"; of: "first" | "second"; enabled: boolean }
  | { do: "setRadius"; of: "first" | "second"; radius: number }
  | { do: "setMass"; of: "first" | "second"; mass: number }
  | { do: "setRestitution"; of: "first" | "second"; restitution: number }
  /** Of a disc, or of a wall. */
  | ({ do: "setRules"; of: "first" | "second" } & RulesOptions)
  | { do: "setTimer"; seconds: number; note?: number }
  | { do: "turnArm"; wall: WallId; angle: number; rate: number }
  /** To be there in this many seconds. */
  | { do: "moveWall"; wall: WallId; offset: Vector; seconds: number }
  /** A disc whose position is counted from where the two touch, or from the centre of one (of a wall from the point of contact). */
  | { do: "addDisc"; at?: "contact" | "first" | "second"; disc: DiscOptions };

/** A rule: for whom, and what becomes of them. */
export type VerdictRule = Verdict & {
  /** The two, in either order. */
  first?: Meets;
  second?: Meets;
  /** Only if they approach at least so fast, or at most. */
  minSpeed?: number;
  maxSpeed?: number;
  /** Only if the second lies on this side of the first: the normal from the first to the second has a part along it. */
  toward?: Vector;
  commands?: readonly VerdictCommand[];
};

/** What a disc collides with: each must be in a group that the other accepts, and of another team. */
export interface RulesOptions {
  /** The groups that it is in, 32 bits. Default 1. */
  membership?: number;
  /** The groups that it accepts, 32 bits. Default all. */
  mask?: number;
  /** Members of one team do not collide with each other; 0, the default, is none. */
  team?: number;
}

/** What accelerates a disc, in a world with forces. */
export interface ForcesOptions {
  /** An acceleration of its own. */
  acceleration?: Vector;
  /** How many times the world's gravity moves it. Default 1. */
  gravityScale?: number;
  /** Coefficient of its sliding friction with the table. Default 0. */
  friction?: number;
  /**
   * The speed up to which these accelerate it, from 10⁻¹⁵ to 10¹⁵; default infinite. It bounds neither impacts nor edits. Refused beside
   * friction. Not `maxSpeed`, the speed at which a kinematic disc is sent.
   */
  speedLimit?: number;
}

/** A disc to be inserted. */
export interface DiscOptions extends RulesOptions, ForcesOptions, SpinOptions {
  position: Vector;
  /** 0 (a point), or from 10⁻¹⁵ to 10¹⁵. */
  radius: number;
  /** Default at rest. */
  velocity?: Vector;
  /** From 10⁻⁵⁰ to 10⁵⁰; `Infinity`: discs never deflect it; 0: others do not feel it. Default 1. */
  mass?: number;
  /** Coefficient of restitution, 0 to 1. Default 1. */
  restitution?: number;
  /** A whole number of the caller's, 0 to 2⁵³ − 1. */
  userData?: number;
  /** Whether it may be put where it overlaps something. */
  overlap?: boolean;
  /** Whether it collides with nothing and reports what overlaps it. */
  sensor?: boolean;
  /** Whether it goes where the caller sends it, through walls, of infinite mass. */
  kinematic?: boolean;
  /** The largest speed at which `moveTo` sends it. */
  maxSpeed?: number;
}

/** Form and place of a wall. */
export type WallShape =
  /** Solid behind a line; the normal points to the free side. */
  | { shape: "half_plane"; point: Vector; normal: Vector }
  | { shape: "segment"; a: Vector; b: Vector }
  /** Stops what comes from its left, looking from `a` to `b`. */
  | { shape: "one_sided_segment"; a: Vector; b: Vector }
  /** A fixed disc, hit from outside. */
  | { shape: "disc"; center: Vector; radius: number }
  /** A round room, hit from inside. */
  | { shape: "circle"; center: Vector; radius: number }
  | { shape: "arc"; center: Vector; radius: number; start: number; sweep: number }
  | { shape: "polyline"; points: readonly Vector[]; closed?: boolean }
  /** A rectangular room. */
  | { shape: "container"; min: Vector; max: Vector }
  /** A flipper: turns about its pivot. */
  | { shape: "arm"; pivot: Vector; length: number; radius: number; angle: number }
  /** A straight bar with round ends, hit from outside: a paddle. */
  | { shape: "capsule"; a: Vector; b: Vector; radius: number }
  | { shape: "stadium"; center: Vector; half_length: number; radius: number };

/** A wall to be put up. */
export type WallOptions = WallShape & RulesOptions & SurfaceOptions & {
  /** Coefficient of restitution, 0 to 1. Default 1. */
  restitution?: number;
  userData?: number;
  /** The largest speed at which `moveWall` moves it. */
  maxSpeed?: number;
};

/** A wall as it stands now. */
export interface WallState {
  readonly wall: WallId;
  /** Its form, with the type of it as `shape`. */
  readonly form: WallShape;
  readonly restitution: number;
  readonly userData: number;
  /** Its own; `undefined` if it has that of the world. */
  readonly roughness: Required<RoughnessOptions> | undefined;
  readonly surfaceSpeed: number;
}

/** Form and place of a region; of one that a disc carries, relative to the disc's centre. */
export type RegionShape =
  | { shape: "disc"; center: Vector; radius: number }
  /** Along the axes. */
  | { shape: "rectangle"; min: Vector; max: Vector }
  /** All that is behind a line; the normal leads out of it. */
  | { shape: "half_plane"; point: Vector; normal: Vector }
  /** A light barrier: seen by edges. */
  | { shape: "segment"; a: Vector; b: Vector }
  /** What is solid of a wall: seen by edges. */
  | { shape: "wall"; wall: WallId };

/**
 * A part of the plane that reports which discs enter and leave it, by events, and touches none of them. Its rules say which discs
 * it sees.
 */
export type RegionOptions = RegionShape & RulesOptions & {
  /** The disc that carries it, and which it does not see. */
  carrier?: DiscId;
  /** What of a disc is to be inside: its centre, or any part. Default `"centre"`, and `"edge"` for segments and walls. */
  extent?: "centre" | "edge";
  /** Whether it sees discs that are sensors among sensors. Default false. */
  sensors?: boolean;
  /** A whole number of the caller's, 0 to 2⁵³ − 1. */
  userData?: number;
};

/** A region as it is. */
export interface RegionState extends Required<RulesOptions> {
  readonly region: RegionId;
  readonly form: RegionShape;
  readonly carrier: DiscId | undefined;
  readonly extent: "centre" | "edge";
  readonly sensors: boolean;
  readonly userData: number;
}

/** A timer that is set. */
export interface TimerState {
  readonly timer: TimerId;
  /** When it ends, in seconds of the world. */
  readonly time: number;
  readonly exactTime: ExactTime;
}

/** A disc at the present. */
export interface DiscState {
  readonly disc: DiscId;
  readonly position: Pair;
  /** In a periodic world the position without wrapping; else the same. */
  readonly unwrapped: Pair;
  readonly velocity: Pair;
  readonly acceleration: Pair;
  readonly radius: number;
  readonly mass: number;
  readonly restitution: number;
  readonly userData: number;
  readonly rules: Required<RulesOptions>;
  readonly forces: {
    readonly acceleration: Pair; readonly gravityScale: number; readonly friction: number; readonly speedLimit: number;
  };
  readonly sensor: boolean;
  readonly kinematic: boolean;
  /** False while it is off the plane. */
  readonly enabled: boolean;
  readonly maxSpeed: number;
  /** From −π to π. This and `angularVelocity` are 0 in a world without `rough`. */
  readonly angle: number;
  readonly angularVelocity: number;
  readonly inertia: number;
  /** Its own; `undefined` if it has that of the world. */
  readonly roughness: Required<RoughnessOptions> | undefined;
}

interface EventTime {
  /** Seconds. */
  readonly time: number;
  readonly exactTime: ExactTime;
}

/** One contact of an impact. When several discs meet at one instant, their contacts share `time` and `group`. */
export interface ImpactEvent extends EventTime {
  readonly kind: "impact";
  /** The disc that was inserted first, or the one that hit the wall. */
  readonly a: DiscId;
  readonly b: Body;
  readonly group: number;
  /** Where they touch. */
  readonly point: Pair;
  /** Unit normal from `a` to `b`. */
  readonly normal: Pair;
  readonly approachSpeed: number;
  /** Momentum that this contact gave to `b` along the normal. */
  readonly impulse: number;
  /** Velocities before, of `a` and of `b`. */
  readonly before: [Pair, Pair];
  readonly after: [Pair, Pair];
  readonly userData: [number, number];
}

/** Something that happened. */
export type WorldEvent =
  | ImpactEvent
  /** The motion of a disc changes: friction has stopped it; its acceleration ends at its `speedLimit`; contacts have slowed it, and that acts again. */
  | (EventTime & {
      readonly kind: "change"; readonly a: DiscId; readonly change: "stops" | "reaches_limit" | "resumes" | "other";
    })
  | (EventTime & {
      readonly kind: "crushed"; readonly a: DiscId; readonly by: DiscId; readonly b: Body; readonly impulse: number;
    })
  /** A contact begins to be held, or ceases to be. */
  | (EventTime & {
      readonly kind: "held" | "let_go"; readonly a: DiscId; readonly b: Body; readonly point: Pair; readonly normal: Pair;
    })
  | (EventTime & { readonly kind: "released"; readonly a: DiscId; readonly velocity: Pair })
  | (EventTime & { readonly kind: "timer"; readonly timer: TimerId; readonly note: number })
  | (EventTime & { readonly kind: "move_blocked"; readonly a: DiscId; readonly position: Pair; readonly target: Pair })
  | (EventTime & { readonly kind: "turned" | "turn_blocked"; readonly wall: WallId; readonly angle: number })
  | (EventTime & { readonly kind: "wall_moved" | "wall_blocked"; readonly wall: WallId; readonly offset: Pair })
  | (EventTime & {
      readonly kind: "entered" | "left"; readonly a: DiscId; readonly region: RegionId; readonly position: Pair;
      readonly velocity: Pair;
      /** `"motion"`, or which edit it was. */
      readonly cause: "motion" | "placed" | "rules" | "disabled" | "disc_removed" | "region_removed" | "other";
      /** Of the disc, and of the region. */
      readonly userData: [number, number];
    })
  /** Radii had no room left to grow, and ceased to. */
  | (EventTime & { readonly kind: "growth_ended" })
  /** By verdict the two go through each other until they have parted. */
  | (EventTime & {
      readonly kind: "passed"; readonly a: DiscId; readonly b: Body; readonly point: Pair; readonly normal: Pair;
      readonly approachSpeed: number; readonly userData: [number, number];
    })
  /** By verdict a disc is off the plane, or gone: its last state, and what it met, with the user data of that. */
  | (EventTime & {
      readonly kind: "captured" | "removed"; readonly a: DiscId; readonly position: Pair; readonly velocity: Pair; readonly userData: number;
      readonly by: Body | undefined; readonly byUserData: number;
    })
  | (EventTime & { readonly kind: "wall_removed"; readonly wall: WallId; readonly userData: number })
  | (EventTime & { readonly kind: "inserted"; readonly a: DiscId; readonly userData: number })
  /** A verdict, or a command of one, that could not be carried out. */
  | (EventTime & {
      readonly kind: "refused";
      readonly what: "verdict" | "insert" | "remove" | "velocity" | "position" | "property" | "timer" | "other";
      readonly reason: "out_of_range" | "gone" | "overlap" | "full" | "other";
    })
  | (EventTime & { readonly kind: "other" });

/**
 * The events of the last call of `advance`. Each is read when it is asked for; a list is good until the world advances
 * again, and says so afterwards by an error.
 */
export interface EventList extends Iterable<WorldEvent> {
  readonly length: number;
  at(index: number): WorldEvent;
  /**
   * The records in the memory of the module, without a copy: `EVENT_STRIDE` numbers each. In order: kind (as in
   * `EVENT_KINDS`), time (epoch, offset), disc `a`, kind of `b` (0 none, 1 disc, 2 wall), its handle, its part, number
   * (group of an impact, note of a timer, region, what was refused), point, normal, speed of approach (of a timer its handle, of a refusal the reason), impulse, velocities before of `a` and of
   * `b`, after of both, user data of both.
   */
  readonly records: Float64Array;
  /** All of them as objects. */
  toArray(): WorldEvent[];
}

/** How a call of `advance` ended. */
export interface Advance {
  /** `"reached"` is as asked; after `"out_of_budget"`, calling again goes on. */
  readonly end: "reached" | "stopped" | "out_of_budget" | "crushed" | "jammed" | "outgrown" | "other";
  readonly time: number;
  readonly exactTime: ExactTime;
  /** How many events there were; a group of impacts is one. */
  readonly events: number;
}

/** What will happen next, if nothing is edited. */
export interface Upcoming {
  readonly time: number;
  readonly exactTime: ExactTime;
  readonly kind:
    | "discs" | "wall" | "change" | "release" | "enter" | "leave" | "timer" | "arrive" | "turned" | "wall_moved" | "other";
  readonly a?: DiscId;
  readonly b?: Body;
  /** Of `"enter"` and `"leave"`. */
  readonly region?: RegionId;
  /** Of `"timer"`. */
  readonly timer?: TimerId;
}

/** What a query looks at. */
export interface FilterOptions extends RulesOptions {
  only?: "discs" | "walls";
  excluding?: DiscId;
}

export interface Nearest {
  readonly body: Body;
  /** From the point to its surface; 0 inside. */
  readonly distance: number;
  readonly point: Pair;
}

export interface RayHit {
  readonly body: Body;
  readonly distance: number;
  readonly point: Pair;
  /** Towards the side from which the ray comes; `undefined` if it starts inside. */
  readonly normal: Pair | undefined;
}

export interface DiscHit {
  readonly body: Body;
  readonly time: number;
  readonly exactTime: ExactTime;
  /** Seconds until then. */
  readonly seconds: number;
  /** Where its centre is then. */
  readonly position: Pair;
  readonly point: Pair;
  readonly normal: Pair;
}

/** A piece of a path: `position + velocity s + ½ acceleration s²`, s seconds after `time`. */
export interface PathPiece {
  readonly start: number;
  /** `Infinity` if it goes on for ever. */
  readonly end: number;
  /** To the last bit. */
  readonly exactEnd: ExactTime;
  readonly time: number;
  readonly position: Pair;
  readonly velocity: Pair;
  readonly acceleration: Pair;
  /** Where the centre is at the end; of no meaning if that never comes. */
  readonly endPosition: Pair;
  /** What the disc meets at the end. */
  readonly met?: { readonly body: Body; readonly point: Pair };
}

export interface Forecast {
  readonly pieces: PathPiece[];
  readonly end: "time" | "impacts" | "removed" | "stopped";
}

export interface ForecastOptions {
  /** For how many seconds. */
  maxTime: number;
  /** After how many impacts of the disc it ends. */
  maxImpacts?: number;
  /** Whether the others stand still. */
  frozen?: boolean;
  /** What would be if the disc were there. */
  position?: Vector;
  /** What would be if the disc had this velocity. */
  velocity?: Vector;
}

/** Energies, momentum, and what has been counted. */
export interface Totals {
  /** ½ m v², of all discs of finite mass. The energy of rotation is not in it. */
  readonly kineticEnergy: number;
  /** ½ I ω², of all discs of finite mass and inertia. */
  readonly rotationalEnergy: number;
  /** Kinetic and potential. The energy of rotation is not in it. */
  readonly energy: number;
  readonly momentum: Pair;
  readonly events: number;
  readonly discImpacts: number;
  readonly wallImpacts: number;
  /** Groups of more than two, resolved together. */
  readonly groups: number;
  /** Motions that changed by themselves. */
  readonly changes: number;
  /** Impacts that the rule against collapse made plastic. */
  readonly madePlastic: number;
  /** How kinetic energy has changed since the start, by all events. */
  readonly ledger: number;
}

/** What a scene says beside its world. */
export interface SceneInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The time at which a run ends by default. */
  readonly until: number;
  readonly view: { bounds?: { min: Pair; max: Pair }; pockets?: { center: Pair; radius: number }[]; [key: string]: unknown };
  /** By the user data of discs, which is their place in the file. */
  readonly colours: (string | null)[];
  readonly stripes: boolean[];
  readonly labels: (string | null)[];
}

/**
 * Owns discs and walls, advances to the next event, resolves it.
 *
 * Typed arrays (`positions`, `states`, `angles`, `angularVelocities`, `handles`, `events.records`) are views of the memory of the module, not copies.
 * A view is good until the next call of any world of the module: the memory may grow then, and an old view would have
 * the length 0. Ask for it again after each call, which costs next to nothing, or keep a copy (`slice()`).
 */
export class World {
  constructor(options?: WorldOptions);
  /**
   * The world of a scene: the text of a file in TOML or JSON, or the name of a scene that comes with the engine. `forces` and `rough` make
   * it one with forces, or with discs that rub, where the scene has none. A scene's own `roughness` gives way to `rough`.
   */
  static fromScene(textOrName: string, options?: { forces?: boolean; rough?: RoughnessOptions }): World;
  /** The world of a snapshot: goes on to the last bit as the saved one does. */
  static load(snapshot: string): World;
  /** All of the world, as text. */
  save(): string;
  /** The same world again, which goes its own way. */
  clone(): World;
  /** Makes this world the same as another one, in the memory that it has. */
  copyFrom(other: World): void;
  /** Gives its memory back. After that every call is refused. Left out, it is given back when the object is collected. */
  free(): void;
  [Symbol.dispose](): void;
  readonly isFreed: boolean;

  /** What the scene says that it was made of. */
  readonly scene: SceneInfo | undefined;
  readonly hasForces: boolean;
  /** How all rub that have no roughness of their own; `undefined` in a world whose discs do not rub. */
  readonly rough: Required<RoughnessOptions> | undefined;
  /** The acceleration of all discs; zero in a world without forces. */
  readonly gravity: Pair;
  /** Refused in a world without forces. */
  setGravity(gravity: Vector): void;

  /**
   * The rules of a game: of two that meet, the first rule that is for them says what becomes of them; if there is none, they bounce.
   * Asked once for each contact, at its exact time. A table and no callback, so that a run has the same bits everywhere: copies, snapshots and
   * workers have it, too. Refused in a world without forces (`verdicts: []` or `forces: true` make one that has them). An edit, as `setGravity`
   * is: O(N).
   *
   * ```ts
   * const [BALL, BUMPER, BRICK, BULLET] = [1, 2, 3, 4];
   * const world = new World({ verdicts: [
   *   { second: { userData: BUMPER }, verdict: "kick", speed: 2, commands: [{ do: "setTimer", seconds: 0, note: 100 }] },
   *   { first: { userData: BALL }, second: { userData: BRICK }, minSpeed: 3, verdict: "bounce_and_remove", which: "second" },
   *   { first: { userData: BULLET }, verdict: "remove", which: "first" },
   * ] });
   * ```
   */
  setVerdicts(verdicts: readonly VerdictRule[]): void;

  /** How fast the radii grow now, 1/s and in proportion to themselves; 0 if they do not. It falls as they grow. */
  readonly growth: number;
  /**
   * Lets all radii grow from now on, each by `rate` times its present length every second; 0 stops it. Surfaces that grow push, so
   * impacts add energy. Where nothing can give way growth ends, with an event `"growth_ended"`; a run ends as `"outgrown"` where
   * discs are too large for the world. Refused beside forces, drag, round rooms and arcs. O(N).
   */
  setGrowth(rate: number): void;
  /** Multiplies all velocities by a factor, at least 0. O(N). */
  scaleVelocities(factor: number): void;

  addDisc(options: DiscOptions): DiscId;
  addDiscs(options: Iterable<DiscOptions>): DiscId[];
  remove(disc: DiscId): void;
  /** Removes all discs. */
  clear(): void;
  has(disc: DiscId): boolean;
  /** A disc at the present. */
  get(disc: DiscId): DiscState;
  setPosition(disc: DiscId, position: Vector): void;
  setVelocity(disc: DiscId, velocity: Vector): void;
  /** Handle, x, y of each disc, all at once: all are changed or none. */
  setVelocities(rows: ArrayLike<number>): void;
  /** Handle, x, y of each disc, all at once: they may take each other's places. */
  setPositions(rows: ArrayLike<number>): void;
  applyImpulse(disc: DiscId, impulse: Vector): void;
  setRadius(disc: DiscId, radius: number): void;
  setMass(disc: DiscId, mass: number): void;
  setRestitution(disc: DiscId, restitution: number): void;
  setUserData(disc: DiscId, userData: number): void;
  setRules(disc: DiscId, rules: RulesOptions): void;
  setForces(disc: DiscId, forces: ForcesOptions): void;
  /** Changes how a disc turns and rubs; what is left out stays. With `roughness: null` it has that of the world. Refused in a world without `rough`. */
  setSpin(disc: DiscId, spin: Omit<SpinOptions, "roughness"> & { roughness?: RoughnessOptions | null }): void;
  setOverlap(disc: DiscId, isAllowed: boolean): void;
  /**
   * Pushes discs that overlap each other or walls apart, by the least moves, and gives those that it has moved. Velocities
   * stay. Refused as `"overlap"` where there is no room, and in a world that repeats itself.
   */
  pushApart(): { readonly disc: DiscId; readonly from: Pair; readonly to: Pair }[];
  /**
   * Gives what overlaps the least change of velocities at which each pair parts at this speed at least; places stay.
   * Normals point from `a` to `b`, `energyAdded` is kinetic.
   */
  separateOverlaps(speed: number): {
    readonly overlaps: { readonly a: DiscId; readonly b: Body; readonly depth: number; readonly normal: Pair; readonly impulse: number }[];
    readonly energyAdded: number;
  };
  /** Takes a disc off the plane, or puts it back. */
  setEnabled(disc: DiscId, isEnabled: boolean): void;
  /** Sends a kinematic disc to a place, where it arrives after `seconds`; gives the time of arrival. */
  moveTo(disc: DiscId, target: Vector, seconds: number): number;
  /** As `moveTo`, with the time of arrival. */
  moveToUntil(disc: DiscId, target: Vector, time: number): number;
  /** Lets two discs pass through each other from now on; whether that is a change. */
  exclude(a: DiscId, b: DiscId): boolean;
  /** Lets two discs collide again. */
  include(a: DiscId, b: DiscId): boolean;
  /** Whether two discs pass through each other by `exclude`. */
  isExcluded(a: DiscId, b: DiscId): boolean;

  addWall(options: WallOptions): WallId;
  removeWall(wall: WallId): void;
  setWallRestitution(wall: WallId, restitution: number): void;
  setWallUserData(wall: WallId, userData: number): void;
  /** Gives a wall another surface: what is left out is the default. Refused in a world without `rough`. */
  setWallSurface(wall: WallId, surface: SurfaceOptions): void;
  /** Sets which discs a wall collides with. */
  setWallRules(wall: WallId, rules: RulesOptions): void;
  /** Moves a wall to where it is `offset` from where it was put up, within `seconds`. Gives the time of
   * arrival. */
  moveWall(wall: WallId, offset: Vector, seconds: number): number;
  /** As `moveWall`, with the time of arrival. */
  moveWallUntil(wall: WallId, offset: Vector, time: number): number;
  /** Turns an arm to an angle, at this many radians a second; gives the time at which it will be there. */
  turnArm(wall: WallId, angle: number, rate: number): number;
  readonly walls: WallState[];

  /** Puts up a region. The discs that are inside of it enter at the present time. */
  addRegion(options: RegionOptions): RegionId;
  /** Puts another region in the place of one. What is inside of both, and seen by both, has not left. */
  setRegion(region: RegionId, options: RegionOptions): void;
  /** Removes a region. What is inside leaves at the present time, which the next call of `advance` reports. */
  removeRegion(region: RegionId): void;
  readonly regions: RegionState[];
  /** The discs that are inside of a region now, the one inserted first at first. */
  inside(region: RegionId): DiscId[];
  isInside(region: RegionId, disc: DiscId): boolean;
  /** The region that a disc is as a sensor. */
  sensorRegion(disc: DiscId): RegionId | undefined;

  /** Advances by some seconds, events at the very end included. Always comes back, and says how. */
  advance(seconds: number): Advance;
  advanceTo(time: number | ExactTime): Advance;
  /** Advances to the next event and past it; does nothing if there is none. */
  stepEvent(): Advance;
  readonly events: EventList;
  nextEvent(): Upcoming | undefined;
  setBudget(events: number): void;
  /** How many seconds of the world pass in a second of `advance`. */
  setTimeScale(scale: number): void;
  /** An event in this many seconds, with a note (default 0). */
  setTimer(seconds: number, note?: number): TimerId;
  /** An event at a time, after all impacts of that instant. */
  setTimerAt(time: number | ExactTime, note?: number): TimerId;
  /** Cancels a timer; false if it is over, or has been cancelled. */
  cancelTimer(timer: TimerId): boolean;
  /** The timers that are set, in the order in which they come. */
  readonly timers: TimerState[];

  /** The present, in seconds. */
  readonly now: number;
  readonly exactNow: ExactTime;
  readonly discCount: number;
  /** x, y of each disc at the present. A view: see `World`. */
  readonly positions: Float64Array;
  /** x, y, velocity x, y, radius, mass, user data, handle of each disc, in the same order. A view. */
  readonly states: Float64Array;
  /** How each disc is turned, from −π to π, in the same order: 0 in a world without `rough`. A view. */
  readonly angles: Float64Array;
  /** How fast each disc turns, in radians a second, in the same order. A view. */
  readonly angularVelocities: Float64Array;
  /** The handle of each disc, in the same order. A view. */
  readonly handles: Float64Array;
  /** All discs, in the same order. */
  discs(): DiscId[];
  readonly totals: Totals;
  /** A hash of all positions and velocities at the present: 16 hexadecimal digits, the same on every machine. */
  hash(): string;

  overlapPoint(point: Vector, filter?: FilterOptions): Body[];
  overlapDisc(center: Vector, radius: number, filter?: FilterOptions): Body[];
  overlapBox(min: Vector, max: Vector, filter?: FilterOptions): Body[];
  /** The `most` nearest discs and walls, by the distance of their surfaces. */
  nearest(point: Vector, most?: number, filter?: FilterOptions): Nearest[];
  /** The first thing that a ray meets. */
  castRay(origin: Vector, direction: Vector, options?: FilterOptions & { maxDistance?: number }): RayHit | undefined;
  /** All that a ray meets, the nearest first. */
  rayHits(origin: Vector, direction: Vector, options?: FilterOptions & { maxDistance?: number }): RayHit[];
  /** What a disc would meet first if it were inserted now. */
  castDisc(
    disc: { position: Vector; radius: number; velocity: Vector },
    options?: FilterOptions & { maxTime?: number; frozen?: boolean },
  ): DiscHit | undefined;
  /** What a disc presses on now. */
  heldTo(disc: DiscId): Body[];
  /** The path of a disc from the present on, with all impacts of all discs on the way. The world stays as it is. */
  forecast(disc: DiscId, options: ForecastOptions): Forecast;
}

/**
 * A world with its past: it goes to any time at which it has been, or on to a later one, and the state there has the same bits
 * whichever way it came.
 *
 * Copies of the world are kept, one in so many events; to go somewhere, the latest one before is taken and runs on. Their memory is
 * bounded: where they would take more, every second one is dropped, and going back costs more events.
 *
 * ```ts
 * const timeline = new Timeline(world);
 * timeline.goTo(20);
 * timeline.goTo(3.5); // a slider, exactly
 * timeline.edit((world) => world.setVelocity(ball, [0, 1])); // the future is another one from here on
 * draw(timeline.world.positions);
 * ```
 */
export class Timeline {
  /** From the present of a world on, which stays as it is. The copies take up to `bytes`, 64 MiB by default; one is kept in any case. */
  constructor(world: World, options?: { bytes?: number });
  /**
   * The world as it is where the timeline is: always the same object, to be read. What is done to it outside of `edit` is undone when
   * the timeline goes anywhere. Its `events` are those of the way that was run, which begins at a copy; after `goToEvent` and the
   * steps, those of that event.
   */
  readonly world: World;
  /** The earliest time to which it can go back. */
  readonly start: number;
  readonly exactStart: ExactTime;
  /** The latest time at which it has been since the last edit. */
  readonly end: number;
  readonly exactEnd: ExactTime;
  /** The number of the last event up to the present, counted from 1. */
  readonly event: number;
  /** That of the event after which `start` is. */
  readonly firstEvent: number;
  /** That of the last event up to `end`. */
  readonly lastEvent: number;
  /** How many bytes the copies take. */
  readonly bytes: number;
  /** How many copies there are. */
  readonly copies: number;
  /** Goes to a time, back or on, events at it included. It ends where `World.advance` would. */
  goTo(time: number | ExactTime): Advance;
  /** Goes on by some seconds. */
  advance(seconds: number): Advance;
  /** Goes to just after an event, by its number; where there are fewer, it ends after the last one. */
  goToEvent(event: number): Advance;
  /** Goes on to the next event. */
  step(): Advance;
  /** Goes back to just after the event before the last one; if time has passed since the last one, back to that. */
  stepBack(): Advance;
  /** Edits the world at the present, and forgets the future. If `change` throws, nothing has been edited. Costs copies of the world. */
  edit<R>(change: (world: World) => R): R;
  /** Gives its memory back, and that of its `world`. */
  free(): void;
  [Symbol.dispose](): void;
  readonly isFreed: boolean;
}

/** The kinds of events, by the first number of a record. */
export const EVENT_KINDS: readonly string[];
/** Numbers of a record of `EventList.records`. */
export const EVENT_STRIDE: 24;
/** Numbers of a disc in `World.states`. */
export const STATE_STRIDE: 8;

/** The names of the scenes that come with the engine. */
export function sceneNames(): string[];
/** The text of a scene that comes with the engine. */
export function sceneText(name: string): string;
/**
 * Runs a scene that comes with the engine to its end: the number of its events, and a hash of every event and of every
 * state at the end. Native builds have the same.
 */
export function goldenRun(name: string): { name: string; events: number; hash: string };
