// The page in Chromium: what is dragged changes what is predicted, to what the native engine says, to the last bit.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const site = join(process.env.CAROM_DEMO ?? join(root, "target/demo"), "site");
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const FIGURES = ["time-of-impact", "pair-table", "restitution", "group", "rest"];

let host, context, page, complaints;
const profile = mkdtempSync(join(tmpdir(), "carom-chromium-"));

/** A page that complains of nothing: errors and whatever it asks of other hosts end the test. */
async function open(path = "", options = {}) {
  const made = await context.browser().newContext({ viewport: { width: 1000, height: 800 }, ...options });
  const tab = await made.newPage();
  tab.complaints = [];
  tab.on("console", (message) => { if (["error", "warning"].includes(message.type())) tab.complaints.push(message.text()); });
  tab.on("pageerror", (error) => tab.complaints.push(String(error.stack)));
  tab.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(host.address) && !url.startsWith("data:")) tab.complaints.push(`asks for ${url}`);
  });
  await tab.goto(host.address + path);
  await tab.waitForSelector("html[data-ready]");
  return tab;
}

before(async () => {
  host = await serve(site);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: [...FLAGS, `--disk-cache-dir=${profile}`] });
  context = await browser.newContext();
  page = await open();
});

after(async () => {
  await context?.browser().close();
  host?.close();
  rmSync(profile, { recursive: true, force: true });
});

/** What the native engine says of scenes. */
function native(scenes) {
  const oracle = process.env.CAROM_ORACLE;
  const [program, args] = oracle ? [oracle, []] : ["cargo", ["run", "--quiet", "--locked", "-p", "carom-scene", "--example", "first_event"]];
  const printed = execFileSync(program, args, { cwd: root, input: `${scenes.join("\n")}\n`, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
  return printed.trim().split("\n").map((line) => JSON.parse(line));
}

const figure = (name, tab = page) => tab.evaluate((of) => window.caromPage.figures[of].describe(), name);
const stage = (tab = page) => tab.evaluate(() => window.caromPage.stage.describe());
const show = (name, tab = page) => tab.locator(`figure[data-figure="${name}"] canvas`).scrollIntoViewIfNeeded();
/** Seconds until what a figure predicts. */
const predicted = ({ prediction }) => prediction.impact?.time ?? prediction.time ?? null;

async function drag(from, by, tab = page) {
  await tab.mouse.move(...from);
  await tab.mouse.down();
  for (let k = 1; k <= 4; k += 1) await tab.mouse.move(from[0] + (by[0] * k) / 4, from[1] + (by[1] * k) / 4);
  await tab.mouse.up();
}

test("the page loads, is whole, and asks for nothing that is not there", async () => {
  assert.equal(await page.title(), "Carom, live");
  assert.equal(await page.locator("#message").isVisible(), false);
  assert.ok((await page.locator("#scene option").count()) >= 20);
  assert.deepEqual(host.missing, []);
  assert.deepEqual(page.complaints, []);
});

test("a drag of a disc, and of the tip of a velocity, changes each figure to what the native engine says", async () => {
  const seen = [];
  for (const name of FIGURES) {
    await show(name);
    seen.push(await figure(name));
    for (const [handle, by] of [["screen", [-13, 21]], ["tip", [17, 9]]]) {
      const start = await figure(name);
      await drag(start.discs[0][handle], by);
      const end = await figure(name);
      const moved = handle === "screen" ? "position" : "velocity";
      assert.notDeepEqual(end.discs[0][moved], start.discs[0][moved], `${name}: ${moved}`);
      assert.notEqual(end.text, start.text, `${name} says the same`);
      // A disc is where it was dragged, to the size of a pixel.
      const gone = [0, 1].map((axis) => end.discs[0][handle][axis] - start.discs[0][handle][axis]);
      assert.ok(Math.hypot(gone[0] - by[0], gone[1] - by[1]) < 1, `${name} ${handle}: ${gone}`);
      seen.push(end);
    }
  }
  const said = native(seen.map(({ scene }) => scene));
  seen.forEach((each, index) => {
    assert.equal(predicted(each), said[index].first, `${each.name}: ${each.scene}`);
    assert.equal(said[index].end, "Reached");
  });
  assert.equal(new Set(seen.map(predicted)).size, seen.length, "each drag gives another time");
  assert.deepEqual(page.complaints, []);
});

test("what would overlap is refused with a reason, and the disc stays", async () => {
  await show("time-of-impact");
  const start = await figure("time-of-impact");
  const [a, b] = start.discs;
  await drag(a.screen, [b.screen[0] - a.screen[0], b.screen[1] - a.screen[1]]);
  const end = await figure("time-of-impact");
  assert.match(end.text, /^Not there: .*overlap/);
  assert.ok(Math.hypot(end.discs[0].position[0] - b.position[0], end.discs[0].position[1] - b.position[1]) > 1.39);
});

test("figures play, and show the world that they predict", async () => {
  for (const name of FIGURES) {
    await show(name);
    const button = page.locator(`figure[data-figure="${name}"] button.run`);
    await button.click();
    await page.waitForFunction((of) => window.caromPage.figures[of].ran > 0.1, name);
    assert.equal((await figure(name)).playing, true, name);
    await button.click();
    assert.equal((await figure(name)).playing, false, name);
  }
});

test("the restitution of its slider is the one of the impact; the next event of the table happens", async () => {
  await show("restitution");
  const loss = async (e) => {
    await page.locator('figure[data-figure="restitution"] input').fill(String(e));
    const { prediction: { impact: { energy: [before, now] } } } = await figure("restitution");
    return before - now;
  };
  assert.ok(Math.abs(await loss(1)) < 1e-14);
  // For one impact the loss is proportional to 1 - e².
  assert.ok(Math.abs((await loss(0)) * 0.75 - (await loss(0.5))) < 1e-12);
  await show("pair-table");
  const before = await figure("pair-table");
  await page.locator("button.next").click();
  const now = await figure("pair-table");
  const { i, j } = before.prediction.least;
  now.discs.forEach((disc, index) => {
    const changed = JSON.stringify(disc.velocity) !== JSON.stringify(before.discs[index].velocity);
    assert.equal(changed, index === i || index === j, `disc ${index}`);
  });
  assert.equal(await page.locator("td.least").count(), 1);
});

test("keys move what is picked", async () => {
  await show("rest");
  const canvas = page.locator('figure[data-figure="rest"] canvas');
  await canvas.focus();
  const start = await figure("rest");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  const end = await figure("rest");
  // One of the two was picked before, and the other one by Enter.
  const moved = ["position", "velocity"].map((what) => [0, 1].map((axis) => end.discs[0][what][axis] - start.discs[0][what][axis]));
  for (const [x, y] of moved) assert.ok(Math.abs(Math.hypot(x, y) - 0.1) < 1e-12, JSON.stringify(moved));
});

test("a scene plays, pauses, goes event by event, and starts again with the same bits", async () => {
  await page.locator("#view").scrollIntoViewIfNeeded();
  await page.selectOption("#scene", "newtons-cradle");
  const start = await stage();
  assert.deepEqual([start.scene, start.time, start.discs], ["newtons-cradle", 0, 6]);
  await page.click("#play");
  await page.waitForFunction(() => window.caromPage.stage.describe().time > 0.2);
  await page.click("#play");
  const paused = await stage();
  assert.equal(paused.playing, false);
  assert.notEqual(paused.hash, start.hash);
  await page.click("#restart");
  assert.equal((await stage()).hash, start.hash);
  await page.click("#step");
  const stepped = await stage();
  assert.ok(stepped.events >= 1 && stepped.time > 0);
  assert.equal(await page.textContent("#n-hash"), stepped.hash);
});

test("the scenes have the golden hashes here", async () => {
  await page.locator("#golden").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelectorAll("#golden td.good, #golden td.bad").length === 20 && !document.getElementById("golden-run").disabled, null, { timeout: 60000 });
  assert.equal(await page.locator("#golden td.bad").count(), 0);
  assert.match(await page.textContent("#golden-summary"), /^20 of 20/);
  assert.deepEqual(page.complaints, []);
});

test("a world in a worker of the browser runs as one on the page", async () => {
  const hashes = await page.evaluate(async () => {
    const [{ RemoteWorld }, { World }] = await Promise.all([import("./carom/worker.js"), import("./carom/carom.js")]);
    const remote = await RemoteWorld.start({ scene: "box-100" });
    const here = World.fromScene("box-100");
    let same = true;
    for (let k = 0; k < 10; k += 1) {
      const { positions } = await remote.step(1 / 64);
      here.advance(1 / 64);
      same &&= here.positions.every((x, index) => x === positions[index]);
    }
    const both = [await remote.call("hash"), here.hash(), same];
    remote.terminate();
    here.free();
    return both;
  });
  assert.deepEqual(hashes, [hashes[1], hashes[1], true]);
  assert.deepEqual(page.complaints, []);
});

test("a link opens its scene to the last bit, and a broken one says what is wrong", async () => {
  const text = (await figure("time-of-impact")).scene;
  const { hash } = await page.evaluate(async (scene) => {
    const { linkTo } = await import("./link.js");
    return { hash: linkTo(scene) };
  }, text);
  const good = await open(hash);
  assert.equal((await stage(good)).scene, text);
  assert.equal((await good.locator("#message").isVisible()), false);
  await good.close();
  const middle = hash.length >> 1;
  for (const broken of ["#scene=newton-cradle", "#scene=%00", "#world=!!!", "#nothing", hash.slice(0, middle), `${hash.slice(0, middle)}AAAA${hash.slice(middle)}`, "#scene=%E0%A4%A", "#world="]) {
    const tab = await open(broken);
    assert.match(await tab.textContent("#message"), /^This link does not lead to a scene: .+/, broken);
    assert.ok(await tab.locator("#message").isVisible(), broken);
    assert.equal((await stage(tab)).scene, "nine-ball-discs", broken);
    assert.deepEqual(tab.complaints, [], broken);
    await tab.context().close();
  }
});

test("touch drags a disc, and scrolls the page elsewhere; nothing is wider than a narrow screen", async () => {
  const tab = await open("", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3, colorScheme: "dark" });
  assert.ok((await tab.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await show("time-of-impact", tab);
  const start = await figure("time-of-impact", tab);
  const session = await tab.context().newCDPSession(tab);
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const [x, y] = start.discs[0].screen;
  const scrolled = await tab.evaluate(() => scrollY);
  await touch("touchStart", [[x, y]]);
  for (const step of [4, 8, 12, 16]) await touch("touchMove", [[x + step, y - step]]);
  await touch("touchEnd", []);
  const end = await figure("time-of-impact", tab);
  assert.notEqual(predicted(end), predicted(start));
  assert.ok(Math.abs(end.discs[0].screen[0] - x - 16) < 1);
  assert.equal(await tab.evaluate(() => scrollY), scrolled, "the page stays while a disc is dragged");
  const [said] = native([end.scene]);
  assert.equal(predicted(end), said.first);
  assert.ok(await tab.evaluate(() => document.querySelector("#view").width === Math.round(3 * document.querySelector("#view").clientWidth)), "as sharp as the screen");
  assert.deepEqual(tab.complaints, []);
  await tab.context().close();
});
