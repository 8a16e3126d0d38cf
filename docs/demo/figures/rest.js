// A ball that bounces lower and lower, until it rests.

import { Figure, seconds } from "../figure.js";

const GRAVITY = [0, -4];
const FLOOR = { shape: "half_plane", point: [0, 0], normal: [0, 1] };

export class Rest extends Figure {
  constructor(root) {
    super(root, {
      bounds: [-4.6, -0.5, 4.6, 4.6],
      discs: [{ position: [-3.6, 3.2], velocity: [0.75, 0], radius: 0.4 }],
      lasts: 10,
    });
  }

  options() {
    return { gravity: GRAVITY };
  }

  fill(world) {
    world.addWall({ ...FLOOR });
    return super.fill(world);
  }

  around() {
    return { gravity: GRAVITY, walls: [{ ...FLOOR }] };
  }

  /** Above the floor. */
  confined(point, { radius }) {
    const [x, y] = super.confined(point);
    return [x, Math.max(radius, y)];
  }

  predict(world, [ball]) {
    const time = world.nextEvent()?.time;
    const { pieces } = world.forecast(ball, { maxTime: 30 });
    world.advance(30);
    const events = world.events.toArray();
    const held = events.find((event) => event.kind === "held")?.time;
    return { time, held, bounces: events.filter((event) => event.kind === "impact").length, pieces };
  }

  say({ time, held, bounces }) {
    if (time === undefined) return "It never comes down.";
    if (bounces === 0 && held !== undefined) return "It rests already.";
    const rests = held === undefined ? "it does not rest within half a minute" : `after ${seconds(held)} it rests`;
    return `e = ${this.restitution.toFixed(2)}. The first bounce is in ${seconds(time)}; there are ${bounces} impacts, and ${rests}.`;
  }

  backdrop() {
    const { sheet } = this;
    const [left, , right] = sheet.seen;
    sheet.line([[left, 0], [right, 0]], sheet.colours.wall, { width: 2 });
  }

  foretell({ pieces, held }) {
    const { sheet } = this;
    const points = [];
    for (const piece of pieces) {
      const [from, to] = [piece.start, Math.min(piece.end, 12)];
      if (to < from) break;
      for (let k = 0; k <= 16; k += 1) {
        const s = from + ((to - from) * k) / 16 - piece.time;
        points.push([0, 1].map((axis) => piece.position[axis] + (piece.velocity[axis] + 0.5 * piece.acceleration[axis] * s) * s));
      }
    }
    sheet.line(points, sheet.colours.discs[0], { dash: [2, 5] });
    const rests = pieces.find((piece) => held !== undefined && piece.start >= held);
    if (rests) sheet.circle(rests.position, this.discs[0].radius, { stroke: sheet.colours.discs[0], dash: [4, 4] });
  }
}
