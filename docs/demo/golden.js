// The hashes of the scenes, here and natively, side by side.

import { sceneNames } from "./carom/carom.js";

const by = (id) => document.getElementById(id);

/** The lines of golden.txt: name, number of events and hash of each scene that runs here, as native builds have them. */
async function expected() {
  const answer = await fetch("golden.txt");
  if (!answer.ok) throw new Error(`golden.txt cannot be read (${answer.status})`);
  const here = new Set(sceneNames());
  const lines = (await answer.text()).trim().split("\n").map((line) => line.split(" "));
  return lines.filter(([name]) => here.has(name));
}

function row([name, events, hash]) {
  const line = document.createElement("tr");
  for (const text of [name, Number(events).toLocaleString("en"), hash, "…"]) line.append(Object.assign(document.createElement("td"), { textContent: text }));
  by("golden").tBodies[0].append(line);
  return line.lastElementChild;
}

/** Runs all scenes in a worker, and shows which have the bits of native builds. */
export async function runGolden(report) {
  const button = by("golden-run");
  button.disabled = true;
  try {
    const lines = await expected();
    by("golden").tBodies[0].replaceChildren();
    const cells = new Map(lines.map((line) => [line[0], { cell: row(line), line: line.join(" ") }]));
    const worker = new Worker(new URL("./golden-worker.js", import.meta.url), { type: "module" });
    let [same, done] = [0, 0];
    await new Promise((resolve, reject) => {
      worker.addEventListener("error", () => reject(new Error("the worker could not be started")));
      worker.addEventListener("message", ({ data }) => {
        if (data.error) return reject(new Error(data.error));
        const { cell, line } = cells.get(data.name);
        const isSame = `${data.name} ${data.events} ${data.hash}` === line;
        Object.assign(cell, { textContent: isSame ? "✓ the same" : `✗ ${data.hash}`, className: isSame ? "good" : "bad" });
        done += 1;
        same += Number(isSame);
        by("golden-summary").textContent = `${same} of ${done} scenes run here have the bits of native builds.`;
        return done === lines.length ? resolve() : undefined;
      });
      worker.postMessage(lines.map(([name]) => name));
    }).finally(() => worker.terminate());
  } catch (error) {
    report(`The scenes could not be run: ${error.message}.`);
  } finally {
    button.disabled = false;
  }
}
