// The viewer in the page, in Chromium: what is dragged changes what is predicted, to what the native engine says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const site = join(process.env.CAROM_DEMO ?? join(root, "target/demo"), "site");
const skip = !existsSync(join(site, "viewer")) && "the page was built without the viewer";
// The viewer draws with WebGL, which Chromium does in software here.
const FLAGS = ["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

let host, browser, page, complaints;

before(async () => {
  if (skip) return;
  host = await serve(site);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  page = await browser.newPage({ viewport: { width: 1100, height: 900 }, hasTouch: true });
  complaints = [];
  page.on("console", (message) => { if (message.type() === "error") complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  await page.goto(host.address);
  await page.waitForSelector("html[data-ready]");
  await page.click("#open-viewer");
  await page.waitForFunction(() => window.caromViewer?.describe, undefined, { timeout: 60_000 });
  await until((seen) => seen.discs?.length > 0 && seen.discs[0].screen);
});

after(async () => {
  await browser?.close();
  host?.close();
});

const describe = async () => JSON.parse(await page.evaluate(() => window.caromViewer.describe()));
const command = (name) => page.evaluate((of) => window.caromViewer.command(of), name);

/** Waits for frames, until what is seen is as wanted. */
async function until(isWanted) {
  for (let k = 0; k < 300; k += 1) {
    const seen = await describe();
    if (isWanted(seen)) return seen;
    await page.waitForTimeout(100);
  }
  assert.fail(`${isWanted} does not come true: ${JSON.stringify(await describe())}`);
}

/** Opens a scene, and waits until it is drawn. */
async function open(text) {
  assert.equal(await page.evaluate((of) => window.caromViewer.open(of), text), "");
  await page.waitForTimeout(500);
  return describe();
}

/** What the native engine says about scenes: an example of a crate of it. */
function oracle(program, args, scenes) {
  const input = scenes.map((scene) => `${scene.replaceAll("\n", " ")}\n`).join("");
  const printed = execFileSync(program, args, { cwd: root, input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
  return printed.trim().split("\n").map((line) => JSON.parse(line));
}

/** Seconds until the first event of scenes, of the native engine. */
function native(scenes) {
  const built = process.env.CAROM_ORACLE;
  const [program, args] = built ? [built, []] : ["cargo", ["run", "--quiet", "--locked", "-p", "carom-scene", "--example", "first_event"]];
  return oracle(program, args, scenes).map(({ first }) => first);
}

/** Seconds until the first contact of a shot, and the hash at rest, of the native engine. */
function nativeShot(scene) {
  const built = process.env.CAROM_SHOT_ORACLE;
  const args = ["run", "--quiet", "--locked", "-p", "carom-billiards", "--features", "scene", "--example", "first_contact"];
  return oracle(built ?? "cargo", built ? [] : args, [scene])[0];
}

test("a drag of a disc and of the tip of its velocity changes the first event to that of the native engine", { skip }, async () => {
  await open("nine-ball-discs");
  const { x, y } = await page.locator("#viewer-canvas").boundingBox();
  const seen = [];
  for (const [handle, by] of [["tip_screen", [20, 10]], ["screen", [-15, 25]]]) {
    const start = await describe();
    const from = [x + start.discs[0][handle][0], y + start.discs[0][handle][1]];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + by[0], from[1] + by[1], { steps: 4 });
    await page.mouse.up();
    const end = await until((now) => now.hash !== start.hash);
    assert.notEqual(end.next[0].time, start.next[0].time, handle);
    await page.waitForTimeout(300);
    seen.push({ time: (await describe()).next[0].time, scene: await command("save") });
  }
  assert.deepEqual(seen.map(({ time }) => time), native(seen.map(({ scene }) => scene)));
  assert.deepEqual(complaints, []);
});

test("a finger drags a disc, and the first event becomes that of the native engine", { skip }, async () => {
  const start = await open("nine-ball-discs");
  await page.locator("#viewer-canvas").scrollIntoViewIfNeeded();
  const { x, y } = await page.locator("#viewer-canvas").boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py]) => ({ x: px, y: py })) });
  const from = [x + start.discs[0].screen[0], y + start.discs[0].screen[1]];
  const scrolled = await page.evaluate(() => scrollY);
  await touch("touchStart", from);
  for (const step of [6, 12, 18, 24]) {
    await touch("touchMove", [from[0] - step, from[1] + step]);
    await page.waitForTimeout(100);
  }
  await touch("touchEnd");
  await until((now) => now.hash !== start.hash);
  await page.waitForTimeout(300);
  const end = await describe();
  assert.ok(Math.hypot(end.discs[0].screen[0] - from[0] + x + 24, end.discs[0].screen[1] - from[1] + y - 24) < 1.5, "the disc is where the finger left it");
  assert.equal(await page.evaluate(() => scrollY), scrolled, "the page stays while a disc is dragged");
  assert.notEqual(end.next[0].time, start.next[0].time);
  assert.equal(end.next[0].time, native([await command("save")])[0]);
  assert.deepEqual(complaints, []);
});

test("on a telephone a finger on the centre of a disc moves it, what is dropped parts, and the keys undo", { skip }, async () => {
  const made = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const tab = await made.newPage();
  await tab.goto(host.address);
  await tab.waitForSelector("html[data-ready]");
  await tab.click("#open-viewer");
  await tab.waitForFunction(() => window.caromViewer?.describe, undefined, { timeout: 60_000 });
  const seen = async () => JSON.parse(await tab.evaluate(() => window.caromViewer.describe()));
  // A name as a shell has it.
  assert.equal(await tab.evaluate(() => window.caromViewer.open("symmetric-hit")), "");
  await tab.locator("#viewer-canvas").scrollIntoViewIfNeeded();
  await tab.waitForTimeout(800);
  const { x, y } = await tab.locator("#viewer-canvas").boundingBox();
  const session = await made.newCDPSession(tab);
  const swipe = async ([fx, fy], [dx, dy]) => {
    const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py]) => ({ x: x + px, y: y + py })) });
    await touch("touchStart", [fx, fy]);
    for (let k = 1; k <= 4; k += 1) {
      await touch("touchMove", [fx + (dx * k) / 4, fy + (dy * k) / 4]);
      await tab.waitForTimeout(80);
    }
    await touch("touchEnd");
    await tab.waitForTimeout(400);
  };
  const start = await seen();
  await swipe(start.discs[1].screen, [40, -30]);
  const moved = await seen();
  assert.deepEqual(moved.discs[1].velocity, [0, 0], "a touch on the centre is no pull at the arrow");
  assert.ok(Math.hypot(moved.discs[1].screen[0] - start.discs[1].screen[0] - 40, moved.discs[1].screen[1] - start.discs[1].screen[1] + 30) < 2);
  await swipe(moved.discs[1].tip_screen, [25, 0]);
  const pulled = await seen();
  assert.deepEqual(pulled.discs[1].position, moved.discs[1].position);
  assert.ok(pulled.discs[1].velocity[0] > 0);
  const [from, to] = [pulled.discs[0].screen, pulled.discs[2].screen];
  await swipe(from, [to[0] - from[0] - 8, to[1] - from[1]]);
  const dropped = await seen();
  assert.match(dropped.message, /^pushed apart: \d discs moved$/);
  const [a, b] = [dropped.discs[0], dropped.discs[2]].map(({ position }) => position);
  assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) >= 1 - 1e-12);
  await tab.locator("#viewer-canvas").focus();
  await tab.keyboard.press("u");
  await tab.waitForTimeout(400);
  assert.equal((await seen()).hash, pulled.hash);
  await made.close();
});

test("play runs, steps go from event to event, back to the same bits", { skip }, async () => {
  const start = await open("newtons-cradle");
  await command("step");
  const stepped = await until(({ event }) => event === 1);
  assert.equal(stepped.time, start.next[0].time);
  await command("back");
  assert.equal((await until(({ event }) => event === 0)).hash, start.hash);
  await command("play");
  const later = await until(({ time }) => time > 0.2);
  assert.ok(later.playing);
  await command("pause");
  assert.deepEqual(complaints, []);
});

test("a link opens the same world, and a broken one shows a message", { skip }, async () => {
  await open("nine-ball-discs");
  const link = await command("share");
  const { hash } = await describe();
  await open("newtons-cradle");
  const opened = await open(link);
  assert.deepEqual([opened.hash, opened.promise], [hash, true], "the result here is the one that the link tells");
  const said = await page.evaluate((of) => window.caromViewer.open(of), `${link.slice(0, 40)}!`);
  assert.notEqual(said, "");
  assert.equal((await until(({ message }) => message !== "")).message, said);
  assert.equal((await describe()).hash, hash, "the world is as it was");
  assert.deepEqual(complaints, []);
});

test("an address with a link of the viewer opens it, and one that is cut off says so", { skip }, async () => {
  await open("stop-shot");
  const link = await command("share");
  assert.match(link, /^b1\./);
  const { balls, promise } = await describe();
  assert.equal(promise, null, "this is from no link");
  for (const [end, isWhole] of [[link, true], [link.slice(0, link.length / 2), false]]) {
    const tab = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    await tab.goto(`${host.address}#${end}`);
    await tab.waitForFunction(() => window.caromViewer?.describe, undefined, { timeout: 60_000 });
    const seen = JSON.parse(await tab.evaluate(() => window.caromViewer.describe()));
    const message = await tab.textContent("#message");
    if (isWhole) {
      assert.deepEqual([seen.balls?.map(({ position }) => position), message], [balls.map(({ position }) => position), ""]);
      assert.equal(seen.promise, true, "the balls come to rest here where the link tells");
    }
    else assert.match(message, /^the link is broken/);
    await tab.close();
  }
});

test("a shot that is aimed by the pointer meets and ends as in the native engine", { skip }, async () => {
  const start = await open("stop-shot");
  const { x, y } = await page.locator("#viewer-canvas").boundingBox();
  const at = Object.fromEntries(start.balls.map(({ label, screen }) => [label, [x + screen[0], y + screen[1]]]));
  // Past the ball, a little beside its centre.
  await page.mouse.move(at["1"][0] + 40, at["1"][1] - 40);
  await page.mouse.down();
  await page.mouse.move(at["1"][0] + 1, at["1"][1] + 3, { steps: 4 });
  await page.mouse.up();
  const aimed = await until(({ aim, forecast }) => aim.direction !== start.aim.direction && forecast?.first_contact);
  await page.waitForTimeout(300);
  const expected = nativeShot(await command("save"));
  assert.equal((await describe()).forecast.first_contact.time, expected.first);
  assert.notEqual(expected.first, start.forecast.first_contact.time);
  assert.equal(await command("shoot"), "");
  await until(({ phase, time }) => phase === "rolling" && time > 0);
  await command("finish");
  assert.equal((await until(({ phase }) => phase === "aiming")).hash, expected.hash);
  assert.notEqual(expected.hash, aimed.hash);
  assert.deepEqual(complaints, []);
});

test("a gas is drawn by WebGL, and keeps its energy", { skip }, async () => {
  await open("gas of 1000 0.4");
  const seen = await until((now) => now.impacts > 1000);
  assert.equal(seen.message, "");
  // Not `instanced`: where frames are slow, as without graphics hardware, the processor draws after twenty of them.
  assert.equal(seen.refused, null);
  assert.ok(Math.abs(seen.drift) < 1e-12, `${seen.drift}`);
  assert.deepEqual(complaints, []);
});

test("a finger moves the gas, and two make it larger", { skip }, async () => {
  await open("gas of 1000 0.4");
  await page.locator("#viewer-canvas").scrollIntoViewIfNeeded();
  const { x, y, width, height } = await page.locator("#viewer-canvas").boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = async (type, ...points) => {
    await session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
    await page.waitForTimeout(150);
  };
  const [cx, cy] = [x + 0.35 * width, y + 0.5 * height];
  const side = ({ screen: [[left], [right]] }) => right - left;
  const start = await describe();
  await touch("touchStart", [cx, cy]);
  for (const step of [8, 16, 24]) await touch("touchMove", [cx + step, cy - step]);
  await touch("touchEnd");
  const moved = await until((now) => now.screen[0][0] !== start.screen[0][0]);
  assert.ok(Math.hypot(moved.screen[0][0] - start.screen[0][0] - 24, moved.screen[0][1] - start.screen[0][1] + 24) < 1.5, JSON.stringify([start.screen, moved.screen]));
  await touch("touchStart", [cx - 30, cy], [cx + 30, cy]);
  for (const half of [30, 40, 50, 60]) await touch("touchMove", [cx - half, cy], [cx + half, cy]);
  await touch("touchEnd");
  const larger = await describe();
  assert.ok(side(larger) > 1.5 * side(moved) && side(larger) < 2.1 * side(moved), `${side(moved)} ${side(larger)}`);
  assert.deepEqual(complaints, []);
});

test("each game begins and runs on", { skip }, async () => {
  for (const name of ["air-hockey", "asteroids", "merge", "pinball", "pod-race", "shooter"]) {
    const start = await open(name);
    assert.deepEqual([start.room, start.scene, start.message], ["game", name, ""]);
    assert.equal(await command("play"), "");
    const { time } = await describe();
    const later = await until((now) => now.time > time + 0.5 || now.outcome !== null);
    assert.equal(later.message, "", name);
    await command("pause");
  }
  assert.deepEqual(complaints, []);
});

test("a button of the article opens the merge game, and a press drops a disc", { skip }, async () => {
  await page.click("[data-viewer=merge]");
  const start = await until(({ scene }) => scene === "merge");
  assert.deepEqual([start.message, start.status], ["", "0 points, 0 dropped"]);
  await command("play");
  const { x, y, width, height } = await page.locator("#viewer-canvas").boundingBox();
  await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
  await page.mouse.down();
  await page.waitForTimeout(300);
  await page.mouse.up();
  assert.equal((await until(({ status }) => status.endsWith("1 dropped"))).status, "0 points, 1 dropped");
  await command("pause");
  assert.deepEqual(complaints, []);
});

test("the large gas opens and runs", { skip }, async () => {
  await open("gas");
  const seen = await until((now) => now.impacts > 100);
  assert.deepEqual([seen.message, seen.refused], ["", null]);
  assert.deepEqual(complaints, []);
});
