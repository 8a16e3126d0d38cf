// The page: loads the engine, then the figures, the scenes and the hashes.

import { init, sceneNames } from "./carom/carom.js";
import { Group, Restitution, TimeOfImpact } from "./figures/meeting.js";
import { PairTable } from "./figures/pair-table.js";
import { Rest } from "./figures/rest.js";
import { runGolden } from "./golden.js";
import { forViewer, linkTo, linked } from "./link.js";
import { hasViewer } from "./parts.js";
import { Stage } from "./stage.js";

const by = (id) => document.getElementById(id);
const FIGURES = { "time-of-impact": TimeOfImpact, "pair-table": PairTable, restitution: Restitution, group: Group, rest: Rest };
const FIRST = "nine-ball-discs";

function report(text) {
  by("message").hidden = text === "";
  by("message").textContent = text;
}

/** Opens what the address asks for, or says what is wrong with it and opens the first scene. */
function openLinked(stage) {
  let scene = FIRST;
  report("");
  const viewed = forViewer(location.hash);
  try {
    scene = (viewed === undefined ? linked(location.hash) : undefined) ?? FIRST;
    stage.open(scene);
  } catch (error) {
    report(`This link does not lead to a scene: ${error.message}.`);
    scene = FIRST;
    stage.open(scene);
  }
  if (viewed !== undefined) openViewer(viewed);
  by("scene").value = sceneNames().includes(scene) ? scene : "";
}

function chooseScenes(stage) {
  for (const name of sceneNames()) by("scene").append(new Option(name.replaceAll("-", " "), name));
  by("scene").addEventListener("change", ({ target }) => {
    history.replaceState(null, "", linkTo(target.value));
    openLinked(stage);
  });
  window.addEventListener("hashchange", () => openLinked(stage));
  by("share").addEventListener("click", async () => {
    const link = new URL(linkTo(stage.text), location.href).href;
    history.replaceState(null, "", link);
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

async function start() {
  try {
    await init();
  } catch (error) {
    report(`The engine could not be loaded: ${error.message}.`);
    return;
  }
  const figures = {};
  for (const root of document.querySelectorAll("figure[data-figure]")) {
    const { figure } = root.dataset;
    figures[figure] = new FIGURES[figure](root);
  }
  const stage = new Stage();
  chooseScenes(stage);
  openLinked(stage);
  by("open-viewer").hidden = !hasViewer;
  by("open-viewer").addEventListener("click", () => openViewer(stage.text));
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
