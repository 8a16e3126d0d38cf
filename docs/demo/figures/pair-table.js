// Three discs in a box, and the table of all that may be next.

import { World } from "../carom/carom.js";
import { Figure, seconds } from "../figure.js";

const BOX = { min: [-4, -3], max: [4, 3] };

export class PairTable extends Figure {
  constructor(root) {
    super(root, {
      bounds: [-4.2, -3.2, 4.2, 3.2],
      discs: [
        { position: [-2.6, 1.2], velocity: [1.6, -0.7], radius: 0.5 },
        { position: [1.4, -0.4], velocity: [-0.8, 0.3], radius: 0.7 },
        { position: [2.2, 2], velocity: [-0.5, -1.1], radius: 0.4 },
      ],
      lasts: 8,
    });
    root.querySelector("button.next").addEventListener("click", () => this.step());
  }

  fill(world) {
    world.addWall({ shape: "container", ...BOX });
    return super.fill(world);
  }

  around() {
    return { walls: [{ shape: "container", ...BOX }] };
  }

  /** Inside the box. */
  confined(point, { radius }) {
    return [0, 1].map((axis) => Math.min(BOX.max[axis] - radius, Math.max(BOX.min[axis] + radius, point[axis])));
  }

  /** Seconds until what two discs, or a disc on its own, will do: a function of their states alone. */
  entry(i, j) {
    const world = new World();
    try {
      if (i === j) world.addWall({ shape: "container", ...BOX });
      for (const disc of new Set([i, j])) {
        const { heading, ...one } = this.discs[disc];
        world.addDisc({ ...one, overlap: true });
      }
      return world.nextEvent()?.time;
    } finally {
      world.free();
    }
  }

  predict(world) {
    const entries = [];
    for (let i = 0; i < this.discs.length; i += 1) for (let j = i; j < this.discs.length; j += 1) entries.push({ i, j, time: this.entry(i, j) });
    const next = world.nextEvent();
    const least = entries.reduce((best, each) => ((each.time ?? Infinity) < (best.time ?? Infinity) ? each : best));
    return { time: next?.time, entries, least };
  }

  refresh() {
    super.refresh();
    this.tabulate();
  }

  tabulate() {
    const table = this.root.querySelector("table");
    const { entries, least } = this.prediction;
    const dot = (index) => `<th scope="col"><i style="background: var(--disc-${index})"></i></th>`;
    const cell = (i, j) => {
      if (j < i) return '<td class="none"></td>';
      const entry = entries.find((each) => each.i === i && each.j === j);
      const is = [entry === least && least.time !== undefined ? "least" : "", this.written?.some((disc) => disc === i || disc === j) ? "written" : ""];
      return `<td class="${is.join(" ").trim()}">${entry.time === undefined ? "never" : entry.time.toFixed(3)}</td>`;
    };
    const rows = this.discs.map((_, i) => `<tr>${dot(i)}${this.discs.map((_, j) => cell(i, j)).join("")}</tr>`);
    table.innerHTML = `<tr><td class="none"></td>${this.discs.map((_, index) => dot(index)).join("")}</tr>${rows.join("")}`;
  }

  /** The next event happens: the discs are then where they are at it. */
  step() {
    this.stop();
    const { world, ids } = this.make();
    try {
      world.stepEvent();
      this.written = [...new Set(world.events.toArray().flatMap(({ a, b }) => [a, b?.disc]))].map((id) => ids.indexOf(id)).filter((index) => index >= 0);
      this.discs.forEach((disc, index) => {
        const { position, velocity } = world.get(ids[index]);
        Object.assign(disc, { position, velocity });
      });
    } finally {
      world.free();
    }
    this.refresh();
    this.written = undefined;
  }

  say({ time, least: { i, j } }) {
    if (time === undefined) return this.overlaps.length > 0 ? "" : "Nothing will ever happen.";
    const what = i === j ? "a disc and a wall" : "two discs";
    return `The least of six entries is next: ${what}, ${time === 0 ? "now" : `in ${seconds(time)}`}.`;
  }

  backdrop() {
    const { sheet } = this;
    const [[l, b], [r, t]] = [BOX.min, BOX.max];
    sheet.line([[l, b], [r, b], [r, t], [l, t], [l, b]], sheet.colours.wall, { width: 2 });
  }

  foretell({ time = 0, least: { i, j } }) {
    for (const index of new Set([i, j])) {
      const { position: [x, y], velocity: [vx, vy], radius } = this.discs[index];
      const there = [x + vx * time, y + vy * time];
      this.sheet.line([[x, y], there], this.sheet.colours.discs[index], { dash: [2, 5] });
      this.sheet.circle(there, radius, { stroke: this.sheet.colours.discs[index], dash: [4, 4] });
    }
  }
}
