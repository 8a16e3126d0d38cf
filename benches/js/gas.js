// A gas of 2000 elastic discs in a box at 60 frames a second: Carom's package beside planck and rapier2d, in node.
//
//   tools/demo/build && cd benches/js && npm ci && node gas.js          all three, in turns, the median of three runs
//   node gas.js carom                                                   one of them, as JSON
//
// All start from the same positions and velocities. What an exact run does is known from Carom: the energy stays, and the number of
// collisions is that of its events. Time is that of the processor, of the whole process, divided by frames, without the setting up.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { init, World } from "../../target/demo/package/carom.js";

const FRAMES = 600;
const DT = 1 / 60;
const SIDE = 72.4;
const SCENE = JSON.stringify({
  format: 1, model: "discs", name: "gas", until: 10, walls: [{ shape: "container", min: [0, 0], max: [SIDE, SIDE] }],
  gases: [{ count: 2000, radius: 0.5, mass: 1, temperature: 100, seed: 1, generator: "chacha8", region: { min: [0, 0], max: [SIDE, SIDE] } }],
});

/** Position and velocity of each disc at the start. */
function start() {
  const world = World.fromScene(SCENE);
  const states = world.states.slice();
  world.free();
  return Array.from({ length: states.length / 8 }, (_, k) => states.subarray(8 * k, 8 * k + 5));
}

/** The deepest overlap of two discs, in radii of 0.5. */
function deepest(places) {
  const cells = new Map();
  let depth = 0;
  places.forEach(([x, y], index) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    for (let a = i - 1; a <= i + 1; a += 1) {
      for (let b = j - 1; b <= j + 1; b += 1) {
        for (const other of cells.get(a * 1000 + b) ?? []) depth = Math.max(depth, 1 - Math.hypot(x - places[other][0], y - places[other][1]));
      }
    }
    const key = i * 1000 + j;
    cells.set(key, [...(cells.get(key) ?? []), index]);
  });
  return depth / 0.5;
}

const WALLS = [[[0, 0], [SIDE, 0]], [[SIDE, 0], [SIDE, SIDE]], [[SIDE, SIDE], [0, SIDE]], [[0, SIDE], [0, 0]]];

/** Each makes a gas: `frame` advances it, `count` has the collisions of discs, `look` gives places and energy. */
const ENGINES = {
  carom() {
    const world = World.fromScene(SCENE);
    const look = () => {
      const { positions } = world;
      return { energy: world.totals.kineticEnergy, places: Array.from({ length: 2000 }, (_, k) => [positions[2 * k], positions[2 * k + 1]]) };
    };
    let frame = 0;
    return { frame: () => world.advanceTo((frame += 1) / 60), count: () => world.totals.discImpacts, look };
  },

  async planck() {
    const { Circle, Edge, Settings, Vec2, World: Planck } = await import("planck");
    // The default makes slow impacts inelastic.
    Settings.velocityThreshold = 0;
    const world = new Planck({ gravity: new Vec2(0, 0), allowSleep: false });
    const ground = world.createBody();
    for (const [a, b] of WALLS) ground.createFixture({ shape: new Edge(new Vec2(...a), new Vec2(...b)), friction: 0, restitution: 1 });
    const bodies = start().map(([x, y, vx, vy]) => {
      const body = world.createBody({ type: "dynamic", position: new Vec2(x, y), linearVelocity: new Vec2(vx, vy), linearDamping: 0, fixedRotation: true });
      body.createFixture({ shape: new Circle(0.5), density: 1 / (Math.PI * 0.25), friction: 0, restitution: 1 });
      return body;
    });
    let count = 0;
    world.on("begin-contact", (contact) => { if (contact.getFixtureA().getBody() !== ground && contact.getFixtureB().getBody() !== ground) count += 1; });
    const look = () => ({
      energy: bodies.reduce((sum, body) => sum + 0.5 * body.getMass() * body.getLinearVelocity().lengthSquared(), 0),
      places: bodies.map((body) => [body.getPosition().x, body.getPosition().y]),
    });
    return { frame: () => world.step(DT), count: () => count, look };
  },

  async rapier() {
    const { default: RAPIER } = await import("@dimforge/rapier2d-compat");
    await RAPIER.init();
    const world = new RAPIER.World({ x: 0, y: 0 });
    world.timestep = DT;
    const queue = new RAPIER.EventQueue(true);
    const walls = new Set(WALLS.map(([[ax, ay], [bx, by]]) => {
      const wall = RAPIER.ColliderDesc.cuboid(Math.abs(bx - ax) / 2 + 1, Math.abs(by - ay) / 2 + 1);
      const out = [Math.sign(by - ay), -Math.sign(bx - ax)];
      wall.setTranslation((ax + bx) / 2 + out[0], (ay + by) / 2 + out[1]).setFriction(0).setRestitution(1);
      return world.createCollider(wall).handle;
    }));
    const bodies = start().map(([x, y, vx, vy]) => {
      const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y).setLinvel(vx, vy).lockRotations().setCanSleep(false));
      const ball = RAPIER.ColliderDesc.ball(0.5).setMass(1).setFriction(0).setRestitution(1).setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS);
      world.createCollider(ball, body);
      return body;
    });
    let count = 0;
    const frame = () => {
      world.step(queue);
      queue.drainCollisionEvents((a, b, started) => { if (started && !walls.has(a) && !walls.has(b)) count += 1; });
    };
    const look = () => ({
      energy: bodies.reduce((sum, body) => sum + 0.5 * body.mass() * (body.linvel().x ** 2 + body.linvel().y ** 2), 0),
      places: bodies.map((body) => [body.translation().x, body.translation().y]),
    });
    return { frame, count: () => count, look };
  },
};

async function run(name) {
  await init();
  const gas = await ENGINES[name]();
  const before = gas.look();
  let depth = 0;
  let spent = 0;
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const { user, system } = process.cpuUsage();
    gas.frame();
    const used = process.cpuUsage({ user, system });
    spent += used.user + used.system;
    if (frame % 60 === 59) depth = Math.max(depth, deepest(gas.look().places));
  }
  const after = gas.look();
  const outside = after.places.filter(([x, y]) => !(x > 0 && y > 0 && x < SIDE && y < SIDE)).length;
  return { name, milliseconds: spent / 1000 / FRAMES, energy: after.energy / before.energy - 1, collisions: gas.count(), depth, outside };
}

const [, , wanted] = process.argv;
if (wanted) {
  console.log(JSON.stringify(await run(wanted)));
} else {
  const runs = Object.keys(ENGINES).map((name) => ({ name, all: [] }));
  for (let round = 0; round < 3; round += 1) {
    for (const { name, all } of runs) all.push(JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), name], { encoding: "utf8" }).trim().split("\n").at(-1)));
  }
  console.log("| engine | ms of CPU a frame | energy after 10 s | collisions of discs | deepest overlap, radii | out of the box |\n| --- | --- | --- | --- | --- | --- |");
  for (const { name, all } of runs) {
    const { energy, collisions, depth, outside } = all[0];
    const median = all.map((each) => each.milliseconds).sort((a, b) => a - b)[1];
    const percent = Math.abs(energy) < 1e-6 ? energy.toExponential(0) : `${energy > 0 ? "+" : ""}${(100 * energy).toFixed(1)} %`;
    console.log(`| ${name} | ${median.toFixed(2)} | ${percent} | ${collisions} | ${depth.toFixed(2)} | ${outside} |`);
  }
}
