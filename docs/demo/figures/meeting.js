// Figures of one impact: when two discs meet, what it does to them, and groups.

import { ARROW, Figure, seconds } from "../figure.js";

/** Advances a world through its next instant: when it is, where the discs are then, and what became of them. */
export function nextImpact(world, ids) {
  const next = world.nextEvent();
  if (next === undefined) return undefined;
  const before = world.totals;
  world.advanceTo(next.exactTime);
  const impacts = world.events.toArray().filter((event) => event.kind === "impact");
  const states = ids.map((id) => world.get(id));
  return {
    time: next.time,
    positions: states.map((state) => state.position),
    velocities: states.map((state) => state.velocity),
    contacts: impacts.map(({ point, normal, impulse, group }) => ({ point, normal, impulse, group })),
    energy: [before.kineticEnergy, world.totals.kineticEnergy],
  };
}

const fixed = (x) => (Math.abs(x) < 5e-4 ? "0" : x.toFixed(3)).replace("-", "−");
const vector = ([x, y]) => `(${fixed(x)}, ${fixed(y)})`;
const signed = (x) => (x < 0 ? `− ${fixed(-x)}` : `+ ${fixed(x)}`);

export class TimeOfImpact extends Figure {
  constructor(root) {
    super(root, {
      bounds: [-5, -3.5, 5, 2.3],
      discs: [
        { position: [-3.6, -0.5], velocity: [1.6, 0.35], radius: 0.6, mass: 1 },
        { position: [3.2, 1.1], velocity: [-0.7, -0.1], radius: 0.8, mass: 2, heading: [-1, 0] },
      ],
    });
  }

  predict(world, ids) {
    const [one, two] = this.discs;
    const d = [two.position[0] - one.position[0], two.position[1] - one.position[1]];
    const v = [two.velocity[0] - one.velocity[0], two.velocity[1] - one.velocity[1]];
    const [reach, cross] = [one.radius + two.radius, d[0] * v[1] - d[1] * v[0]];
    // The quadratic a t² + 2 b t + c; b² − a c without cancellation.
    const [a, b, c] = [v[0] ** 2 + v[1] ** 2, d[0] * v[0] + d[1] * v[1], d[0] ** 2 + d[1] ** 2 - reach ** 2];
    const discriminant = a * reach ** 2 - cross ** 2;
    const roots = a > 0 && discriminant >= 0 ? [-1, 1].map((sign) => (-b + sign * Math.sqrt(discriminant)) / a) : [];
    const closest = a > 0 ? Math.abs(cross) / Math.sqrt(a) : Math.hypot(...d);
    return { impact: nextImpact(world, ids), roots, discriminant, closest, reach, d, v, quadratic: [a, b, c] };
  }

  refresh() {
    super.refresh();
    this.tabulate();
  }

  /** The numbers behind the picture: what the quadratic is, what the engine's table has, and what the impact does. */
  tabulate() {
    const { impact, roots, discriminant, d, v, reach, quadratic: [a, b, c] } = this.prediction;
    const entry = impact === undefined ? "never" : impact.time === 0 ? "now" : seconds(impact.time);
    const rows = {
      offset: vector(d),
      relative: vector(v),
      quadratic: a > 0 ? `${fixed(a)} t² ${signed(2 * b)} t ${signed(c)} = 0` : "none: v is 0",
      discriminant: a > 0 ? fixed(4 * discriminant) : "–",
      roots: roots.length > 0 ? roots.map((t) => `${fixed(t)} s`).join(" and ") : a > 0 ? "none is real" : "none",
      entry,
      after: impact ? impact.velocities.map(vector).join(" and ") : "as before",
      reaction: impact?.contacts[0] ? `impulse ${fixed(impact.contacts[0].impulse)}` : "none",
      overlap: this.overlaps.length > 0 ? fixed(this.overlaps[0].depth) : `none: ${fixed(Math.hypot(...d) - reach)} apart`,
    };
    for (const [name, text] of Object.entries(rows)) this.root.querySelector(`[data-number="${name}"]`).textContent = text;
  }

  say({ impact, roots, closest, reach, v }) {
    if (this.overlaps.length > 0) return "";
    if (impact) return `They meet in ${seconds(impact.time)}. The other root is ${seconds(roots[1] ?? impact.time)}: there they would part if they passed through each other.`;
    if (roots.length > 0) return `Both roots are past: on these paths they met ${seconds(-roots[0])} ago, and now they part.`;
    if (v[0] === 0 && v[1] === 0) return "They never meet: neither moves as seen from the other one.";
    return `They never meet: no root is real. They pass at a distance of ${closest.toFixed(3)}, and would touch at ${reach.toFixed(3)}.`;
  }

  foretell({ impact, roots, reach, d, v }) {
    const { sheet } = this;
    const later = (t) => this.discs.map(({ position: [x, y], velocity: [vx, vy] }) => [x + t * vx, y + t * vy]);
    if (impact && this.overlaps.length === 0) {
      // Where the second root is: as if they had passed through each other.
      later(roots[1] ?? impact.time).forEach((there, index) => {
        sheet.circle(there, this.discs[index].radius, { stroke: sheet.colours.soft, width: 1, dash: [1, 4] });
      });
      this.ghosts(impact);
    } else if (impact) {
      this.ghosts(impact);
    } else {
      later(4).forEach((there, index) => sheet.line([this.discs[index].position, there], sheet.colours.discs[index], { dash: [2, 5] }));
    }
    this.curve({ roots, reach, d, v });
  }

  overlay(prediction) {
    super.overlay(prediction);
    for (const { point, normal, impulse } of prediction.impact?.contacts ?? []) this.reaction(point, normal, impulse);
  }

  /** The impulse and its opposite, along the line of centres: the change of each disc's velocity times its mass. */
  reaction([x, y], [nx, ny], impulse) {
    const { sheet } = this;
    const far = 0.2 * ARROW * impulse;
    for (const sign of [-1, 1]) sheet.arrow([x, y], [x + sign * far * nx, y + sign * far * ny], sheet.colours.soft, { width: 4 });
    sheet.circle([x, y], 4 / sheet.scale, { fill: sheet.colours.accent });
  }

  /** The gap between the discs over time, at the foot of the figure. */
  curve({ roots, reach, d, v }) {
    const { sheet } = this;
    const [left, bottom, right] = sheet.seen;
    const [low, high] = [-1, 5];
    const x = (t) => left + 0.06 * (right - left) + (0.88 * (right - left) * (t - low)) / (high - low);
    const zero = bottom + 0.62;
    const gap = (t) => Math.hypot(d[0] + v[0] * t, d[1] + v[1] * t) - reach;
    const times = Array.from({ length: 121 }, (_, k) => low + ((high - low) * k) / 120);
    const most = Math.max(...times.map(gap), 4 * reach);
    const y = (t) => zero + (1.25 * gap(t)) / most;
    sheet.line([[x(low), zero], [x(high), zero]], sheet.colours.line);
    sheet.line([[x(0), zero - 0.12], [x(0), zero + 0.12]], sheet.colours.soft);
    sheet.text("now", [x(0), zero + 0.2], { align: "center", size: 12 });
    sheet.line(times.map((t) => [x(t), y(t)]), sheet.colours.soft);
    sheet.text("gap", [x(low), zero + 0.08], { size: 12 });
    roots.filter((t) => t >= low && t <= high).forEach((t) => {
      const counts = t === roots[0] && t >= 0;
      sheet.circle([x(t), zero], 0.07, counts ? { fill: sheet.colours.accent } : { stroke: sheet.colours.soft, fill: sheet.colours.panel });
      const isNear = roots.length === 2 && Math.abs(x(roots[1]) - x(roots[0])) * sheet.scale < 44;
      const align = !isNear ? "center" : t === roots[0] ? "right" : "left";
      sheet.text(`${fixed(t)} s`, [x(t), zero - 0.45], { align, size: 12 });
    });
  }
}

export class Restitution extends Figure {
  constructor(root) {
    super(root, {
      bounds: [-5, -2.6, 5, 2.6],
      discs: [
        { position: [-3, -0.4], velocity: [2.2, 0], radius: 0.8, mass: 2 },
        { position: [2, 0.2], velocity: [-1, 0], radius: 0.6, mass: 1 },
      ],
    });
  }

  predict(world, ids) {
    return { impact: nextImpact(world, ids), restitution: this.restitution };
  }

  say({ impact, restitution }) {
    if (!impact) return this.overlaps.length > 0 ? "" : "They do not meet: nothing is exchanged.";
    const [before, after] = impact.energy;
    const lost = (100 * (before - after)) / before;
    return `e = ${restitution.toFixed(2)}. The impulse is ${impact.contacts[0].impulse.toFixed(3)}; the energy falls from ${before.toFixed(3)} to ${after.toFixed(3)}, by ${lost.toFixed(1)} %.`;
  }

  foretell({ impact }) {
    if (impact) this.ghosts(impact);
  }
}

/** Pixels from the axis within which the upper disc is on it. */
const ON_AXIS = 4;

export class Group extends Figure {
  constructor(root) {
    super(root, {
      bounds: [-4.5, -2.7, 4.5, 3],
      discs: [
        { position: [0, 2.1], velocity: [0, -1.6], radius: 0.6 },
        { position: [-0.6, -0.4], velocity: [0, 0], radius: 0.6, heading: [-1, 0] },
        { position: [0.6, -0.4], velocity: [0, 0], radius: 0.6 },
      ],
    });
  }

  /** The axis holds the upper disc, so that what was symmetric can be so again. */
  confined(point, disc) {
    const [x, y] = super.confined(point);
    return disc === this.discs[0] && Math.abs(x) * this.sheet.scale < ON_AXIS ? [0, y] : [x, y];
  }

  drawStill() {
    super.drawStill();
    const { sheet } = this;
    sheet.line([[0, -2.6], [0, -1.3]], sheet.colours.line, { dash: [6, 6] });
  }

  predict(world, ids) {
    const impact = nextImpact(world, ids);
    const [upper, left, right] = this.discs;
    const isOn = ({ position, velocity }) => position[0] === 0 && velocity[0] === 0;
    const areImages = ["position", "velocity"].every((of) => left[of][0] === -right[of][0] && left[of][1] === right[of][1]);
    return { impact, mirrored: impact && isOn(upper) && areImages };
  }

  say({ impact, mirrored }) {
    if (!impact) return this.overlaps.length > 0 ? "" : "Nothing meets.";
    const { length } = impact.contacts;
    const [, [ax, ay], [bx, by]] = impact.velocities;
    const how = length > 1 ? `${length} contacts in one group, at the same bits of time.` : "One contact alone.";
    const exact = mirrored ? (ax === -bx && ay === by ? " The velocities are mirror images to the last bit." : " The velocities differ.") : "";
    return `${how}${exact} Energy before and after: ${impact.energy[0].toFixed(4)}, ${impact.energy[1].toFixed(4)}.`;
  }

  foretell({ impact }) {
    if (!impact) return;
    this.ghosts(impact);
    for (const { point } of impact.contacts) this.sheet.circle(point, 0.05, { fill: this.sheet.colours.accent });
  }
}
