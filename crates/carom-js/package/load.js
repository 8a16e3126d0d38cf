// The module: loaded once, and what all of the package shares of it.

import load, { Engine, Past, golden_run, initSync as loadSync, scene_names, scene_text } from "./wasm/carom_js.js";
import { CaromError, refused } from "./check.js";

let exports;
let loading;
let failure;

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** Reads a file in node. The name is not one that bundlers for browsers would look for. */
async function readFile(path) {
  const files = "node:fs/promises";
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
  return readFile(path);
}

async function found(source) {
  if (source === undefined) source = new URL("./wasm/carom_js_bg.wasm", import.meta.url);
  if (!isNode) return source;
  if (source instanceof URL) return source.protocol === "file:" ? readFile(source) : source;
  if (typeof source === "string" && !/^[a-z]{2,}:/i.test(source)) return readFile(source);
  return typeof source === "string" && source.startsWith("file:") ? readFile(new URL(source)) : source;
}

/** See carom.d.ts. A call that failed may be repeated. */
export function init(source) {
  if (exports !== undefined) return Promise.resolve();
  loading ??= (async () => {
    try {
      exports ??= await load({ module_or_path: await found(source) });
    } catch (error) {
      const message = `the module cannot be loaded: ${error?.message ?? error}`;
      throw new CaromError({ code: "uninitialized", message, field: "source" });
    } finally {
      loading = undefined;
    }
  })();
  return loading;
}

/** See carom.d.ts. */
export function initSync(source) {
  if (exports !== undefined) return;
  const isBytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  if (!isBytes && !(source instanceof WebAssembly.Module)) throw refused("source", source, "bytes or a module");
  exports = loadSync({ module: source });
}

/** The error that stands for what the module has thrown. */
export function understood(error) {
  if (error instanceof CaromError) return error;
  if (typeof error === "string") {
    try {
      return new CaromError(JSON.parse(error));
    } catch {
      return new CaromError({ code: "refused", message: error });
    }
  }
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    failure = new CaromError({ code: "internal", message: `the module failed: ${error.message}` });
    return failure;
  }
  return new CaromError({ code: "refused", message: String(error?.message ?? error) });
}

/** Refuses where there is no module that works. */
export function ready() {
  if (failure !== undefined) throw failure;
  if (exports === undefined) {
    throw new CaromError({ code: "uninitialized", message: "the engine is not loaded: await init() before" });
  }
}

/** Numbers in the memory of the module, in place. */
export function view(pointer, length) {
  return new Float64Array(exports.memory.buffer, pointer, length);
}

/** A function of the module, with its refusals as errors. */
export function guarded(what) {
  ready();
  try {
    return what();
  } catch (error) {
    throw understood(error);
  }
}

export { Engine, Past, golden_run, scene_names, scene_text };
