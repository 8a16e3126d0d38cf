// The package. Types and documentation are in carom.d.ts.

import { text } from "./check.js";
import { golden_run, guarded, scene_names, scene_text } from "./load.js";

export { CaromError } from "./check.js";
export { EVENT_KINDS, EVENT_STRIDE } from "./events.js";
export { init, initSync } from "./load.js";
export { Timeline } from "./timeline.js";
export { World } from "./world.js";
export const STATE_STRIDE = 8;

export function sceneNames() {
  return guarded(scene_names).split("\n");
}

export function sceneText(name) {
  text(name, "name");
  return guarded(() => scene_text(name));
}

export function goldenRun(name) {
  text(name, "name");
  const [run, events, hash] = guarded(() => golden_run(name)).split(" ");
  return { name: run, events: Number(events), hash };
}
