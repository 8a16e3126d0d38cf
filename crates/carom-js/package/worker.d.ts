import type { Advance, World, WorldOptions, WasmSource } from "./carom.js";

/** What a world in a worker is made of: options, the text or name of a scene, or a snapshot. */
export interface RemoteOptions {
  world?: WorldOptions;
  scene?: string;
  snapshot?: string;
  /** Where the module is, or its bytes: as for `init`. Must be what can be sent to a worker. */
  wasm?: string | ArrayBuffer | Uint8Array | WebAssembly.Module;
  /** The worker to use, made from `carom-physics/worker-thread`; by default one is started. */
  worker?: Worker;
}

/** A frame of a world in a worker. */
export interface Frame {
  readonly advance: Advance;
  /** x, y of each disc, in the order of `World.positions`. Handed over without a copy; given back by the next `step`. */
  readonly positions: Float64Array;
  /** How each disc is turned, if asked for: as `World.angles`. */
  readonly angles?: Float64Array;
  /** The records of events, if asked for: as `EventList.records`. */
  readonly events?: Float64Array;
}

/** The methods of a world that can be called from afar: what they take and give can be sent. */
export type RemoteMethod = Exclude<
  { [K in keyof World]: World[K] extends (...args: never[]) => unknown ? K : never }[keyof World],
  "clone" | "copyFrom" | "free" | symbol
>;

/**
 * A world that runs in a worker, off the main thread: in browsers and in node.
 *
 * ```ts
 * const remote = await RemoteWorld.start({ scene: "box-1000" });
 * const { positions } = await remote.step(1 / 60);
 * await remote.call("setVelocity", disc, [1, 0]);
 * remote.terminate();
 * ```
 */
export class RemoteWorld {
  static start(options?: RemoteOptions): Promise<RemoteWorld>;
  /** Advances by some seconds, and hands over where the discs are. Calls follow each other in order. */
  step(seconds: number, options?: { events?: boolean; angles?: boolean }): Promise<Frame>;
  /** Calls a method of the world. */
  call<M extends RemoteMethod>(method: M, ...args: Parameters<World[M]>): Promise<ReturnType<World[M]>>;
  /** Ends the worker. What has not been answered is refused. */
  terminate(): void;
}
