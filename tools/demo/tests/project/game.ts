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
  try {
    world.setMass(ball, -1);
  } catch (error) {
    console.log((error as CaromError).field, "refused as it should be");
  }
  return goals;
}
