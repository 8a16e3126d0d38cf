// What must not compile: each line below an expectation is an error.
import { World, type DiscId, type WallId } from "carom-physics";

declare const world: World;
declare const disc: DiscId;
declare const wall: WallId;
// @ts-expect-error a wall is no disc
world.get(wall);
// @ts-expect-error a number is no handle
world.remove(3);
// @ts-expect-error a radius is missing
world.addDisc({ position: [0, 0] });
// @ts-expect-error there is no such option
world.addDisc({ position: [0, 0], radius: 1, colour: "red" });
// @ts-expect-error a circle has no end
world.addWall({ shape: "circle", center: [0, 0], radius: 1, b: [0, 0] });
// @ts-expect-error a roughness has a friction
world.addDisc({ position: [0, 0], radius: 1, roughness: { rollingResistance: 0.1 } });
// @ts-expect-error the surface of a disc does not run
world.addDisc({ position: [0, 0], radius: 1, surfaceSpeed: 1 });
// @ts-expect-error a wall has no spin
world.setSpin(wall, { angle: 1 });
// @ts-expect-error a position is not written to
world.get(disc).position = [1, 1];
for (const event of world.events) {
  // @ts-expect-error not every event has an impulse
  event.impulse;
}
