// A small game: keep the ball out of the goal on the left with a paddle that follows the player.
import { init, World, type CaromError, type DiscId, type WorldEvent } from "carom-physics";

export async function play(rounds: number, wasm?: string): Promise<number> {
  await init(wasm);
  const world = new World({ restitution: "maximum" });
  world.addWall({ shape: "container", min: [0, 0], max: [16, 9] });
  const goal = world.addWall({ shape: "segment", a: [0.5, 2], b: [0.5, 7] });
  const ball: DiscId = world.addDisc({ position: [8, 4.5], radius: 0.3, velocity: [-6, 2.5] });
  const paddle: DiscId = world.addDisc({ position: [2, 4.5], radius: 0.6, kinematic: true, maxSpeed: 20 });
  let goals = 0;
  for (let frame = 1; frame <= rounds; frame += 1) {
    const [, y] = world.get(ball).position;
    world.moveTo(paddle, [2, Math.min(8, Math.max(1, y))], 1 / 60);
    world.advance(1 / 60);
    goals += [...world.events].filter((event: WorldEvent) =>
      event.kind === "impact" && event.a === ball && event.b.kind === "wall" && event.b.wall === goal).length;
  }
  const rough = new World({ gravity: [0, -9.8], rough: { friction: 0.5 } });
  rough.addWall({ shape: "half_plane", point: [0, 0], normal: [0, 1], surfaceSpeed: 2, roughness: { friction: 1, rollingResistance: 0.1 } });
  const wheel: DiscId = rough.addDisc({ position: [0, 1], radius: 1, inertia: 1, angularVelocity: 3 });
  rough.setSpin(wheel, { angle: 1, roughness: null });
  const friction: number | undefined = rough.get(wheel).roughness?.friction ?? rough.rough?.friction;
  if (friction !== 0.5 || rough.angles[0] !== 1) throw new Error("the wheel rubs as its world does");
  try {
    world.setMass(ball, -1);
  } catch (error) {
    console.log((error as CaromError).field, "refused as it should be");
  }
  return goals;
}
