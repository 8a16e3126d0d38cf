// Records of events as objects, each made when it is asked for.

import { CaromError } from "./check.js";

export const EVENT_STRIDE = 24;
export const EVENT_KINDS = Object.freeze([
  "impact", "change", "crushed", "held", "let_go", "released", "timer", "move_blocked", "turned", "turn_blocked",
  "wall_moved", "wall_blocked", "entered", "left", "other", "growth_ended",
  "passed", "captured", "removed", "wall_removed", "inserted", "refused",
]);

/** What something meets: its kind, handle and part as numbers. */
export function body(kind, handle, part) {
  if (kind === 1) return { kind: "disc", disc: handle };
  return kind === 2 ? { kind: "wall", wall: handle, part } : undefined;
}

const CAUSES = ["motion", "placed", "rules", "disabled", "disc_removed", "region_removed", "other"];

const REFUSED = ["verdict", "insert", "remove", "velocity", "position", "property", "timer", "other"];
const REASONS = ["out_of_range", "gone", "overlap", "full", "other"];

const CHANGES = [undefined, "stops", "reaches_limit", "resumes"];

const pair = (records, at) => [records[at], records[at + 1]];

const MORE = {
  impact: (r, at) => ({
    a: r[at + 3],
    b: body(r[at + 4], r[at + 5], r[at + 6]),
    group: r[at + 7],
    point: pair(r, at + 8),
    normal: pair(r, at + 10),
    approachSpeed: r[at + 12],
    impulse: r[at + 13],
    before: [pair(r, at + 14), pair(r, at + 16)],
    after: [pair(r, at + 18), pair(r, at + 20)],
    userData: pair(r, at + 22),
  }),
  change: (r, at) => ({ a: r[at + 3], change: CHANGES[r[at + 7]] ?? "other" }),
  crushed: (r, at) => ({
    a: r[at + 3], by: r[at + 7], b: body(r[at + 4], r[at + 5], r[at + 6]), impulse: r[at + 13],
  }),
  released: (r, at) => ({ a: r[at + 3], velocity: pair(r, at + 18) }),
  timer: (r, at) => ({ timer: r[at + 12], note: r[at + 7] }),
  move_blocked: (r, at) => ({ a: r[at + 3], position: pair(r, at + 8), target: pair(r, at + 10) }),
  other: () => ({}),
  growth_ended: () => ({}),
  passed: (r, at) => ({
    a: r[at + 3], b: body(r[at + 4], r[at + 5], r[at + 6]), point: pair(r, at + 8), normal: pair(r, at + 10), approachSpeed: r[at + 12],
    userData: pair(r, at + 22),
  }),
  wall_removed: (r, at) => ({ wall: r[at + 5], userData: r[at + 22] }),
  inserted: (r, at) => ({ a: r[at + 3], userData: r[at + 22] }),
  refused: (r, at) => ({ what: REFUSED[r[at + 7]] ?? "other", reason: REASONS[r[at + 12]] ?? "other" }),
};
MORE.held = MORE.let_go = (r, at) => ({
  a: r[at + 3], b: body(r[at + 4], r[at + 5], r[at + 6]), point: pair(r, at + 8), normal: pair(r, at + 10),
});
MORE.captured = MORE.removed = (r, at) => ({
  a: r[at + 3], position: pair(r, at + 8), velocity: pair(r, at + 18), userData: r[at + 22],
  by: body(r[at + 4], r[at + 5], r[at + 6]), byUserData: r[at + 23],
});
MORE.turned = MORE.turn_blocked = (r, at) => ({ wall: r[at + 5], angle: r[at + 12] });
MORE.wall_moved = MORE.wall_blocked = (r, at) => ({ wall: r[at + 5], offset: pair(r, at + 8) });
MORE.entered = MORE.left = (r, at) => ({
  a: r[at + 3], region: r[at + 7], position: pair(r, at + 8), velocity: pair(r, at + 18), cause: CAUSES[r[at + 12]] ?? "other",
  userData: pair(r, at + 22),
});

function event(records, at) {
  const kind = EVENT_KINDS[records[at]] ?? "other";
  const [epoch, offset] = [records[at + 1], records[at + 2]];
  return { kind, time: epoch + offset, exactTime: { epoch, offset }, ...MORE[kind](records, at) };
}

/** See carom.d.ts. */
export class EventList {
  #records;

  /** `records` gives the present view, or refuses once the world has advanced again. */
  constructor(records) {
    this.#records = records;
  }

  get records() {
    return this.#records();
  }

  get length() {
    return this.#records().length / EVENT_STRIDE;
  }

  at(index) {
    const records = this.#records();
    const count = records.length / EVENT_STRIDE;
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      const allowed = `a whole number from 0 to ${count - 1}`;
      const value = String(index);
      throw new CaromError({ code: "value", message: `index is ${value}, allowed is ${allowed}`, field: "index", value, allowed });
    }
    return event(records, index * EVENT_STRIDE);
  }

  toArray() {
    return [...this];
  }

  *[Symbol.iterator]() {
    for (let at = 0; at < this.#records().length; at += EVENT_STRIDE) yield event(this.#records(), at);
  }
}
