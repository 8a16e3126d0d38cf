// Option objects as the numbers and texts that the engine takes.

import { CaromError, finite, finiteVector, flag, number, options, refused, vector, whole, word } from "./check.js";

const U32 = 2 ** 32 - 1;
const RULES = ["membership", "mask", "team"];
const FORCES = ["acceleration", "gravityScale", "friction", "speedLimit"];
const ROUGHNESS = ["friction", "tangentialRestitution", "rollingResistance"];
const SURFACE = ["roughness", "surfaceSpeed"];
const SPIN = ["angle", "angularVelocity", "inertia", "roughness"];

/** Membership, mask and team. */
export function rules(given, what) {
  const { membership = 1, mask = U32, team = 0 } = given;
  return [whole(membership, `${what}membership`, U32), whole(mask, `${what}mask`, U32), whole(team, `${what}team`, U32)];
}

export function onlyRules(given) {
  return rules(options(given, "rules", RULES), "rules.");
}

/** Acceleration, scale of gravity, friction and limit of the speed. */
function forces(given) {
  const { acceleration = [0, 0], gravityScale = 1, friction = 0, speedLimit = Infinity } = given;
  return [
    ...vector(acceleration, "acceleration"), number(gravityScale, "gravityScale"), number(friction, "friction"),
    number(speedLimit, "speedLimit"),
  ];
}

export function onlyForces(given) {
  return forces(options(given, "forces", FORCES));
}

/** Friction, tangential restitution and rolling resistance. */
function roughness(given, what = "roughness") {
  const { friction, tangentialRestitution = 0, rollingResistance = 0 } = options(given, what, ROUGHNESS);
  return [
    number(friction, `${what}.friction`), number(tangentialRestitution, `${what}.tangentialRestitution`),
    number(rollingResistance, `${what}.rollingResistance`),
  ];
}

/** The numbers of the roughness of all that has none of its own: none where discs do not rub. */
export const rough = (given) => Float64Array.from(given === undefined ? [] : roughness(given, "rough"));

/** A roughness from its numbers. Of those of walls an infinite friction is `null`. */
export const roughnessAt = (numbers, at = 0) => ({
  friction: numbers[at] ?? Infinity, tangentialRestitution: numbers[at + 1], rollingResistance: numbers[at + 2],
});

/** How a disc is to turn and rub: which of it, and the numbers. What is left out stays. */
export function spin(given) {
  const { angle, angularVelocity, inertia, roughness: own } = options(given, "spin", SPIN);
  const numbers = [angle, angularVelocity, inertia].map((value, index) => (value === undefined ? 0 : number(value, SPIN[index])));
  const rub = own === undefined ? 0 : own === null ? 16 : 8;
  const bits = (angle === undefined ? 0 : 1) | (angularVelocity === undefined ? 0 : 2) | (inertia === undefined ? 0 : 4) | rub;
  return Float64Array.of(bits, ...numbers, ...(rub === 8 ? roughness(own) : [0, 0, 0]));
}

/** How the surface of a wall rubs and runs, as `walls.rs` reads it. */
function surface({ roughness: own, surfaceSpeed = 0 }) {
  return Float64Array.of(own === undefined ? 0 : 1, ...(own === undefined ? [0, 0, 0] : roughness(own)), number(surfaceSpeed, "surfaceSpeed"));
}

export function onlySurface(given) {
  return surface(options(given, "surface", SURFACE));
}

const DISC = [
  "position", "radius", "velocity", "mass", "restitution", "userData", "overlap", "sensor", "kinematic", "maxSpeed",
  ...RULES, ...FORCES, ...SPIN,
];

/** The numbers of a disc, as `body.rs` reads them. */
export function disc(given) {
  const of = options(given, "disc", DISC);
  const { kinematic = false, sensor = false, overlap = false, velocity = [0, 0], restitution = 1, userData = 0 } = of;
  const mass = of.mass ?? (kinematic ? Infinity : 1);
  const { angle = 0, angularVelocity = 0, inertia = 0.5, roughness: own } = of;
  const bits = (flag(overlap, "overlap") ? 1 : 0) | (flag(sensor, "sensor") ? 2 : 0) | (flag(kinematic, "kinematic") ? 4 : 0)
    | (own === undefined ? 0 : 16);
  if (kinematic && mass !== Infinity) throw refused("mass", mass, "infinity: a kinematic disc has no other");
  return Float64Array.of(
    ...vector(of.position, "position"), number(of.radius, "radius"), ...vector(velocity, "velocity"),
    number(mass, "mass"), number(restitution, "restitution"), whole(userData, "userData"), ...rules(of, ""), bits,
    number(of.maxSpeed ?? Infinity, "maxSpeed"), ...forces(of), number(angle, "angle"), number(angularVelocity, "angularVelocity"),
    number(inertia, "inertia"), ...(own === undefined ? [0, 0, 0] : roughness(own)),
  );
}

const vectorOf = (value, field) => finiteVector(value, field);
const lengthOf = (value, field) => finite(value, field);
const SHAPES = {
  half_plane: { point: vectorOf, normal: vectorOf },
  segment: { a: vectorOf, b: vectorOf },
  one_sided_segment: { a: vectorOf, b: vectorOf },
  disc: { center: vectorOf, radius: lengthOf },
  circle: { center: vectorOf, radius: lengthOf },
  arc: { center: vectorOf, radius: lengthOf, start: lengthOf, sweep: lengthOf },
  polyline: {
    points: (points, field) => {
      if (!Array.isArray(points)) throw refused(field, points, "a list of points");
      return points.map((point, index) => finiteVector(point, `${field}[${index}]`));
    },
    closed: (closed = false, field) => flag(closed, field),
  },
  container: { min: vectorOf, max: vectorOf },
  arm: { pivot: vectorOf, length: lengthOf, radius: lengthOf, angle: lengthOf },
  capsule: { a: vectorOf, b: vectorOf, radius: lengthOf },
  stadium: { center: vectorOf, half_length: lengthOf, radius: lengthOf },
};

/** A wall as JSON, and the numbers of its surface. */
export function wall(given) {
  if (typeof given !== "object" || given === null) throw refused("wall", given, "an object");
  const kind = word(given.shape, "shape", Object.keys(SHAPES));
  const fields = SHAPES[kind];
  const of = options(given, "wall", ["shape", ...Object.keys(fields), "restitution", "userData", "maxSpeed", ...RULES, ...SURFACE]);
  const form = Object.fromEntries(Object.entries(fields).map(([field, read]) => [field, read(of[field], field)]));
  const [membership, mask, team] = rules(of, "");
  const maxSpeed = of.maxSpeed ?? Infinity;
  if (!(number(maxSpeed, "maxSpeed") > 0)) throw refused("maxSpeed", maxSpeed, "a positive number or infinity");
  const text = JSON.stringify({
    shape: { [kind]: form },
    restitution: finite(of.restitution ?? 1, "restitution"),
    userData: whole(of.userData ?? 0, "userData"),
    membership, mask, team,
    maxSpeed: maxSpeed === Infinity ? null : maxSpeed,
  });
  return [text, surface(of)];
}

const REGIONS = {
  disc: { center: vectorOf, radius: lengthOf },
  rectangle: { min: vectorOf, max: vectorOf },
  half_plane: { point: vectorOf, normal: vectorOf },
  segment: { a: vectorOf, b: vectorOf },
  wall: { wall: lengthOf },
};

/** A region as JSON. */
export function region(given) {
  if (typeof given !== "object" || given === null) throw refused("region", given, "an object");
  const kind = word(given.shape, "shape", Object.keys(REGIONS));
  const fields = REGIONS[kind];
  const of = options(given, "region", ["shape", ...Object.keys(fields), "carrier", "extent", "sensors", "userData", ...RULES]);
  const form = Object.fromEntries(Object.entries(fields).map(([field, read]) => [field, read(of[field], field)]));
  const [membership, mask, team] = rules(of, "");
  // A line has no inside for a centre to be in.
  const usual = kind === "segment" || kind === "wall" ? "edge" : "centre";
  return JSON.stringify({
    shape: { [kind]: form },
    carrier: of.carrier === undefined ? null : finite(of.carrier, "carrier"),
    extent: word(of.extent ?? usual, "extent", ["centre", "edge"]),
    sensors: flag(of.sensors ?? false, "sensors"),
    userData: whole(of.userData ?? 0, "userData"),
    membership, mask, team,
  });
}

const WORLD = [
  "gravity", "weight", "forces", "periodic", "drag", "growth", "start", "restitution", "simultaneous", "crush", "collapseAfter",
  "contactTime", "rest", "budget", "verdicts", "rough",
];

/** A scene without anything in it, as JSON, whether it is to have forces, how discs rub, and its verdicts. */
export function world(given) {
  const of = options(given, "world", WORLD);
  const settings = {};
  const take = (key, name, read) => {
    if (of[key] !== undefined) settings[name] = read(of[key], key);
  };
  take("drag", "drag", finite);
  take("growth", "growth_rate", finite);
  take("start", "start", finite);
  take("restitution", "restitution", (value, key) =>
    word(value, key, ["geometric_mean", "minimum", "maximum", "average", "product"]));
  take("simultaneous", "simultaneous", (value, key) => word(value, key, ["together", "one_by_one"]));
  take("crush", "crush", (value, key) => word(value, key, ["give_way", "stop"]));
  take("collapseAfter", "collapse_after", (value, key) => whole(value, key, U32));
  take("contactTime", "contact_time", finite);
  take("rest", "rest", flag);
  take("budget", "budget", whole);
  const start = settings.start ?? 0;
  const scene = { format: 1, model: "discs", name: "world", until: start + Math.max(1, start * 2 ** -50), settings };
  if (of.gravity !== undefined) scene.gravity = finiteVector(of.gravity, "gravity");
  if (of.weight !== undefined) scene.weight = finite(of.weight, "weight");
  if (of.periodic !== undefined) {
    const { x, y } = options(of.periodic, "periodic", ["x", "y"]);
    scene.periodic = {};
    if (x !== undefined) scene.periodic.x = finite(x, "periodic.x");
    if (y !== undefined) scene.periodic.y = finite(y, "periodic.y");
  }
  const asked = of.forces === undefined ? undefined : flag(of.forces, "forces");
  if (asked === false && of.rough !== undefined) throw refused("forces", false, "true, beside `rough`");
  const hasForces = scene.gravity !== undefined || (scene.weight ?? 0) !== 0;
  if (asked === false && hasForces) throw refused("forces", false, "true, beside gravity or a weight");
  if (asked === false && of.verdicts !== undefined) throw refused("forces", false, "true, beside verdicts");
  return [JSON.stringify(scene), asked ?? (hasForces || of.verdicts !== undefined), rough(of.rough), of.verdicts];
}

const OPTIONS = { growth_rate: "growth", collapse_after: "collapseAfter", contact_time: "contactTime" };

/** What is refused of the scene that stands for options, in the names of the options. */
export function ofOptions(error) {
  if (error.code !== "scene" || error.field === undefined) return error;
  const { field: place, value, allowed } = error;
  const path = place.slice(place.lastIndexOf(": ") + 1).trim().replace(/^settings\./, "");
  const field = OPTIONS[path] ?? path;
  const message = value === undefined
    ? `${field} ${error.message.slice(place.length + 2)}`
    : `${field} is ${value}, allowed is ${allowed}`;
  return new CaromError({ code: "value", message, field, value, allowed });
}

const FILTER = ["only", "excluding", ...RULES];

/** The five numbers of a filter. */
export function filter(given = {}, more = []) {
  const of = options(given, "filter", [...FILTER, ...more]);
  const kind = of.only === undefined ? 0 : word(of.only, "only", ["discs", "walls"]) === "discs" ? 1 : 2;
  const { membership = U32 } = of;
  const excluded = of.excluding === undefined ? -1 : number(of.excluding, "excluding");
  return Float64Array.of(kind, excluded, ...rules({ ...of, membership }, ""));
}

const FORECAST = ["maxTime", "maxImpacts", "frozen", "position", "velocity"];

/** Options and changes of a forecast. */
export function forecast(given) {
  const of = options(given, "forecast", FORECAST);
  const { frozen = false } = of;
  const most = of.maxImpacts === undefined ? -1 : whole(of.maxImpacts, "maxImpacts", U32);
  const how = Float64Array.of(number(of.maxTime, "maxTime"), most, flag(frozen, "frozen") ? 1 : 0);
  const bits = (of.position === undefined ? 0 : 1) | (of.velocity === undefined ? 0 : 2);
  const [x, y] = vector(of.position ?? [0, 0], "position");
  return [how, Float64Array.of(bits, x, y, ...vector(of.velocity ?? [0, 0], "velocity"))];
}
