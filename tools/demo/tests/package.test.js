// The package in node: laws of worlds, refusals, golden hashes, views of memory, the worker.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../../../", import.meta.url);
const folder = process.env.CAROM_DEMO ? pathToFileURL(`${process.env.CAROM_DEMO}/`) : new URL("target/demo/", root);
const carom = await import(new URL("package/carom.js", folder).href);
const { CaromError, EVENT_STRIDE, init, Timeline, World, goldenRun, sceneNames, sceneText } = carom;

test("nothing works before the module is loaded, and the error says so", () => {
  assert.throws(() => new World(), { name: "CaromError", code: "uninitialized" });
  assert.throws(() => sceneNames(), { code: "uninitialized" });
});

test("a browser without vectors is told which ones have them", async () => {
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  try {
    await assert.rejects(init(new Uint8Array(8)), { code: "uninitialized", message: /Chrome and Edge .* 91, Firefox .* 89, Safari .* 16\.4/ });
  } finally {
    WebAssembly.validate = validate;
  }
});

test("a module that is none is refused, and loading can be tried again", async () => {
  await assert.rejects(init(new Uint8Array(8)), { code: "uninitialized" });
  await assert.rejects(init("there-is-no-such-file.wasm"), { code: "uninitialized" });
  await init();
  await init();
});

test("after the module has run out of memory it is made anew, and what was before is gone", async () => {
  const glue = await import(new URL("package/wasm/carom_js.js", folder).href);
  const run = () => {
    const world = World.fromScene("box-16");
    world.advance(1);
    return { world, hash: world.hash() };
  };
  for (let time = 0; time < 2; time += 1) {
    const { world, hash } = run();
    const timeline = new Timeline(world);
    // All of the address space that there is: what is asked for after it cannot be had.
    const { memory } = glue.initSync();
    for (let pages = 2 ** 15; pages >= 1; pages /= 2) {
      try {
        while (memory.buffer.byteLength < 2 ** 32) memory.grow(pages);
      } catch { /* Fewer pages, then. */ }
    }
    const filled = () => { for (;;) world.clone(); };
    assert.throws(filled, { code: "internal", message: /init\(\) makes it anew/ });
    assert.throws(() => new World(), { code: "internal" });
    await init();
    assert.throws(() => world.now, { code: "gone", message: /made anew/ });
    assert.throws(() => timeline.event, { code: "gone" });
    world.free();
    timeline.free();
    assert.equal(world.isFreed, true);
    assert.equal(run().hash, hash, "the same bits as before");
  }
});

/** A disc that flies at another, which it meets after 2 s. */
function pair() {
  const world = new World();
  const cue = world.addDisc({ position: [0, 0], radius: 0.5, velocity: [1, 0] });
  const ball = world.addDisc({ position: { x: 3, y: 0 }, radius: 0.5 });
  return { world, cue, ball };
}

test("two discs meet when the formula says, and equal masses exchange velocities", () => {
  const { world, cue, ball } = pair();
  const next = world.nextEvent();
  assert.deepEqual([next.time, next.kind, next.a, next.b], [2, "discs", cue, { kind: "disc", disc: ball }]);
  assert.deepEqual({ ...world.advance(3), exactTime: 0 }, { end: "reached", time: 3, exactTime: 0, events: 1 });
  const [impact] = world.events;
  assert.equal(impact.kind, "impact");
  assert.deepEqual([impact.time, impact.a, impact.point, impact.normal], [2, cue, [2.5, 0], [1, 0]]);
  assert.deepEqual([impact.before, impact.after], [[[1, 0], [0, 0]], [[0, 0], [1, 0]]]);
  assert.deepEqual([impact.impulse, impact.approachSpeed], [1, 1]);
  assert.deepEqual(world.get(ball).position, [4, 0]);
  assert.deepEqual(Array.from(world.positions), [2, 0, 4, 0]);
});

test("frames, one call and single events give the same bits", () => {
  const hashes = [
    (world) => world.advanceTo(10),
    (world) => { for (let frame = 1; frame <= 640; frame += 1) world.advanceTo(frame / 64); },
    (world) => {
      while ((world.nextEvent()?.time ?? 11) <= 10) world.stepEvent();
      world.advanceTo(10);
    },
  ].map((run) => {
    const world = World.fromScene("box-16");
    run(world);
    return world.hash();
  });
  assert.equal(new Set(hashes).size, 1, hashes.join(" "));
});

test("the named scenes have the golden hashes of native builds", () => {
  const golden = readFileSync(new URL("crates/carom-scene/tests/golden.hashes", root), "utf8").trim().split("\n");
  assert.deepEqual(golden.map((line) => line.split(" ")[0]), sceneNames());
  for (const line of golden) {
    const { name, events, hash } = goldenRun(line.split(" ")[0]);
    assert.equal(`${name} ${events} ${hash}`, line);
  }
});

test("a view follows the memory when it grows, and old views are empty or as they were", () => {
  const { world, ball } = pair();
  const before = world.positions;
  // Many discs: the memory of the module grows.
  const big = new World();
  big.addDiscs(Array.from({ length: 20000 }, (_, k) => ({ position: [3 * (k % 200), 3 * Math.floor(k / 200)], radius: 1 })));
  assert.equal(before.length, 0, "a view of the old memory has no numbers any more");
  assert.deepEqual(Array.from(world.positions), [0, 0, 3, 0]);
  assert.equal(big.positions.length, 40000);
  assert.equal(big.states.length, 20000 * 8);
  assert.equal(big.handles[19999], big.discs()[19999]);
  assert.equal(world.positions.buffer, big.positions.buffer, "both are the memory of the module, no copy");
  assert.equal(world.get(ball).radius, 0.5);
  big.free();
});

test("what is refused is said in the names of the package, with short numbers", () => {
  const { world, cue, ball } = pair();
  const said = (call) => {
    try {
      call();
    } catch (error) {
      assert.ok(error instanceof CaromError);
      return error.message;
    }
    return assert.fail(`${call} is not refused`);
  };
  assert.equal(said(() => world.advance(-1)), "seconds is -1, allowed is a finite number, at least 0");
  assert.match(said(() => world.advance(1e300)), /^seconds is 1e300: /);
  assert.equal(said(() => world.setVelocity(cue, [Infinity, 0])), "velocity.x is Infinity, allowed is a finite number from -1e15 to 1e15");
  assert.equal(said(() => world.setRadius(cue, -1e-300)), "radius is -1e-300, allowed is 0 or a number from 1e-15 to 1e15");
  assert.match(said(() => world.addDisc({ position: [9, 9], radius: 1, maxSpeed: -1 })), /^maxSpeed is -1, /);
  assert.match(said(() => world.forecast(cue, { maxTime: -1 })), /^maxTime is -1, /);
  assert.match(said(() => world.setTimeScale(-1)), /^scale is -1, /);
  assert.equal(said(() => world.setPosition(cue, [2.1, 0])), `the disc would overlap disc ${ball} by 0.1; allowed is touching, or \`overlap: true\``);
  // Options of a world have the names of the options, and no place in a text that nobody has written.
  assert.equal(said(() => new World({ growth: -1 })), "growth is -1, allowed is a number from 0 to 1e15");
  assert.match(said(() => new World({ contactTime: -1 })), /^contactTime is -1, /);
  assert.match(said(() => new World({ gravity: [1e300, 0] })), /^gravity is \[1e300, 0\], allowed is two numbers/);
  assert.match(said(() => new World({ drag: 1, growth: 1 })), /^growth has no meaning here; under drag/);
  assert.throws(() => new World({ periodic: { x: -1 } }), { code: "value", field: "periodic.x", value: "-1" });
  // A snapshot is whole or it is none; what its reader calls the parts is nobody's business.
  const text = world.save();
  for (const broken of ["{}", "x", text.slice(0, 50), text.replace("smooth", "rough"), '{"physics":"smooth","world":{},"info":""}']) {
    assert.equal(said(() => World.load(broken)), "this is no snapshot of a world, or a part of it is missing or changed");
  }
  assert.match(said(() => World.fromScene("newton-cradle")), /^there is no scene `newton-cradle`; the nearest name is `newtons-cradle`$/);
});

test("discs that overlap are pushed apart by the least moves, or parted by the least impulses", () => {
  const overlapping = () => {
    const world = new World();
    const [a, b] = world.addDiscs([[0, 0], [0.6, 0]].map((position) => ({ position, radius: 0.5, overlap: true })));
    return { world, a, b };
  };
  const one = overlapping();
  const moved = one.world.pushApart();
  // Each by half of the overlap, along the line of centres.
  assert.deepEqual(moved.map(({ disc, from }) => [disc, from]), [[one.a, [0, 0]], [one.b, [0.6, 0]]]);
  for (const [at, x] of [[0, -0.2], [1, 0.8]]) assert.ok(Math.hypot(moved[at].to[0] - x, moved[at].to[1]) < 1e-12);
  assert.deepEqual(one.world.pushApart(), []);
  const two = overlapping();
  const { overlaps: [overlap], energyAdded } = two.world.separateOverlaps(1);
  assert.deepEqual([overlap.a, overlap.b, overlap.normal], [two.a, { kind: "disc", disc: two.b }, [1, 0]]);
  assert.ok(Math.abs(overlap.depth - 0.4) < 1e-15);
  // Equal masses at ±½: 2 · ½ · ¼.
  assert.deepEqual([overlap.impulse, energyAdded, two.world.get(two.b).velocity], [0.5, 0.25, [0.5, 0]]);
  const stuck = new World();
  stuck.addWall({ shape: "container", min: [0, 0], max: [1, 1] });
  stuck.addDiscs([0.4, 0.6].map((x) => ({ position: [x, 0.5], radius: 0.5, overlap: true })));
  assert.throws(() => stuck.pushApart(), { code: "overlap", message: /^no room was found/ });
  assert.throws(() => stuck.separateOverlaps(-1), { code: "value", field: "speed" });
});

test("events are records in place, and a list that is past says so", () => {
  const { world } = pair();
  world.addWall({ shape: "container", min: [-5, -5], max: [5, 5] });
  world.advance(20);
  const { events } = world;
  assert.equal(events.records.length, events.length * EVENT_STRIDE);
  const list = events.toArray();
  assert.deepEqual(list.at(-1), events.at(events.length - 1));
  assert.throws(() => events.at(events.length), { code: "value", field: "index" });
  assert.throws(() => events.at(0.5), { code: "value" });
  for (let at = 1; at < list.length; at += 1) assert.ok(list[at - 1].time <= list[at].time);
  world.advance(1);
  assert.throws(() => events.length, { code: "gone" });
  assert.throws(() => [...events], { code: "gone" });
});

test("a snapshot goes on to the last bit, with and without forces", () => {
  for (const name of ["box-100", "air-table", "marble-run"]) {
    const world = World.fromScene(name);
    world.advanceTo(0.5);
    const again = World.load(world.save());
    const copy = world.clone();
    const other = new World();
    other.copyFrom(world);
    for (const each of [world, again, copy, other]) each.advanceTo(2);
    assert.deepEqual([again.hash(), copy.hash(), other.hash()], Array(3).fill(world.hash()), name);
    assert.equal(again.scene.name, name);
  }
});

test("a timeline has the bits of a run that goes straight there, whichever way it came", () => {
  const next = random(11);
  for (const [name, bytes] of [["box-100", 2 ** 26], ["box-100", 200_000], ["marble-run", 0], ["air-table", 2 ** 20]]) {
    const start = World.fromScene(name);
    const timeline = new Timeline(start, { bytes });
    for (let k = 0; k < 20; k += 1) {
      const straight = start.clone();
      if (next() < 0.5) {
        const time = 2 * next();
        straight.advanceTo(time);
        assert.equal(timeline.goTo(time).end, "reached");
        assert.equal(timeline.world.now, straight.now);
      } else {
        const number = Math.floor(60 * next());
        while (straight.totals.events < number && straight.stepEvent().events > 0);
        timeline.goToEvent(number);
        assert.deepEqual(timeline.world.events.toArray().at(-1), number === 0 ? undefined : straight.events.toArray().at(-1), `event ${number}`);
        assert.equal(timeline.event, straight.totals.events);
      }
      assert.equal(timeline.world.hash(), straight.hash(), name);
      assert.ok(timeline.bytes <= bytes || timeline.copies === 1, `${timeline.bytes} bytes`);
    }
    assert.equal(start.now, 0, "the world itself is as it was");
  }
});

test("edits of a timeline are part of its past, and those that fail are not", () => {
  const { world, cue, ball } = pair();
  const timeline = new Timeline(world);
  timeline.goTo(3);
  assert.deepEqual([timeline.event, timeline.end, timeline.world.get(ball).velocity], [1, 3, [1, 0]]);
  timeline.goTo(1);
  assert.equal(timeline.lastEvent, 1, "the future is still known");
  assert.equal(timeline.edit((now) => { now.setVelocity(cue, [2, 0]); return 7; }), 7);
  assert.deepEqual([timeline.end, timeline.lastEvent], [1, 0]);
  assert.equal(timeline.step().time, 1.5);
  assert.deepEqual(timeline.world.events.toArray().map(({ kind, time }) => [kind, time]), [["impact", 1.5]]);
  assert.equal(timeline.stepBack().time, 1, "no event comes before it: back to the edit");
  assert.deepEqual(timeline.world.get(cue).velocity, [2, 0]);
  timeline.goTo(timeline.start);
  assert.deepEqual([timeline.start, timeline.world.get(cue).velocity], [0, [1, 0]]);
  const { exactEnd } = timeline;
  assert.equal(timeline.goTo(exactEnd).time, 1.5);
  assert.deepEqual(timeline.world.get(ball).velocity, [2, 0], "through the edit again");
  const hash = timeline.world.hash();
  const failing = () => timeline.edit((now) => { now.setVelocity(cue, [9, 9]); throw new RangeError("no"); });
  assert.throws(failing, { name: "RangeError", message: "no" });
  assert.equal(timeline.world.hash(), hash);
  assert.throws(() => timeline.edit((now) => now.setMass(cue, -1)), { code: "value", field: "mass" });
  assert.throws(() => timeline.edit((now) => now.copyFrom(new World({ forces: true }))), { code: "value", field: "world" });
  assert.ok(!timeline.world.hasForces);
  timeline.world.setVelocity(cue, [5, 5]);
  timeline.advance(0);
  assert.equal(timeline.world.hash(), hash, "what is done outside of an edit is undone");
  assert.throws(() => timeline.goTo(-1), { code: "value", field: "time" });
  assert.throws(() => new Timeline({}), { code: "value", field: "world" });
  assert.throws(() => new Timeline(world, { bytes: -1 }), { code: "value", field: "bytes" });
  const shown = timeline.world;
  timeline.free();
  timeline.free();
  assert.ok(timeline.isFreed && shown.isFreed && !world.isFreed);
  for (const call of [() => timeline.goTo(1), () => timeline.world, () => timeline.edit(() => 1), () => timeline.bytes]) {
    assert.throws(call, { code: "freed" });
  }
});

test("discs that grow meet where their radii have come to, and say when there is no room left", () => {
  const world = new World({ growth: 0.5 });
  const [a] = world.addDiscs([{ position: [0, 0], radius: 1 }, { position: [4, 0], radius: 1 }]);
  assert.deepEqual([world.growth, world.nextEvent().time], [0.5, 2]);
  world.advance(1);
  assert.deepEqual([world.get(a).radius, world.states[4]], [1.5, 1.5]);
  const same = World.load(world.save());
  same.advance(3);
  world.advance(3);
  assert.equal(same.hash(), world.hash());
  world.setGrowth(0);
  world.scaleVelocities(0);
  assert.deepEqual([world.growth, world.totals.kineticEnergy, world.nextEvent()], [0, 0, undefined]);
  const box = new World();
  box.addWall({ shape: "container", min: [0, 0], max: [2, 2] });
  box.addDisc({ position: [1, 1], radius: 0.5 });
  box.setGrowth(1);
  box.advance(2);
  assert.deepEqual(box.events.toArray().filter(({ kind }) => kind === "growth_ended").map(({ time }) => time), [1]);
  for (const refused of [() => box.setGrowth(-1), () => box.setGrowth(NaN), () => new World({ gravity: [0, 1], growth: 1 }),
    () => new World({ gravity: [0, 1] }).setGrowth(1), () => new World({ drag: 1, growth: 1 }), () => box.scaleVelocities(-1)]) {
    assert.throws(refused, (error) => error instanceof CaromError && ["value", "scene"].includes(error.code), `${refused}`);
  }
});

test("gravity: a ball falls in a parabola, and rests on the floor in the end", () => {
  const world = new World({ gravity: [0, -8] });
  world.addWall({ shape: "half_plane", point: [0, 0], normal: [0, 1] });
  const ball = world.addDisc({ position: [0, 4.5], radius: 0.5, restitution: 0.5 });
  world.advance(0.5);
  assert.deepEqual(world.get(ball).position, [0, 3.5]);
  world.advance(20);
  assert.deepEqual(world.get(ball).velocity, [0, 0]);
  assert.ok(Math.abs(world.get(ball).position[1] - 0.5) < 1e-12);
  assert.equal(world.heldTo(ball)[0].kind, "wall");
});

test("queries: point, box, disc, nearest, rays, casts", () => {
  const { world, cue, ball } = pair();
  const wall = world.addWall({ shape: "half_plane", point: [0, -2], normal: [0, 1] });
  assert.deepEqual(world.overlapPoint([3.2, 0.1]), [{ kind: "disc", disc: ball }]);
  assert.deepEqual(world.overlapPoint([0, -3]), [{ kind: "wall", wall, part: 0 }]);
  assert.deepEqual(world.overlapDisc([1.5, 0], 1).map((found) => found.disc), [cue, ball]);
  assert.deepEqual(world.overlapBox([-1, -1], [1, 1], { excluding: cue }), []);
  assert.deepEqual(world.nearest([2, 0], 2, { only: "discs" }).map((near) => [near.body.disc, near.distance]), [[ball, 0.5], [cue, 1.5]]);
  const hit = world.castRay([1, 0], [5, 0]);
  assert.deepEqual([hit.body.disc, hit.distance, hit.point, hit.normal], [ball, 1.5, [2.5, 0], [-1, 0]]);
  assert.equal(world.castRay([0, 0], [1, 0]).normal, undefined);
  assert.equal(world.castRay([0, 5], [0, 1]), undefined);
  assert.deepEqual(world.rayHits([0, 0], [1, 0]).map((each) => each.body.disc), [cue, ball]);
  assert.equal(world.rayHits([1, 0], [1, 0], { maxDistance: 1 }).length, 0);
  const cast = world.castDisc({ position: [3, 3], radius: 0.5, velocity: [0, -1] });
  assert.deepEqual([cast.body.disc, cast.seconds, cast.position], [ball, 2, [3, 1]]);
});

test("a forecast says what happens, also after an edit that is only thought of", () => {
  const { world, cue, ball } = pair();
  const { pieces, end } = world.forecast(cue, { maxTime: 5 });
  assert.deepEqual([pieces.length, pieces[0].end, pieces[0].met.body.disc, end], [2, 2, ball, "time"]);
  const faster = world.forecast(cue, { maxTime: 5, velocity: [2, 0], maxImpacts: 1 });
  assert.deepEqual([faster.pieces[0].end, faster.end], [1, "impacts"]);
  assert.deepEqual(world.get(cue).velocity, [1, 0]);
  const elsewhere = world.forecast(cue, { maxTime: Infinity, position: [1, 0], frozen: true, maxImpacts: 1 });
  assert.equal(elsewhere.pieces[0].end, 1);
});

test("an exact time leads to the instant of an event, not past it or before", () => {
  const world = World.fromScene("box-16");
  world.setTimer(0.3, 7);
  const { exactTime } = world.nextEvent();
  const { events } = world.advanceTo(exactTime);
  assert.ok(events >= 1);
  assert.equal(world.now, exactTime.epoch + exactTime.offset);
  world.advanceTo(world.now);
});

test("regions see discs enter and leave at the times of the formula, and say which are inside", () => {
  const { world, cue, ball } = pair();
  const goal = world.addRegion({ shape: "rectangle", min: [1, -1], max: [2, 1], userData: 9 });
  const radar = world.addRegion({ shape: "disc", center: [0, 0], radius: 2, carrier: cue });
  const beam = world.addRegion({ shape: "segment", a: [1.5, -1], b: [1.5, 1] });
  assert.deepEqual(world.regions.map(({ region, form, carrier, extent, userData }) => [region, form.shape, carrier, extent, userData]),
    [[goal, "rectangle", undefined, "centre", 9], [radar, "disc", cue, "centre", 0], [beam, "segment", undefined, "edge", 0]]);
  const { exactTime, ...next } = world.nextEvent();
  assert.deepEqual(next, { time: 1, kind: "enter", a: cue, region: goal });
  assert.equal(exactTime.epoch + exactTime.offset, 1);
  world.advance(1.5);
  // The edge of the cue ball comes to the beam when its centre is in the goal, the ball into the radar then, too.
  const seen = world.events.toArray().map(({ kind, time, a, region, cause }) => [kind, time, a, region, cause]);
  assert.deepEqual(seen.sort((one, other) => one[1] - other[1] || one[3] - other[3]), [
    ["entered", 1, cue, goal, "motion"], ["entered", 1, ball, radar, "motion"], ["entered", 1, cue, beam, "motion"]]);
  assert.deepEqual([world.inside(goal), world.inside(radar), world.isInside(goal, ball)], [[cue], [ball], false]);
  world.setRegion(goal, { shape: "disc", center: [9, 9], radius: 1 });
  world.removeRegion(beam);
  world.advance(0);
  assert.deepEqual(world.events.toArray().map(({ kind, region, cause, velocity }) => [kind, region, cause, velocity]).sort((a, b) => a[1] - b[1]),
    [["left", goal, "placed", [1, 0]], ["left", beam, "region_removed", [1, 0]]]);
  assert.throws(() => world.inside(beam), { code: "gone", field: "region" });
  assert.throws(() => world.addRegion({ shape: "disc", center: [0, 0], radius: 0 }), { code: "value", field: "radius" });
  assert.throws(() => world.addRegion({ shape: "disc", center: [0, 0], radius: 1, extent: "all" }), { code: "value", field: "extent" });
  const again = World.load(world.save());
  assert.deepEqual(again.regions, world.regions);
  const probe = world.addDisc({ position: [-9, 0], radius: 1, sensor: true });
  assert.deepEqual([world.isInside(world.sensorRegion(probe), cue), world.sensorRegion(cue)], [false, undefined]);
});

test("timers ring at their times unless they are cancelled", () => {
  const world = new World();
  const bells = [world.setTimer(0.75, 1), world.setTimer(0.25, 2), world.setTimerAt(0.5)];
  assert.deepEqual(world.timers.map(({ timer, time }) => [timer, time]), [[bells[1], 0.25], [bells[2], 0.5], [bells[0], 0.75]]);
  assert.deepEqual([world.nextEvent().timer, world.nextEvent().kind], [bells[1], "timer"]);
  assert.deepEqual([world.cancelTimer(bells[0]), world.cancelTimer(bells[0]), world.cancelTimer(4711)], [true, false, false]);
  const exact = world.setTimerAt(world.timers[0].exactTime, 3);
  world.advance(1);
  assert.deepEqual(world.events.toArray().map(({ kind, time, timer, note }) => [kind, time, timer, note]),
    [["timer", 0.25, bells[1], 2], ["timer", 0.25, exact, 3], ["timer", 0.5, bells[2], 0]]);
  assert.deepEqual(world.timers, []);
  assert.throws(() => world.setTimer(-1, 0), { code: "value" });
  assert.throws(() => world.setTimerAt(0.5), { code: "value", field: "time" });
});

test("rules of walls, excluded pairs, and gravity that changes", () => {
  const { world, cue, ball } = pair();
  const wall = world.addWall({ shape: "half_plane", point: [1.5, 0], normal: [-1, 0], membership: 2, mask: 2 });
  assert.equal(world.nextEvent().kind, "discs");
  world.setWallRules(wall, { membership: 1 });
  assert.deepEqual([world.nextEvent().kind, world.nextEvent().time], ["wall", 1]);
  world.setWallUserData(wall, 5);
  assert.equal(world.walls[0].userData, 5);
  world.removeWall(wall);
  assert.deepEqual([world.isExcluded(cue, ball), world.exclude(cue, ball), world.isExcluded(cue, ball)], [false, true, true]);
  assert.equal(world.nextEvent(), undefined);
  assert.throws(() => world.setGravity([0, -1]), { code: "value", field: "gravity" });
  assert.deepEqual(world.gravity, [0, 0]);
  const falling = new World({ gravity: [0, -8], weight: 3 });
  const apple = falling.addDisc({ position: [0, 0], radius: 1 });
  falling.advance(1);
  falling.setGravity([0, 0]);
  falling.advance(1);
  assert.deepEqual([falling.get(apple).position, falling.gravity], [[0, -12], [0, 0]]);
});

test("handles that are stale or of nothing are refused, wherever they are given", () => {
  const { world, cue, ball } = pair();
  world.remove(cue);
  const again = world.addDisc({ position: [0, 0], radius: 0.5 });
  assert.notEqual(again, cue);
  assert.ok(!world.has(cue) && world.has(again));
  for (const bad of [cue, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 53, 1e300, 4711]) {
    for (const call of [
      () => world.get(bad), () => world.remove(bad), () => world.setVelocity(bad, [0, 0]), () => world.setMass(bad, 1),
      () => world.setPosition(bad, [9, 9]), () => world.forecast(bad, { maxTime: 1 }), () => world.exclude(bad, ball),
      () => world.removeWall(bad), () => world.moveWall(bad, [1, 0], 5), () => world.turnArm(bad, 1, 1),
      () => world.applyImpulse(bad, [1, 0]), () => world.setVelocities([ball, 0, 0, bad, 0, 0]),
      () => world.setEnabled(bad, false), () => world.moveTo(bad, [1, 1], 9), () => world.setRules(bad, {}),
    ]) {
      assert.throws(call, (error) => error instanceof CaromError && ["gone", "value"].includes(error.code), `${bad}: ${call}`);
    }
  }
});

const [BALL, BUMPER, BRICK, BULLET] = [1, 2, 3, 4];

test("rules say what becomes of those that meet: kick, break, vanish, pass, and edits after the impact", () => {
  const world = new World({ verdicts: [
    { second: { userData: BUMPER }, verdict: "kick", speed: 2, commands: [{ do: "setTimer", seconds: 0.25, note: 7 }] },
    { first: { userData: BALL }, second: { is: "wall", userData: BRICK }, minSpeed: 2, verdict: "bounce_and_remove", which: "second" },
    { first: { userData: BULLET }, verdict: "remove", which: "first" },
  ] });
  world.addWall({ shape: "disc", center: [0, 0], radius: 1, userData: BUMPER });
  const brick = world.addWall({ shape: "segment", a: [4, -1], b: [4, 1], userData: BRICK });
  const ball = world.addDisc({ position: [2, 0], radius: 0.5, velocity: [-1, 0], userData: BALL });
  world.addDisc({ position: [2, 5], radius: 0.1, velocity: [0, -8], userData: BULLET, mass: 50 });
  world.advance(1);
  // At 0.5 s the bumper adds 2 to the speed of 1; the bullet vanishes on the ball right after that, and does not push it.
  assert.deepEqual(world.events.toArray().map(({ kind }) => kind), ["impact", "removed", "timer"]);
  assert.deepEqual([world.events.at(0).time, world.events.at(2).time, world.events.at(2).note], [0.5, 0.75, 7]);
  assert.deepEqual([world.get(ball).velocity, world.discCount, world.walls.length], [[3, 0], 1, 2]);
  world.advance(0.5);
  assert.deepEqual(world.events.toArray().map(({ kind, wall, userData }) => [kind, wall, userData]).at(-1), ["wall_removed", brick, BRICK]);
  assert.deepEqual([world.get(ball).velocity, world.walls.length], [[-3, 0], 1]);
});

test("a rule for a side is a one-way platform: up through it, and down onto it", () => {
  const world = new World({ verdicts: [{ first: { is: "disc" }, second: { userData: 7 }, toward: [0, 1], verdict: "pass" }] });
  const platform = world.addWall({ shape: "segment", a: [-1, 2], b: [1, 2], userData: 7 });
  world.addWall({ shape: "half_plane", point: [0, 5], normal: [0, -1] });
  const ball = world.addDisc({ position: [0.9, 0], radius: 0.5, velocity: [0, 1] });
  world.advance(8);
  assert.deepEqual(world.events.toArray().map(({ kind, time, b }) => [kind, time, b.wall === platform]),
    [["passed", 1.5, true], ["impact", 4.5, false], ["impact", 6.5, true]]);
  assert.equal(world.get(ball).position[1], 4);
});

test("the law of impulses of a contest, captures, and discs that are put in", () => {
  const pods = new World({ verdicts: [{ first: { membership: 2 }, second: { membership: 2 }, verdict: "least_impulse", impulse: 120 }] });
  const [a, b] = pods.addDiscs([0, 10].map((x) => ({ position: [x, 0], radius: 1, velocity: [x === 0 ? 2 : 0, 0], membership: 2 })));
  pods.advance(5);
  // Half of an elastic impulse of two masses of 1 that approach at 2 is 1; 120 for the second half make 121.
  assert.deepEqual([pods.get(a).velocity, pods.get(b).velocity], [[-119, 0], [121, 0]]);
  const table = new World({ verdicts: [
    { second: { is: "wall", userData: 9 }, verdict: "capture", which: "first" },
    { second: { is: "wall" }, maxSpeed: 1.5, verdict: "restitution", restitution: 0.5, commands: [
      { do: "addDisc", at: "first", disc: { position: [-3, 0], radius: 0.25, mass: Infinity, userData: 5 } },
      { do: "addDisc", disc: { position: [0, 0], radius: 0.25 } },
      { do: "setUserData", of: "first", userData: 6 },
    ] },
  ] });
  table.addWall({ shape: "half_plane", point: [4, 0], normal: [-1, 0] });
  table.addWall({ shape: "half_plane", point: [0, 9], normal: [0, -1], userData: 9 });
  const [slow, sunk] = table.addDiscs([{ position: [3, 0], radius: 0.5, velocity: [1, 0] }, { position: [0, 8], radius: 0.5, velocity: [0, 1] }]);
  table.advance(1);
  assert.deepEqual(table.events.toArray().map(({ kind, what, reason, userData }) => [kind, what ?? userData, reason]), [
    ["impact", [0, 0], undefined], ["inserted", 5, undefined], ["refused", "insert", "overlap"], ["captured", 0, undefined]]);
  assert.deepEqual([table.get(slow).velocity, table.get(slow).userData, table.get(sunk).enabled], [[-0.5, 0], 6, false]);
  const put = table.discs().map((disc) => table.get(disc)).find(({ userData }) => userData === 5);
  assert.deepEqual([put.position, put.mass], [[0.5, 0], Infinity]);
});

test("verdicts are part of the world: copies, snapshots, timelines and workers have the same bits, in frames of any length", async () => {
  const verdicts = [
    { first: { userData: [0, 30] }, second: { is: "wall" }, verdict: "kick", speed: 0.125, commands: [{ do: "setUserData", of: "first", userData: 31 }] },
    { first: { userData: 31 }, second: { userData: [32, 99] }, verdict: "pass" },
    { first: { userData: [80, 99] }, minSpeed: 0.5, verdict: "restitution", restitution: 1.25 },
  ];
  const start = () => {
    const world = World.fromScene("box-100", { forces: true });
    world.setVerdicts(verdicts);
    return world;
  };
  const straight = start();
  straight.advanceTo(1);
  const plain = World.fromScene("box-100", { forces: true });
  plain.advanceTo(1);
  assert.notEqual(plain.hash(), straight.hash(), "they matter");
  const frames = start();
  for (let frame = 1; frame <= 100; frame += 1) frames.advanceTo(frame / 100);
  const half = start();
  half.advanceTo(0.5);
  const [loaded, copy, other] = [World.load(half.save()), half.clone(), new World()];
  other.copyFrom(half);
  const timeline = new Timeline(start());
  timeline.goTo(2);
  timeline.goTo(1);
  for (const each of [loaded, copy, other]) each.advanceTo(1);
  const { RemoteWorld } = await import(new URL("package/worker.js", folder).href);
  const remote = await RemoteWorld.start({ snapshot: start().save() });
  await remote.step(1);
  const hashes = [frames, loaded, copy, other, timeline.world].map((each) => each.hash());
  hashes.push(await remote.call("hash"));
  remote.terminate();
  assert.deepEqual(hashes, Array(6).fill(straight.hash()));
  half.setVerdicts([]);
  const without = half.clone();
  half.advanceTo(1);
  without.advanceTo(1);
  assert.equal(without.hash(), half.hash());
  assert.notEqual(half.hash(), straight.hash());
});

test("a thrust ends at the speed limit of a disc, at the exact time", () => {
  const world = new World({ forces: true });
  const ship = world.addDisc({ position: [0, 0], radius: 0.5, acceleration: [2, 0], speedLimit: 4 });
  world.advance(5);
  assert.deepEqual([world.get(ship).position, world.get(ship).velocity], [[16, 0], [4, 0]]);
  assert.deepEqual(world.events.toArray().map((event) => [event.kind, event.change, event.time]), [["change", "reaches_limit", 2]]);
  world.setForces(ship, { acceleration: [2, 0], speedLimit: 6 });
  world.advance(2);
  assert.deepEqual([world.get(ship).velocity, world.get(ship).forces.speedLimit], [[6, 0], 6]);
  assert.throws(() => world.setForces(ship, { speedLimit: 0 }), { code: "value", field: "speedLimit" });
  assert.throws(() => new World().addDisc({ position: [0, 0], radius: 1, speedLimit: 4 }), { field: "speedLimit" });
});

test("rules that are none are refused with their place, and the world is as it was", () => {
  const world = new World({ forces: true });
  const pass = { verdict: "pass" };
  const cases = [
    [{}, "verdicts"], [[1], "verdicts[0]"], [[{}], "verdicts[0].verdict"], [[{ verdict: "explode" }], "verdicts[0].verdict"],
    [[pass, { ...pass, frist: {} }], "verdicts[1].frist"], [[{ ...pass, first: { userData: -1 } }], "verdicts[0].first.userData"],
    [[{ ...pass, second: { userData: [1] } }], "verdicts[0].second.userData"], [[{ verdict: "kick", speed: NaN }], "verdicts[0].speed"],
    [[{ verdict: "kick" }], "verdicts[0].speed"], [[{ verdict: "remove" }], "verdicts[0].which"], [[{ ...pass, toward: [0, 0] }], "verdicts[0].toward"],
    [[{ ...pass, maxSpeed: NaN }], "verdicts[0].maxSpeed"], [[{ ...pass, commands: [{ do: "dance" }] }], "verdicts[0].commands[0].do"],
    [[{ ...pass, commands: [{ do: "setVelocity", of: "first", velocity: [0, NaN] }] }], "verdicts[0].commands[0].velocity.y"],
    [[{ ...pass, commands: [{ do: "addDisc", disc: { position: [0, 0], radius: NaN } }] }], "verdicts[0].commands[0].disc[2]"],
  ];
  for (const [verdicts, field] of cases) {
    assert.throws(() => world.setVerdicts(verdicts), (error) => error instanceof CaromError && error.code === "value" && error.field === field, `${field}`);
  }
  assert.throws(() => new World().setVerdicts([pass]), { code: "value", field: "verdicts", allowed: /forces/ });
  assert.throws(() => new World({ forces: false, verdicts: [] }), { field: "forces" });
  new World().setVerdicts([]);
});

test("refusals name the field, the value and what is allowed", () => {
  const world = new World();
  const cases = [
    [() => world.addDisc({ position: [0, 0], radius: -1 }), "radius", "-1", /1e-15/],
    [() => world.addDisc({ position: [0, NaN], radius: 1 }), "position.y", "NaN", /finite/],
    [() => world.addDisc({ position: [0, 0], radius: "1" }), "radius", '"1"', /number/],
    [() => world.addDisc({ position: [0], radius: 1 }), "position", "[1 values]", /two numbers/],
    [() => world.addDisc({ position: [0, 0], radius: 1, colour: "red" }), "disc.colour", '"red"', /velocity/],
    [() => world.addDisc({ position: [0, 0], radius: 1, restitution: 2 }), "restitution", "2", /0 to 1/],
    [() => world.addDisc({ position: [0, 0], radius: 1, friction: 0.5 }), "friction", "0.5", /forces/],
    [() => world.addDisc({ position: [0, 0], radius: 1, userData: -1 }), "userData", "-1", /whole/],
    [() => world.addWall({ shape: "blob" }), "shape", '"blob"', /segment/],
    [() => world.addWall({ shape: "segment", a: [0, 0], b: [0, Infinity] }), "b.y", "Infinity", /finite/],
    [() => world.addWall({ shape: "circle", center: [0, 0], radius: 0 }), "radius", "0", /1e-15/],
    [() => world.advance(-1), "seconds", "-1", /at least 0/],
    [() => world.advanceTo(NaN), "time", "NaN", /finite/],
    [() => new World({ gravty: [0, 1] }), "world.gravty", "[2 values]", /gravity/],
    [() => world.nearest([0, 0], 1.5), "most", "1.5", /whole/],
  ];
  for (const [call, field, value, allowed] of cases) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof CaromError, `${call}: ${error}`);
      assert.deepEqual([error.code, error.field, error.value], ["value", field, value], `${call}`);
      assert.match(error.allowed, allowed);
      return true;
    });
  }
  assert.equal(world.discCount, 0);
  assert.throws(() => World.fromScene("newton-cradle"), { code: "scene", message: /newtons-cradle/ });
  assert.throws(() => World.fromScene("format = 1\nuntil = 1.0\nmodel = 'discs'\n[[discs]]\nradius = -1\nposition = [0, 0]"), { code: "scene", message: /radius/ });
});

test("a world that is freed, or overlaps, says so", () => {
  const { world, cue } = pair();
  assert.throws(() => world.addDisc({ position: [0.1, 0], radius: 0.5 }), { code: "overlap" });
  const { events } = world;
  world.free();
  world.free();
  assert.ok(world.isFreed);
  for (const call of [() => world.advance(1), () => world.get(cue), () => world.clone(), () => world.now, () => events.length,
    () => world.positions, () => new World().copyFrom(world), () => world.save()]) {
    assert.throws(call, { code: "freed" }, `${call}`);
  }
});

/** A generator of numbers: the same every time. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test("no argument of any method makes the module fail", () => {
  const next = random(20261123);
  const values = [
    undefined, null, 0, -0, 1, -1, 0.5, 3, 1e9, 1e15, -1e15, 1e16, 1e308, 5e-324, NaN, Infinity, -Infinity, 2 ** 24, 2 ** 53, "", "x", "1",
    "newtons-cradle", true, false, 7n, Symbol("s"), [], [1], [0, 0], [1, 2], [NaN, 0], [0, 1e15], { x: 1, y: 2 }, { x: "1" }, {}, () => 1,
    new Float64Array(3), new Float64Array([0, 1, 2]), new Date(0), /x/, Object.create(null), { maxTime: 3 }, { maxTime: 1, velocity: [3, 1] },
    { position: [7, 7], radius: 0.25, velocity: [0, 1] }, { shape: "segment", a: [0, 9], b: [9, 9] }, { shape: "arm", pivot: [4, 4], length: 1, radius: 0.1, angle: 0 },
    { only: "discs" }, { epoch: 0, offset: 0.5 }, { membership: 3, mask: 1 }, { acceleration: [1, 0] },
    { friction: 0.5 }, { angle: 3, angularVelocity: -2, roughness: { friction: Infinity, rollingResistance: 1 } }, { inertia: 1e300, roughness: null },
    { surfaceSpeed: 3, roughness: { friction: 1e15, tangentialRestitution: -1 } },
    [{ verdict: "kick", speed: 1, commands: [{ do: "setVelocity", of: "first", velocity: [1e300, 0] }] }], [{ verdict: "remove", which: "both" }],
    [{ verdict: "pass", commands: [{ do: "addDisc", disc: { position: [0, 0], radius: 1e-3 } }, { do: "setPosition", of: "second", position: [0, 0] }] }],
  ];
  const skipped = new Set(["constructor", "free"]);
  const methods = Object.getOwnPropertyNames(World.prototype).filter((name) => !skipped.has(name));
  for (const made of [() => new World(), () => new World({ gravity: [0, -1] }), () => World.fromScene("box-16"), () => World.fromScene("conveyor")]) {
    let world = made();
    world.setBudget(2000);
    for (let k = 0; k < 4000; k += 1) {
      const name = methods[Math.floor(next() * methods.length)];
      const discs = world.discs();
      const pick = () => (next() < 0.3 && discs.length > 0 ? discs[Math.floor(next() * discs.length)] : values[Math.floor(next() * values.length)]);
      const args = Array.from({ length: Math.floor(next() * 5) }, pick);
      try {
        if (typeof Object.getOwnPropertyDescriptor(World.prototype, name).value === "function") world[name](...args);
        else void world[name];
      } catch (error) {
        const isTyped = error instanceof CaromError && error.code !== "internal";
        assert.ok(isTyped, `${name}: ${error?.stack}`);
      }
      if (world.discCount > 200) world = made();
      if (k % 100 === 0) world.setBudget(2000);
    }
  }
  for (const made of [() => World.fromScene("box-16"), () => World.fromScene("marble-run"), () => World.fromScene("conveyor")]) {
    const timeline = new Timeline(made(), { bytes: 100_000 });
    timeline.edit((world) => world.setBudget(500));
    const members = Object.getOwnPropertyNames(Timeline.prototype).filter((name) => !skipped.has(name));
    for (let k = 0; k < 1500; k += 1) {
      const name = members[Math.floor(next() * members.length)];
      const args = Array.from({ length: Math.floor(next() * 3) }, () => values[Math.floor(next() * values.length)]);
      try {
        if (typeof Object.getOwnPropertyDescriptor(Timeline.prototype, name).value === "function") timeline[name](...args);
        else void timeline[name];
      } catch (error) {
        assert.ok(error instanceof CaromError && error.code !== "internal", `${name}: ${error?.stack}`);
      }
    }
    assert.ok(timeline.goTo(timeline.start).end === "reached");
  }
  for (const value of values) {
    for (const call of [() => new Timeline(value), () => new Timeline(new World(), value), () => new World(value), () => World.fromScene(value), () => World.load(value), () => goldenRun(value), () => sceneText(value)]) {
      try {
        call();
      } catch (error) {
        assert.ok(error instanceof CaromError && error.code !== "internal", `${call}: ${error?.stack}`);
      }
    }
  }
  assert.equal(new World().discCount, 0, "the module still works");
});

test("a snapshot that has been changed anywhere is refused or loads, and never fails", () => {
  const next = random(7);
  const world = World.fromScene("newtons-cradle");
  world.advanceTo(3);
  const saved = world.save();
  for (let k = 0; k < 300; k += 1) {
    const at = Math.floor(next() * saved.length);
    const changed = saved.slice(0, at) + "0123456789eE-.,\"{}[]nul"[Math.floor(next() * 23)] + saved.slice(at + 1);
    try {
      const loaded = World.load(changed);
      loaded.setBudget(1000);
      loaded.advance(1);
      void loaded.scene;
    } catch (error) {
      assert.ok(error instanceof CaromError && error.code !== "internal", `${at}: ${error?.stack}`);
    }
  }
});

test("a world in a worker runs as one that is here, hands over positions, and refuses as it does", async () => {
  const { RemoteWorld } = await import(new URL("package/worker.js", folder).href);
  const remote = await RemoteWorld.start({ scene: "box-100" });
  try {
    const here = World.fromScene("box-100");
    let frame;
    for (let k = 0; k < 30; k += 1) {
      frame = await remote.step(1 / 64, { events: true });
      here.advance(1 / 64);
      assert.deepEqual(Array.from(frame.positions), Array.from(here.positions));
      assert.equal(frame.events.length, here.events.records.length);
    }
    assert.equal(await remote.call("hash"), here.hash());
    await assert.rejects(remote.call("setMass", 5, -1), { name: "CaromError", code: "value", field: "mass" });
    await assert.rejects(remote.call("free"), { field: "method" });
    await assert.rejects(remote.call("setMass", () => 1), { code: "value" });
    await assert.rejects(remote.step("1"), { code: "value" });
    await assert.rejects(RemoteWorld.start({ scene: "nothing" }), { code: "scene" });
  } finally {
    remote.terminate();
  }
  await assert.rejects(remote.step(1), { code: "freed" });
});

test("every member that the types declare is there", () => {
  const types = readFileSync(fileURLToPath(new URL("package/carom.d.ts", folder)), "utf8");
  for (const [name, of] of Object.entries({ World, Timeline })) {
    const from = types.indexOf(`export class ${name} {`);
    const body = types.slice(from, types.indexOf("\n}\n", from));
    const declared = [...body.matchAll(/^ {2}(?:static |readonly )?(\w+)(?:<\w+>)?[(:]/gm)].map((found) => found[1]).filter((member) => member !== "constructor");
    const there = new Set([...Object.getOwnPropertyNames(of.prototype), ...Object.getOwnPropertyNames(of)]);
    for (const member of declared) assert.ok(there.has(member), `${name}.${member}`);
    for (const member of Object.getOwnPropertyNames(of.prototype)) {
      assert.ok(member === "constructor" || declared.includes(member), `${name}.${member} has no type`);
    }
  }
});
