// Worlds with their past. Types and documentation are in carom.d.ts.

import { CaromError, finite, number, options as known, refused, whole } from "./check.js";
import { Past, guarded, holds, present, ready, remade, understood, view } from "./load.js";
import { World, advanced, engineOf, exact } from "./world.js";

const LIMIT = 2 ** 26;
// More than a module can have.
const MOST = 2 ** 32 - 1;

export class Timeline {
  #past;
  #made = remade;
  #world;

  constructor(world, options = {}) {
    if (!(world instanceof World)) throw refused("world", world, "a world");
    const { bytes = LIMIT } = known(options, "options", ["bytes"]);
    whole(bytes, "bytes", MOST);
    const engine = engineOf(world);
    this.#past = guarded(() => new Past(engine, bytes));
    this.#world = world.clone();
  }

  get #alive() {
    ready();
    if (this.#past === undefined) throw new CaromError({ code: "freed", message: "the timeline has been freed" });
    present("timeline", this.#made);
    return this.#past;
  }

  #go(name, ...numbers) {
    const [past, engine] = [this.#alive, engineOf(this.#world)];
    try {
      past[name](...numbers, engine);
    } catch (error) {
      throw understood(error);
    }
    return advanced(this.#world);
  }

  get #numbers() {
    const [past, engine] = [this.#alive, engineOf(this.#world)];
    past.numbers(engine);
    return view(engine.out_pointer(), engine.out_length());
  }

  get world() {
    this.#alive;
    return this.#world;
  }

  goTo(time) {
    if (typeof time !== "object" || time === null) return this.#go("go_to", number(time, "time"));
    return this.#go("go_to_exact", finite(time.epoch, "time.epoch"), finite(time.offset, "time.offset"));
  }

  advance(seconds) {
    return this.#go("advance", number(seconds, "seconds"));
  }

  goToEvent(event) {
    return this.#go("go_to_event", whole(event, "event"));
  }

  step() {
    return this.#go("step", false);
  }

  stepBack() {
    return this.#go("step", true);
  }

  edit(change) {
    const [past, world] = [this.#alive, this.#world];
    if (typeof change !== "function") throw refused("change", change, "a function");
    // What has been done to it outside of an edit is no part of the past.
    past.show(engineOf(world));
    try {
      const result = change(world);
      const edited = engineOf(world);
      guarded(() => past.edit(edited));
      return result;
    } catch (error) {
      if (this.#past !== undefined && !world.isFreed) past.show(engineOf(world));
      throw error;
    }
  }

  get start() {
    const { epoch, offset } = this.exactStart;
    return epoch + offset;
  }

  get exactStart() {
    return exact(this.#numbers, 0);
  }

  get end() {
    const { epoch, offset } = this.exactEnd;
    return epoch + offset;
  }

  get exactEnd() {
    return exact(this.#numbers, 2);
  }

  get event() {
    return this.#numbers[4];
  }

  get firstEvent() {
    return this.#numbers[5];
  }

  get lastEvent() {
    return this.#numbers[6];
  }

  get bytes() {
    return this.#numbers[7];
  }

  get copies() {
    return this.#numbers[8];
  }

  free() {
    if (holds(this.#made)) this.#past?.free();
    this.#past = undefined;
    this.#world?.free();
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  get isFreed() {
    return this.#past === undefined;
  }
}
