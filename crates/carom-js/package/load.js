// The module: loaded once, and what all of the package shares of it.

import load, {
  __wbg_reset_state as resetState, Engine, Past, golden_run, initSync as loadSync, scene_names, scene_text,
} from "./wasm/carom_js.js";
import { CaromError, refused } from "./check.js";

let exports;
let loading;
let failure;

/** How often the module has been made anew. What was made before belongs to a memory that is gone. */
export let remade = 0;

const NEEDS = "the engine needs vectors in WebAssembly (SIMD), which Chrome and Edge have had since 91, Firefox since 89, "
  + "Safari since 16.4 and node since 16.4";

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

/** The smallest module with a vector: what the engine is compiled with. */
const VECTORS = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** The error for a module that cannot be loaded. What engines say of a vector that they do not know helps nobody. */
function unloadable(error) {
  const canRun = WebAssembly.validate(VECTORS);
  const why = canRun ? String(error?.message ?? error) : NEEDS;
  return new CaromError({ code: "uninitialized", message: `the module cannot be loaded: ${why}`, field: "source" });
}

/** Makes the module anew after it has failed: with a memory of its own. */
function remake() {
  resetState();
  remade += 1;
  exports = undefined;
  failure = undefined;
}

/** See carom.d.ts. A call that failed may be repeated. */
export function init(source) {
  if (exports !== undefined && failure === undefined) return Promise.resolve();
  loading ??= (async () => {
    try {
      if (failure !== undefined) remake();
      // Once there is a module, what is given is not looked at.
      exports ??= await load({ module_or_path: remade > 0 ? undefined : await found(source) });
    } catch (error) {
      throw unloadable(error);
    } finally {
      loading = undefined;
    }
  })();
  return loading;
}

/** See carom.d.ts. */
export function initSync(source) {
  if (exports !== undefined && failure === undefined) return;
  if (failure !== undefined) {
    try {
      remake();
    } catch (error) {
      throw unloadable(error);
    }
    exports = loadSync();
    return;
  }
  const isBytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  if (!isBytes && !(source instanceof WebAssembly.Module)) throw refused("source", source, "bytes or a module");
  try {
    exports = loadSync({ module: source });
  } catch (error) {
    throw unloadable(error);
  }
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
    const message = `the module failed, most likely for want of memory (${error.message}): init() makes it anew, without its worlds`;
    failure = new CaromError({ code: "internal", message });
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

/** Refuses what was made before the module was made anew. */
export function present(what, made) {
  if (made === remade) return;
  throw new CaromError({ code: "gone", message: `the module failed and was made anew: this ${what} is gone` });
}

/** Whether something of before can still be given back to the module. */
export const holds = (made) => made === remade && failure === undefined;

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
