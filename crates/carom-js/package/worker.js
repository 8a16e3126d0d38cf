// A world in a worker, seen from outside. Types and documentation are in worker.d.ts.

import { CaromError, flag, number, options as known, refused, text } from "./check.js";

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);
const OPTIONS = ["world", "scene", "snapshot", "wasm", "worker"];

async function started() {
  if (!isNode) return new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
  const threads = "node:worker_threads";
  const { Worker: Thread } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
  return new Thread(new URL("./worker-thread.js", import.meta.url));
}

export class RemoteWorld {
  #worker;
  #waiting = new Map();
  #number = 0;
  #spare;

  constructor(worker) {
    this.#worker = worker;
    const answer = (event) => this.#answer(event.data ?? event);
    const failed = (error) => this.#end(String(error?.message ?? "the worker failed"));
    if (typeof worker.on === "function") {
      worker.on("message", answer);
      worker.on("error", failed);
    } else {
      worker.addEventListener("message", answer);
      worker.addEventListener("error", failed);
    }
  }

  static async start(options = {}) {
    const { worker, ...made } = known(options, "options", OPTIONS);
    if (made.scene !== undefined) text(made.scene, "scene");
    if (made.snapshot !== undefined) text(made.snapshot, "snapshot");
    const remote = new RemoteWorld(worker ?? (await started()));
    try {
      await remote.#ask({ kind: "start", ...made });
    } catch (error) {
      remote.terminate();
      throw error;
    }
    return remote;
  }

  #ask(message, transferred = []) {
    if (this.#worker === undefined) {
      return Promise.reject(new CaromError({ code: "freed", message: "the worker has ended" }));
    }
    return new Promise((resolve, reject) => {
      const id = this.#number++;
      try {
        this.#worker.postMessage({ id, ...message }, transferred);
      } catch (error) {
        // Something that cannot be sent, such as a function.
        reject(refused("args", message.args ?? message, `what can be sent to a worker (${error.message})`));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #answer({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error !== undefined) waiting?.reject(new CaromError(error));
    else waiting?.resolve(result);
  }

  #end(message) {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new CaromError({ code: "freed", message }));
    this.#waiting.clear();
  }

  async step(seconds, options = {}) {
    const { events = false, angles = false } = known(options, "options", ["events", "angles"]);
    number(seconds, "seconds");
    flag(events, "events");
    flag(angles, "angles");
    const spare = this.#spare;
    this.#spare = undefined;
    const message = { kind: "step", seconds, events, angles, spare };
    const frame = await this.#ask(message, spare === undefined ? [] : [spare]);
    this.#spare = frame.positions.buffer;
    return frame;
  }

  call(method, ...args) {
    return this.#ask({ kind: "call", method, args });
  }

  terminate() {
    this.#end("the worker has ended");
  }
}
