// The page: loads the engine, then the figures, the scenes and the hashes.

import { init, sceneNames } from "./carom/carom.js";
import { Group, Restitution, TimeOfImpact } from "./figures/meeting.js";
import { PairTable } from "./figures/pair-table.js";
import { Rest } from "./figures/rest.js";
import { runGolden } from "./golden.js";
import { forViewer, isPart, linkTo, linked, wrongWith } from "./link.js";
import { hasViewer } from "./parts.js";
import { Stage } from "./stage.js";

const by = (id) => document.getElementById(id);
const FIGURES = { "time-of-impact": TimeOfImpact, "pair-table": PairTable, restitution: Restitution, group: Group, rest: Rest };
const FIRST = "nine-ball-discs";

/** Says something at the head of the page, with a button that tries again what could not be done. */
function report(text, again) {
  by("message").hidden = text === "";
  by("message").textContent = text;
  if (again === undefined) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Try again" });
  button.addEventListener("click", () => { report(""); again(); });
  by("message").append(" ", button);
}

/** Opens what the address asks for, or says what is wrong with it and opens the first scene. */
function openLinked(stage) {
  // A link to a part of the page leaves the scene that is open as it is.
  if (stage.world !== undefined && isPart(location.hash)) return;
  let scene = FIRST;
  report("");
  const viewed = forViewer(location.hash);
  try {
    scene = (viewed === undefined ? linked(location.hash) : undefined) ?? FIRST;
    stage.open(scene);
  } catch (error) {
    report(`This link does not lead to a scene: ${wrongWith(error)}.`);
    scene = FIRST;
    stage.open(scene);
  }
  if (viewed !== undefined) openViewer(viewed);
  by("scene").value = sceneNames().includes(scene) ? scene : "";
}

/** The address leads to a scene from now on; the one before is a step back. */
function go(scene) {
  if (location.hash !== linkTo(scene)) history.pushState(null, "", linkTo(scene));
}

function chooseScenes(stage) {
  for (const name of sceneNames()) by("scene").append(new Option(name.replaceAll("-", " "), name));
  by("scene").addEventListener("change", ({ target }) => {
    go(target.value);
    openLinked(stage);
  });
  // Back, forward, and addresses that are typed.
  window.addEventListener("popstate", () => openLinked(stage));
  by("share").addEventListener("click", async () => {
    go(stage.text);
    const link = location.href;
    try {
      await navigator.clipboard.writeText(link);
      by("share").textContent = "Copied";
      setTimeout(() => { by("share").textContent = "Copy a link to this scene"; }, 1500);
    } catch {
      report(`The link: ${link}`);
    }
  });
}

/** Opens the viewer with a scene, a name or a link of its own. It is large: it comes when it is asked for. */
async function openViewer(text) {
  by("open-viewer").disabled = true;
  try {
    if (!hasViewer) throw new Error("this page was built without it");
    const first = window.caromViewer === undefined;
    const viewer = window.caromViewer ?? (await import("./viewer/carom_viewer.js"));
    if (first) await viewer.default();
    by("viewer").hidden = false;
    if (first) await viewer.start(by("viewer-canvas"), text);
    // What it could not open it says, too, but the eye is on the page.
    report(first ? (JSON.parse(viewer.describe())?.message ?? "") : viewer.open(text));
    window.caromViewer = viewer;
    by("viewer-canvas").focus();
  } catch (error) {
    report(`The viewer could not be opened: ${error?.message ?? error}.`);
  } finally {
    by("open-viewer").disabled = false;
  }
}

/** After the module has failed, for want of memory, it is loaded again, and the scene begins anew. */
async function revive(stage) {
  try {
    await init();
    openLinked(stage);
    report("The engine ran out of memory. It has been loaded again, and the scene begins anew.");
  } catch (error) {
    report(`The engine ran out of memory, and could not be loaded again: ${error.message}.`, () => revive(stage));
  }
}

async function start() {
  try {
    await init();
  } catch (error) {
    report(`The engine could not be loaded: ${error.message}.`, start);
    return;
  }
  const figures = {};
  for (const root of document.querySelectorAll("figure[data-figure]")) {
    const { figure } = root.dataset;
    figures[figure] = new FIGURES[figure](root);
  }
  const stage = new Stage();
  window.addEventListener("error", ({ error }) => { if (error?.code === "internal") revive(stage); });
  chooseScenes(stage);
  openLinked(stage);
  // What the address leads to has been there before the figures had their sizes.
  if (isPart(location.hash)) by(location.hash.slice(1)).scrollIntoView();
  by("open-viewer").hidden = !hasViewer;
  by("open-viewer").addEventListener("click", () => openViewer(stage.text));
  for (const button of document.querySelectorAll("[data-viewer]")) {
    button.hidden = !hasViewer;
    button.addEventListener("click", async () => {
      await openViewer(button.dataset.viewer);
      by("viewer").scrollIntoView();
    });
  }
  by("golden-run").disabled = false;
  by("golden-run").addEventListener("click", () => runGolden(report));
  const seen = new IntersectionObserver((entries) => {
    if (entries.every((entry) => !entry.isIntersecting)) return;
    seen.disconnect();
    runGolden(report);
  });
  seen.observe(by("golden"));
  window.caromPage = { figures, stage };
  document.documentElement.dataset.ready = "true";
}

start();
