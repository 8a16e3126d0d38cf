// The inside of a worker: a world that answers messages.

import { CaromError, init, World } from "./carom.js";

const METHODS = Object.getOwnPropertyNames(World.prototype).filter((name) => {
  const { value } = Object.getOwnPropertyDescriptor(World.prototype, name);
  return typeof value === "function" && !["constructor", "clone", "copyFrom", "free"].includes(name);
});

let world;

async function start({ world: options, scene, snapshot, wasm }) {
  await init(wasm);
  if (snapshot !== undefined) world = World.load(snapshot);
  else if (scene !== undefined) world = World.fromScene(scene);
  else world = new World(options);
}

/** A copy of some numbers, in the memory that came back if it is of the right size. */
function copy(now, spare) {
  const to = spare?.byteLength === now.byteLength ? new Float64Array(spare) : new Float64Array(now.length);
  to.set(now);
  return to;
}

function step({ seconds, events, angles, spare }) {
  const advance = world.advance(seconds);
  const frame = { advance, positions: copy(world.positions, spare) };
  if (angles) frame.angles = world.angles.slice();
  if (events) frame.events = world.events.records.slice();
  return frame;
}

async function answer(message) {
  if (message.kind === "start") return start(message);
  if (world === undefined) throw new CaromError({ code: "uninitialized", message: "the world has not been made" });
  if (message.kind === "step") return step(message);
  if (METHODS.includes(message.method)) return world[message.method](...message.args);
  throw new CaromError({ code: "value", message: `there is no method ${String(message.method)}`, field: "method" });
}

function listen(port) {
  let last = Promise.resolve();
  return (message) => {
    last = last.then(async () => {
      const { id } = message;
      try {
        const result = await answer(message);
        const transferred = message.kind === "step" ? [result.positions.buffer, ...(result.angles === undefined ? [] : [result.angles.buffer])] : [];
        port.postMessage({ id, result }, transferred);
      } catch (error) {
        const { code = "refused", field, value, allowed } = error ?? {};
        port.postMessage({ id, error: { code, message: String(error?.message ?? error), field, value, allowed } });
      }
    });
  };
}

if (typeof self === "undefined") {
  const threads = "node:worker_threads";
  const { parentPort } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
  parentPort.on("message", listen(parentPort));
} else {
  const hear = listen(self);
  self.addEventListener("message", (event) => hear(event.data));
}
