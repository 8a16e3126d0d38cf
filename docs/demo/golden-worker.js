// Runs the scenes off the main thread, and sends events and hash of each.

import { goldenRun, init } from "./carom/carom.js";

self.addEventListener("message", async ({ data: names }) => {
  try {
    await init();
    for (const name of names) self.postMessage(goldenRun(name));
  } catch (error) {
    self.postMessage({ error: error.message });
  }
});
