// Discs that turn and rub, in the package in node: closed forms, the bits of native builds, copies of all kinds, refusals.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { pathToFileURL } from "node:url";

const root = new URL("../../../", import.meta.url);
const folder = process.env.CAROM_DEMO ? pathToFileURL(`${process.env.CAROM_DEMO}/`) : new URL("target/demo/", root);
const { CaromError, init, Timeline, World, goldenRun, sceneNames } = await import(new URL("package/carom.js", folder).href);
await init();

const FLOOR = { shape: "half_plane", point: [0, 0], normal: [0, 1] };
const near = (found, expected, relative, what) => assert.ok(Math.abs(found - expected) <= relative * Math.abs(expected), `${what}: ${found}, not ${expected}`);
const said = (call) => {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof CaromError, error.stack);
    return [error.code, error.field, error.message];
  }
  return assert.fail(`${call} is not refused`);
};

/** A disc of inertia q m R² on a floor that is tilted by an angle, in axes along the floor. */
function slope({ q, angle, rough, g = 9.8, r = 0.25, ...disc }) {
  const world = new World({ gravity: [g * Math.sin(angle), -g * Math.cos(angle)], rough });
  world.addWall(FLOOR);
  return { world, disc: world.addDisc({ position: [0, r], radius: r, inertia: q, ...disc }), g, r };
}

// Landau and Lifshitz, Mechanics, § 38: what rolls down has its whole energy in both motions, ½ (1 + q) m v² = m g s sin θ.
test("a disc rolls down a slope of 30° with g sin θ / (1 + q), and slides where friction is too small for that", () => {
  const angle = Math.PI / 6;
  for (const q of [0.4, 0.5, 1]) {
    const { world, disc, g, r } = slope({ q, angle, rough: { friction: 0.6 } });
    world.advance(3);
    const { position, velocity, angularVelocity, acceleration } = world.get(disc);
    const a = (g * Math.sin(angle)) / (1 + q);
    near(acceleration[0], a, 1e-14, "acceleration");
    near(velocity[0], 3 * a, 1e-13, "velocity");
    near(position[0], 4.5 * a, 1e-13, "way");
    near(angularVelocity, (-3 * a) / r, 1e-13, "angular velocity");
    assert.equal(position[1], r, "it stays on the slope");
    const { kineticEnergy, rotationalEnergy } = world.totals;
    near(rotationalEnergy, q * kineticEnergy, 1e-13, "energy of rotation");
  }
  // It rolls while μ ≥ tan θ q / (1 + q), a sixth of √3 for a hoop; below, friction is μ N, and turns it by μ g cos θ / (q R).
  const { world, disc, g, r } = slope({ q: 1, angle, rough: { friction: 0.2 } });
  world.advance(2);
  near(world.get(disc).velocity[0], 2 * g * (Math.sin(angle) - 0.2 * Math.cos(angle)), 1e-13, "velocity");
  near(world.get(disc).angularVelocity, (-2 * 0.2 * g * Math.cos(angle)) / r, 1e-13, "angular velocity");
});

// The angular momentum about the point of contact stays: q R ω = −(1 + q) v.
test("a disc that is set down spinning ends rolling at −q R ω / (1 + q)", () => {
  const [omega, mu] = [20, 0.3];
  for (const q of [0.4, 0.5, 1]) {
    const { world, disc, g, r } = slope({ q, angle: 0, rough: { friction: mu }, angularVelocity: omega });
    const slips = (omega * r) / (mu * g * (1 + 1 / q));
    world.advance(slips / 2);
    near(world.get(disc).velocity[0], (-mu * g * slips) / 2, 1e-13, "velocity while it slips");
    world.advance(5);
    const v = (-q * r * omega) / (1 + q);
    near(world.get(disc).velocity[0], v, 1e-13, "velocity");
    near(world.get(disc).angularVelocity, -v / r, 1e-13, "angular velocity");
    // From the way is seen when the slip has ended: x = v (t − slips / 2).
    near(world.now - world.get(disc).position[0] / v, slips / 2, 1e-12, "time of the slip");
  }
});

// As in examples/conveyor.rs: friction pushes by μ g, and turns the rim by (μ − ρ) g / q, until both together have the speed of the belt.
test("a belt carries what lies on it, and can be run at another speed", () => {
  const [mu, g, u, r, q] = [0.3, 9.81, 2, 0.1, 0.5];
  for (const rollingResistance of [0, 0.02]) {
    const world = new World({ gravity: [0, -g], rough: { friction: mu, rollingResistance } });
    const belt = world.addWall({ ...FLOOR, surfaceSpeed: u });
    const disc = world.addDisc({ position: [0, r], radius: r });
    const slips = u / (mu * g + ((mu - rollingResistance) * g) / q);
    world.advance(slips);
    near(world.get(disc).velocity[0], mu * g * slips, 1e-12, "velocity");
    near(world.get(disc).angularVelocity, (u - mu * g * slips) / r, 1e-12, "angular velocity");
    world.advance(60);
    // Without rolling resistance it rolls on the belt for ever, with it it comes to lie on it.
    near(world.get(disc).velocity[0], rollingResistance === 0 ? (u * q) / (1 + q) : u, 1e-12, "carried");
    assert.deepEqual(world.walls, [{ wall: belt, form: { shape: "half_plane", point: [0, 0], normal: [0, 1] }, restitution: 1, userData: 0, roughness: undefined, surfaceSpeed: u }]);
  }
  const world = new World({ gravity: [0, -g], rough: { friction: 0.5, rollingResistance: 0.1 } });
  const belt = world.addWall({ ...FLOOR, surfaceSpeed: 3 });
  const disc = world.addDisc({ position: [0, r], radius: r });
  world.advance(1);
  assert.ok(world.get(disc).velocity[0] > 0.5);
  world.setWallSurface(belt, { roughness: { friction: Infinity, rollingResistance: 0.05 } });
  assert.equal(world.walls[0].surfaceSpeed, 0);
  assert.deepEqual(world.walls[0].roughness, { friction: Infinity, tangentialRestitution: 0, rollingResistance: 0.05 });
  world.advance(60);
  assert.deepEqual([world.get(disc).velocity, world.get(disc).angularVelocity], [[0, 0], 0], "the belt stands, and so does the disc");
});

// Garwin, Am. J. Phys. 37 (1969) 88: a superball reverses the slip of its surface.
test("impacts turn discs: a hoop leaves the floor rolling, a superball reverses its slip", () => {
  const world = new World({ rough: { friction: 0.5 } });
  world.addWall(FLOOR);
  const hoop = world.addDisc({ position: [0, 2], radius: 1, velocity: [1, -4], inertia: 1 });
  const next = world.nextEvent();
  assert.deepEqual([next.kind, next.time], ["wall", 0.25]);
  const path = world.forecast(hoop, { maxTime: 1 });
  world.advance(1);
  assert.deepEqual(path.pieces.at(-1).endPosition, world.get(hoop).position);
  assert.deepEqual([world.get(hoop).velocity, world.get(hoop).angularVelocity], [[0.5, 4], -0.5]);
  assert.deepEqual([world.get(hoop).angle, ...world.angles, ...world.angularVelocities], [-0.375, -0.375, -0.5]);
  assert.deepEqual([world.totals.kineticEnergy, world.totals.rotationalEnergy], [8.125, 0.125]);
  const [impact] = world.events;
  assert.deepEqual([impact.kind, impact.a, impact.impulse, impact.before[0], impact.after[0]], ["impact", hoop, 8, [1, -4], [0.5, 4]]);
  const superball = { friction: Infinity, tangentialRestitution: 1 };
  const other = new World({ rough: superball });
  other.addWall(FLOOR);
  const ball = other.addDisc({ position: [0, 2], radius: 1, velocity: [1, -4], angularVelocity: 3, inertia: 0.4 });
  other.advance(1);
  const { velocity: [v], angularVelocity } = other.get(ball);
  near(v + angularVelocity, -(1 + 3), 1e-15, "slip");
  near(v * v + 0.4 * angularVelocity ** 2, 1 + 0.4 * 9, 1e-15, "energy");
  assert.deepEqual(other.rough, { ...superball, rollingResistance: 0 });
});

test("how a disc turns and rubs is read, and set in part", () => {
  const world = new World({ rough: { friction: 0.5 } });
  const own = { friction: 0.25, tangentialRestitution: -0.5, rollingResistance: 0.125 };
  const disc = world.addDisc({ position: [0, 0], radius: 1, angle: 1, angularVelocity: 2, inertia: 0.4, roughness: own });
  const seen = () => {
    const { angle, angularVelocity, inertia, roughness } = world.get(disc);
    return { angle, angularVelocity, inertia, roughness };
  };
  assert.deepEqual(seen(), { angle: 1, angularVelocity: 2, inertia: 0.4, roughness: own });
  assert.deepEqual([world.rough, world.hasForces], [{ friction: 0.5, tangentialRestitution: 0, rollingResistance: 0 }, true]);
  world.setSpin(disc, { angularVelocity: -3 });
  assert.deepEqual(seen(), { angle: 1, angularVelocity: -3, inertia: 0.4, roughness: own });
  world.setForces(disc, { acceleration: [0, 1] });
  world.setGravity([0, -2]);
  world.setVerdicts([]);
  assert.deepEqual(seen(), { angle: 1, angularVelocity: -3, inertia: 0.4, roughness: own }, "other edits leave it");
  assert.deepEqual([world.get(disc).acceleration, world.rough.friction], [[0, -1], 0.5]);
  world.setSpin(disc, { angle: 4, inertia: Infinity, roughness: null });
  near(seen().angle, 4 - 2 * Math.PI, 1e-15, "angle");
  assert.deepEqual({ ...seen(), angle: 0 }, { angle: 0, angularVelocity: -3, inertia: Infinity, roughness: undefined });
  world.setSpin(disc, {});
  world.setSpin(disc, { roughness: { friction: Infinity } });
  assert.deepEqual(seen().roughness, { friction: Infinity, tangentialRestitution: 0, rollingResistance: 0 });
  world.advance(1);
  near(seen().angle, 1, 1e-15, "angle after three radians back");
});

test("scenes whose discs rub are here, with the golden hashes of native builds, and smooth scenes can be made rough", () => {
  const golden = readFileSync(new URL("crates/carom-scene/tests/golden.hashes", root), "utf8").trim().split("\n");
  const rough = sceneNames().filter((name) => World.fromScene(name).rough !== undefined);
  assert.deepEqual(rough.sort(), ["conveyor", "galton-board-rolling", "marble-run-rolling", "pinball-rolling"]);
  for (const name of rough) {
    const { events, hash } = goldenRun(name);
    assert.ok(golden.includes(`${name} ${events} ${hash}`), name);
  }
  const world = World.fromScene("marble-run", { rough: { friction: 0.3, rollingResistance: 0.01 } });
  assert.deepEqual(world.rough, { friction: 0.3, tangentialRestitution: 0, rollingResistance: 0.01 });
  world.advanceTo(2);
  assert.ok(world.totals.rotationalEnergy > 0);
  assert.equal(World.fromScene("marble-run").rough, undefined);
});

test("frames, copies, snapshots and timelines of a rough world have the same bits", () => {
  const straight = World.fromScene("marble-run-rolling");
  straight.advanceTo(4);
  const states = (world) => [world.hash(), ...world.positions, ...world.angles, ...world.angularVelocities];
  const framed = World.fromScene("marble-run-rolling");
  for (let frame = 1; frame <= 120; frame += 1) framed.advanceTo(frame / 60);
  const [loaded, copied, filled] = [World.load(framed.save()), framed.clone(), new World()];
  filled.copyFrom(framed);
  filled.copyFrom(framed);
  assert.equal(World.load(framed.save()).save(), framed.save());
  for (let frame = 121; frame <= 240; frame += 1) framed.advanceTo(frame / 60);
  for (const world of [loaded, copied, filled]) world.advanceTo(4);
  for (const world of [framed, loaded, copied, filled]) assert.deepEqual(states(world), states(straight));
  assert.deepEqual(loaded.scene, straight.scene);
  const timeline = new Timeline(World.fromScene("marble-run-rolling"), { bytes: 1_000_000 });
  for (const time of [6, 1, 5, 4]) timeline.goTo(time);
  assert.deepEqual(states(timeline.world), states(straight));
  timeline.edit((world) => world.setSpin(world.discs()[0], { angularVelocity: 5 }));
  straight.setSpin(straight.discs()[0], { angularVelocity: 5 });
  timeline.goTo(6);
  timeline.stepBack();
  timeline.goTo(6);
  straight.advanceTo(6);
  assert.deepEqual(states(timeline.world), states(straight));
  assert.equal(said(() => timeline.edit((world) => world.copyFrom(new World({ gravity: [0, -1] }))))[1], "world");
});

test("rules hold in a rough world, and put in discs that turn", () => {
  const spinning = { position: [0, 0], radius: 0.1, angle: 1, angularVelocity: 7, inertia: Infinity, roughness: { friction: Infinity } };
  const verdicts = [{ second: { is: "wall" }, verdict: "bounce_and_remove", which: "first", commands: [{ do: "addDisc", at: "contact", disc: { ...spinning, position: [0, 1] } }] }];
  const world = new World({ rough: { friction: 0.5 }, verdicts });
  world.addWall(FLOOR);
  world.addDisc({ position: [0, 2], radius: 1, velocity: [1, -4] });
  for (const each of [world, World.load(world.save())]) {
    each.advance(0.25);
    assert.deepEqual(each.events.toArray().map((event) => event.kind), ["impact", "removed", "inserted"]);
    const [disc] = each.discs();
    const { angle, angularVelocity, inertia, roughness } = each.get(disc);
    assert.deepEqual([angle, angularVelocity, inertia, roughness.friction], [1, 7, Infinity, Infinity]);
  }
  const smooth = new World({ forces: true });
  const refused = said(() => smooth.setVerdicts(verdicts));
  assert.deepEqual(refused.slice(0, 2), ["value", "roughness.friction"]);
  assert.match(refused[2], /a world with `rough`/);
});

test("a world without rough discs refuses what they have, says what to do, and reads defaults", () => {
  for (const world of [new World(), new World({ gravity: [0, -1] })]) {
    const place = { position: [0, 5], radius: 1 };
    const wall = world.addWall({ ...FLOOR, surfaceSpeed: 0 });
    const disc = world.addDisc({ ...place, angle: 0, angularVelocity: 0, inertia: 0.5 });
    const cases = [
      ["angle", "1", () => world.addDisc({ position: [9, 9], radius: 1, angle: 1 })],
      ["angularVelocity", "-2", () => world.setSpin(disc, { angularVelocity: -2 })],
      ["inertia", "Infinity", () => world.setSpin(disc, { inertia: Infinity })],
      ["roughness.friction", "0.5", () => world.addDisc({ position: [9, 9], radius: 1, roughness: { friction: 0.5 } })],
      ["roughness.rollingResistance", "0.1", () => world.setSpin(disc, { roughness: { friction: 0, rollingResistance: 0.1 } })],
      ["surfaceSpeed", "2", () => world.addWall({ ...FLOOR, surfaceSpeed: 2 })],
      ["roughness.friction", "1", () => world.setWallSurface(wall, { roughness: { friction: 1 } })],
    ];
    for (const [field, value, call] of cases) {
      assert.deepEqual(said(call), ["value", field, `${field} is ${value}: the world was made without rough discs; allowed is the default, or a world with \`rough\``]);
    }
    const { angle, angularVelocity, inertia, roughness } = world.get(disc);
    assert.deepEqual([angle, angularVelocity, inertia, roughness], [0, 0, 0.5, undefined]);
    assert.deepEqual([Array.from(world.angles), Array.from(world.angularVelocities)], [[0], [0]]);
    assert.deepEqual([world.rough, world.totals.rotationalEnergy], [undefined, 0]);
    assert.deepEqual([world.discCount, world.walls.length], [1, 1], "nothing that was refused has been done");
  }
});

test("numbers that are not allowed are refused by field, value and what is allowed, and nothing has changed", () => {
  const world = new World({ rough: { friction: 0.5 } });
  const wall = world.addWall(FLOOR);
  const disc = world.addDisc({ position: [0, 5], radius: 1, angle: 1, angularVelocity: 2 });
  const before = world.save();
  const cases = [
    ["rough", () => new World({ rough: 0.5 })],
    ["rough.friction", () => new World({ rough: {} })],
    ["rough.friction", () => new World({ rough: { friction: -1 } })],
    ["rough.friction", () => new World({ rough: { friction: NaN } })],
    ["rough.friction", () => World.fromScene("marble-run", { rough: { friction: -Infinity } })],
    ["rough.tangentialRestitution", () => new World({ rough: { friction: 1, tangentialRestitution: 1.5 } })],
    ["rough.rollingResistance", () => new World({ rough: { friction: 1, rollingResistance: -0.1 } })],
    ["rough.mu", () => new World({ rough: { friction: 1, mu: 1 } })],
    ["forces", () => new World({ rough: { friction: 1 }, forces: false })],
    ["drag", () => new World({ rough: { friction: 1 }, drag: 0.1 })],
    ["growth", () => new World({ rough: { friction: 1 }, growth: 0.1 })],
    ["roughness.friction", () => world.setSpin(disc, { angle: 0.5, roughness: { friction: "1" } })],
    ["roughness.friction", () => world.setSpin(disc, { angle: 0.5, roughness: { friction: -1 } })],
    ["angularVelocity", () => world.setSpin(disc, { inertia: 0.4, angularVelocity: 1e51 })],
    ["angle", () => world.setSpin(disc, { inertia: 0.4, angle: NaN })],
    ["inertia", () => world.setSpin(disc, { angle: 0.5, inertia: 0 })],
    ["spin.radius", () => world.setSpin(disc, { radius: 1 })],
    ["inertia", () => world.addDisc({ position: [9, 9], radius: 1, inertia: -1 })],
    ["roughness.rollingResistance", () => world.addDisc({ position: [9, 9], radius: 1, roughness: { friction: 0, rollingResistance: NaN } })],
    ["surfaceSpeed", () => world.addWall({ ...FLOOR, surfaceSpeed: 1e16 })],
    ["surfaceSpeed", () => world.setWallSurface(wall, { surfaceSpeed: NaN })],
    ["roughness.tangentialRestitution", () => world.setWallSurface(wall, { roughness: { friction: 1, tangentialRestitution: -2 } })],
    ["roughness", () => world.setWallSurface(wall, { roughness: 1 })],
    ["surface.speed", () => world.setWallSurface(wall, { speed: 1 })],
  ];
  for (const [field, call] of cases) assert.deepEqual(said(call).slice(0, 2), ["value", field], String(call));
  assert.equal(said(() => world.setSpin(disc + 1, {}))[0], "gone");
  assert.equal(said(() => world.setWallSurface(wall + 1, {}))[0], "gone");
  assert.equal(world.save(), before);
  assert.equal(said(() => new World({ rough: { friction: -1 } }))[2], "rough.friction is -1, allowed is infinity, or a number from 0 to 1e15");
});

test("a worker runs a rough world, and hands over angles", async () => {
  const { RemoteWorld } = await import(new URL("package/worker.js", folder).href);
  const remote = await RemoteWorld.start({ scene: "conveyor" });
  try {
    const here = World.fromScene("conveyor");
    const disc = here.discs()[0];
    await remote.call("setSpin", disc, { angularVelocity: 1 });
    here.setSpin(disc, { angularVelocity: 1 });
    for (let k = 0; k < 10; k += 1) {
      const { positions, angles } = await remote.step(1 / 16, { angles: true });
      here.advance(1 / 16);
      assert.deepEqual([...positions, ...angles], [...here.positions, ...here.angles]);
    }
    assert.equal((await remote.step(0)).angles, undefined);
    await assert.rejects(remote.step(1, { angles: 1 }), { code: "value", field: "angles" });
  } finally {
    remote.terminate();
  }
});
