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
    if (![host.address, "data:", "blob:"].some((own) => url.startsWith(own))) tab.complaints.push(`asks for ${url}`);
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

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** Drags by a finger. */
async function swipe(from, by, tab) {
  const session = await tab.context().newCDPSession(tab);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch("touchStart", from);
  for (let k = 1; k <= 4; k += 1) await touch("touchMove", [from[0] + (by[0] * k) / 4, from[1] + (by[1] * k) / 4]);
  await touch("touchEnd");
  await session.detach();
}

/** A page for each way to drag: the mouse on a desk, a finger on a telephone. */
const POINTERS = [["mouse", {}, drag], ["finger", PHONE, swipe]];

/** What nobody should read: sixteen digits, places in texts, names of the inside. */
const INSIDE = /\d\.\d{7}|scene:\d|allowed is|undefined|NaN|#world|#scene|`/;

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

test("what is pressed at its centre moves, and what is at rest has an arrow to pull at", async () => {
  for (const [pointer, options, pull] of POINTERS) {
    const tab = await open("", options);
    for (const [name, disc] of [["group", 1], ["group", 0], ["time-of-impact", 1], ["restitution", 0]]) {
      await show(name, tab);
      // At rest, whether it was so or has been stopped: the tip of a stopped disc is where its stub ends.
      await tab.evaluate(([of, which]) => {
        const { figures } = window.caromPage;
        figures[of].discs[which].velocity = [0, 0];
        figures[of].refresh();
      }, [name, disc]);
      const start = await figure(name, tab);
      const { screen, tip, radius } = start.discs[disc];
      assert.ok(Math.hypot(tip[0] - screen[0], tip[1] - screen[1]) > radius + 10, `${name}: the tip is clear of the disc`);
      await pull(screen, [6, -9], tab);
      const moved = (await figure(name, tab)).discs[disc];
      assert.deepEqual(moved.velocity, [0, 0], `${name} by ${pointer}: a press on the centre is no pull at the arrow`);
      assert.ok(Math.hypot(moved.screen[0] - screen[0] - 6, moved.screen[1] - screen[1] + 9) < 1.5, `${name} by ${pointer}`);
      const way = [0, 1].map((axis) => (30 * (moved.tip[axis] - moved.screen[axis])) / Math.hypot(tip[0] - screen[0], tip[1] - screen[1]));
      await pull(moved.tip, way, tab);
      const pulled = (await figure(name, tab)).discs[disc];
      assert.deepEqual(pulled.position, moved.position, `${name} by ${pointer}: the arrow is pulled, the disc stays`);
      // Thirty pixels of arrow in the direction of the stub.
      const speed = (30 / radius) * await tab.evaluate(([of, which]) => window.caromPage.figures[of].discs[which].radius, [name, disc]);
      assert.ok(Math.abs(Math.hypot(...pulled.velocity) / speed - 1) < 0.05, `${name} by ${pointer}: ${pulled.velocity}, ${speed}`);
    }
    assert.deepEqual(tab.complaints, []);
    await tab.context().close();
  }
});

test("discs dropped onto each other overlap, it is said and shown how the engine parts them, and a button parts them", async () => {
  for (const [pointer, options, pull] of POINTERS) {
    const tab = await open("", options);
    await show("time-of-impact", tab);
    const start = await figure("time-of-impact", tab);
    const [a, b] = start.discs;
    await pull(a.screen, [b.screen[0] - a.screen[0] - 20, b.screen[1] - a.screen[1]], tab);
    const on = await figure("time-of-impact", tab);
    assert.match(on.text, /^Two discs overlap by \d\.\d{3}: they approach, so they collide at once\. Dashed: /, pointer);
    assert.doesNotMatch(on.text, INSIDE);
    assert.equal(predicted(on), 0, "what overlaps and approaches collides now");
    assert.equal(native([on.scene])[0].first, 0);
    const far = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
    // Each by half of the overlap, along the line of centres.
    const [{ depth }] = on.overlaps;
    for (const { from, to } of on.apart) assert.ok(Math.abs(far(from, to) - depth / 2) < 1e-9);
    const button = tab.locator('figure[data-figure="time-of-impact"] button.apart');
    await button.click();
    const parted = await figure("time-of-impact", tab);
    assert.ok(Math.abs(far(parted.discs[0].position, parted.discs[1].position) - 1.4) < 1e-9);
    assert.equal(await button.isVisible(), false);
    await tab.locator('figure[data-figure="time-of-impact"] button.reset').click();
    assert.deepEqual((await figure("time-of-impact", tab)).discs.map(({ position }) => position), start.discs.map(({ position }) => position));
    // By keys, too: it says so, and that nothing happens where they part.
    await tab.locator('figure[data-figure="restitution"] canvas').focus();
    for (let k = 0; k < 40; k += 1) await tab.keyboard.press("ArrowRight");
    assert.match((await figure("restitution", tab)).text, /overlap by/);
    for (let k = 0; k < 15; k += 1) await tab.keyboard.press("ArrowRight");
    assert.match((await figure("restitution", tab)).text, /they part, so nothing holds them up/);
    assert.deepEqual(tab.complaints, []);
    await tab.context().close();
  }
});

test("the first figure has both roots, the discriminant, the entry of the table and the reaction in one picture", async () => {
  const tab = await open("", PHONE);
  const number = (name) => tab.textContent(`#figure-time-of-impact [data-number="${name}"]`);
  const { prediction: { roots, discriminant, impact, d, v, reach } } = await figure("time-of-impact", tab);
  // Both roots are times at which the centres are R apart.
  for (const t of roots) assert.ok(Math.abs(Math.hypot(d[0] + v[0] * t, d[1] + v[1] * t) - reach) < 1e-12);
  assert.equal(await number("roots"), roots.map((t) => `${t.toFixed(3)} s`).join(" and "));
  assert.equal(await number("discriminant"), (4 * discriminant).toFixed(3));
  assert.equal((await number("entry")).replace("\u00a0", " "), `${impact.time.toFixed(3)} s`);
  assert.match(await number("quadratic"), /^\d+\.\d{3} t² − \d+\.\d{3} t \+ \d+\.\d{3} = 0$/);
  assert.equal(await number("reaction"), `impulse ${impact.contacts[0].impulse.toFixed(3)}`);
  assert.match(await number("after"), /^\(.*\) and \(.*\)$/);
  const box = await tab.locator("#figure-time-of-impact").boundingBox();
  const canvas = await tab.locator("#figure-time-of-impact canvas").boundingBox();
  assert.ok(box.height < 844 && canvas.width > 340, "a telephone shows all of it at once");
  await tab.context().close();
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
  assert.deepEqual([start.scene, start.time, start.count], ["newtons-cradle", 0, 6]);
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

test("the opening figure shows arrows and paths, and follows the mouse, a finger and the keys", async () => {
  for (const [pointer, options, pull] of POINTERS) {
    const tab = await open("", options);
    const start = await stage(tab);
    assert.equal(start.paths, start.count, "each disc has a path at once");
    const [canvas, controls] = await Promise.all(["#view", "#play"].map((id) => tab.locator(id).boundingBox()));
    assert.ok(canvas.y + canvas.height < controls.y && canvas.y + canvas.height < 844, "it is above the controls, and seen at once");
    // The cue ball, and the tip of its arrow.
    const scrolled = await tab.evaluate(() => scrollY);
    await pull(start.discs[0].screen, [-20, 15], tab);
    const moved = await stage(tab);
    assert.ok(Math.hypot(moved.discs[0].screen[0] - start.discs[0].screen[0] + 20, moved.discs[0].screen[1] - start.discs[0].screen[1] - 15) < 1, pointer);
    assert.deepEqual(moved.discs[0].velocity, start.discs[0].velocity);
    assert.notEqual(moved.next, start.next);
    await pull(moved.discs[0].tip, [0, 24], tab);
    const turned = await stage(tab);
    assert.deepEqual(turned.discs[0].position, moved.discs[0].position);
    assert.notDeepEqual(turned.discs[0].velocity, moved.discs[0].velocity);
    assert.equal(await tab.evaluate(() => scrollY), scrolled, "the page stays");
    // A ball at rest: its centre moves it, and when it is picked it has a stub to pull at.
    const last = turned.discs.length - 1;
    await pull(turned.discs[last].screen, [0, 30], tab);
    const off = await stage(tab);
    assert.deepEqual([off.discs[last].velocity, off.picked.kind], [[0, 0], "position"]);
    assert.ok(Math.abs(off.discs[last].screen[1] - turned.discs[last].screen[1] - 30) < 1);
    await pull(off.discs[last].tip, [20, 0], tab);
    assert.ok((await stage(tab)).discs[last].velocity[0] > 0, pointer);
    // The keys move what Enter picks, in hundredths of the view.
    await tab.click("#restart");
    await tab.locator("#view").focus();
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("ArrowUp");
    const up = await stage(tab);
    assert.ok(up.discs[0].position[1] > start.discs[0].position[1]);
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("ArrowLeft");
    const slower = await stage(tab);
    assert.deepEqual(slower.discs[0].position, up.discs[0].position);
    assert.ok(slower.discs[0].velocity[0] < up.discs[0].velocity[0]);
    await tab.keyboard.press("Escape");
    await tab.keyboard.press("ArrowRight");
    assert.equal((await stage(tab)).events > 0, true, "with nothing picked the arrow goes to the next event");
    assert.deepEqual(tab.complaints, []);
    await tab.context().close();
  }
});

test("the pockets that the caption speaks of are drawn, and the whole table is seen", async () => {
  for (const options of [{}, PHONE]) {
    const tab = await open("", options);
    const { pockets } = await stage(tab);
    assert.match(await tab.textContent("#title"), /the pockets are only drawn/);
    assert.equal(pockets.length, 6);
    // Each is another colour than the ground, where no cushion is drawn over it.
    const differ = await tab.evaluate((places) => {
      const canvas = document.querySelector("#view");
      const [box, ratio] = [canvas.getBoundingClientRect(), canvas.width / canvas.clientWidth];
      const at = ([x, y]) => [...canvas.getContext("2d").getImageData(Math.round((x - box.left - 1) * ratio), Math.round((y - box.top - 1) * ratio), 1, 1).data].join();
      return places.map(([x, y]) => at([x + 3, y + (y > box.top + box.height / 2 ? -3 : 3)]) !== at([box.left + 5, box.top + 5]));
    }, pockets);
    assert.deepEqual(differ, Array(6).fill(true));
    await tab.context().close();
  }
});

test("a disc that is dropped onto others pushes them apart, or goes back where it had room, and says so in plain words", async () => {
  for (const [pointer, options, pull] of POINTERS) {
    const tab = await open("", options);
    const start = await stage(tab);
    const to = start.discs[5].screen;
    await pull(start.discs[0].screen, [to[0] - start.discs[0].screen[0] + 2, to[1] - start.discs[0].screen[1]], tab);
    const dropped = await stage(tab);
    assert.match(dropped.said, /^Pushed apart: \d+ discs moved, by [\d.e-]+ at most\.$/, pointer);
    assert.doesNotMatch(dropped.said, INSIDE);
    dropped.discs.forEach((a, i) => dropped.discs.slice(i + 1).forEach((b) => {
      const far = Math.hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]);
      assert.ok(far >= (a.radius + b.radius) * (1 - 1e-12), "nothing overlaps");
    }));
    // Nothing is dragged into a cushion: the disc waits where it had room.
    await pull(dropped.discs[0].screen, [0, -400], tab);
    const kept = await stage(tab);
    assert.match(kept.said, /^A wall is there/);
    assert.ok(Math.abs(kept.discs[0].position[1]) < 0.635);
    // Three discs in a row that has room for three: the fourth goes back.
    const full = { format: 1, model: "discs", name: "full", until: 1, discs: [1, 3, 5].map((x) => ({ position: [x, 1], radius: 1 })), walls: [{ shape: "polyline", closed: true, points: [[-0.1, -0.1], [6.1, -0.1], [6.1, 2.1], [-0.1, 2.1]] }] };
    full.discs.push({ position: [3, 4], radius: 1 });
    await tab.evaluate((text) => window.caromPage.stage.open(text), JSON.stringify(full));
    const { discs } = await stage(tab);
    await pull(discs[3].screen, [0, discs[1].screen[1] - discs[3].screen[1]], tab);
    const back = await stage(tab);
    assert.match(back.said, /^There is no room for it there: the disc is back/, pointer);
    assert.ok(back.discs[3].position[1] > 2);
    assert.deepEqual(back.discs.slice(0, 3).map(({ position }) => position), discs.slice(0, 3).map(({ position }) => position));
    assert.deepEqual(tab.complaints, []);
    await tab.context().close();
  }
});

test("the scenes have the golden hashes here", async () => {
  assert.doesNotMatch(await page.textContent("body"), /Not run yet|has just run/);
  await page.locator("#golden").scrollIntoViewIfNeeded();
  // One for each scene of the package, which `package.test.js` compares with those of native builds.
  const scenes = await page.evaluate(async () => (await import("./carom/carom.js")).sceneNames().length);
  assert.ok(scenes > 20);
  await page.waitForFunction((scenes) => document.querySelectorAll("#golden td.good, #golden td.bad").length === scenes && !document.getElementById("golden-run").disabled, scenes, { timeout: 60000 });
  assert.equal(await page.locator("#golden td.bad").count(), 0);
  assert.ok((await page.textContent("#golden-summary")).startsWith(`${scenes} of ${scenes}`));
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
    const said = await tab.textContent("#message");
    assert.match(said, /^This link does not lead to a scene: .+/, broken);
    assert.doesNotMatch(said, INSIDE, broken);
    assert.ok(await tab.locator("#message").isVisible(), broken);
    assert.equal((await stage(tab)).scene, "nine-ball-discs", broken);
    assert.deepEqual(tab.complaints, [], broken);
    await tab.context().close();
  }
});

test("each section and each figure has a link, and Back undoes the choice of a scene", async () => {
  const tab = await open();
  const links = await tab.locator("a.link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.equal(links.length, 7 + FIGURES.length);
  for (const link of links) {
    await tab.locator(`a.link[href="${link}"]`).click();
    await tab.waitForFunction((id) => Math.abs(document.querySelector(id).getBoundingClientRect().top) < innerHeight, link);
    assert.equal(await tab.locator("#message").isVisible(), false, link);
  }
  await tab.context().close();
  const there = await open("#figure-group", PHONE);
  const top = await there.evaluate(() => document.querySelector("#figure-group").getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 200, `${top}`);
  assert.equal(await there.locator("#message").isVisible(), false);
  const scenes = ["newtons-cradle", "box-16", "air-table"];
  for (const name of scenes) await there.selectOption("#scene", name);
  for (const name of ["box-16", "newtons-cradle"]) {
    await there.goBack();
    await there.waitForFunction((of) => window.caromPage.stage.describe().scene === of, name);
    assert.equal(await there.inputValue("#scene"), name);
  }
  await there.goForward();
  await there.waitForFunction(() => window.caromPage.stage.describe().scene === "box-16");
  assert.deepEqual(there.complaints, []);
  await there.context().close();
});

test("what could not be loaded can be tried again, and a browser without vectors is named those that have them", async () => {
  const context = await page.context().browser().newContext();
  const tab = await context.newPage();
  await tab.route("**/*.wasm", (route) => route.abort());
  await tab.goto(host.address);
  await tab.waitForSelector("#message button");
  assert.match(await tab.textContent("#message"), /^The engine could not be loaded/);
  await tab.unroute("**/*.wasm");
  await tab.click("#message button");
  await tab.waitForSelector("html[data-ready]");
  assert.equal(await tab.locator("#message").isVisible(), false);
  await tab.addInitScript(() => {
    WebAssembly.validate = () => false;
    WebAssembly.instantiateStreaming = WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError("Wasm SIMD unsupported, enable with --experimental-wasm-simd"));
  });
  await tab.goto(`${host.address}?old`);
  await tab.waitForSelector("#message button");
  const said = await tab.textContent("#message");
  assert.match(said, /Chrome and Edge .* 91, Firefox .* 89, Safari .* 16\.4/);
  assert.doesNotMatch(said, /experimental/);
  await context.close();
});

test("a module that ran out of memory in a browser is made anew there", async () => {
  // In a worker: in the page itself Chromium makes no module of more than 8 MB at once, as one that is built for tests is.
  const hashes = await page.evaluate(() => new Promise((resolve, reject) => {
    const program = `
      const { init, World } = await import("${new URL("carom/carom.js", location.href)}");
      const glue = await import("${new URL("carom/wasm/carom_js.js", location.href)}");
      await init();
      const run = () => { const world = World.fromScene("box-16"); world.advance(1); return world.hash(); };
      const hashes = [run()];
      const { memory } = await glue.default();
      for (let pages = 2 ** 15; pages >= 1; pages /= 2) {
        try { while (memory.buffer.byteLength < 2 ** 32) memory.grow(pages); } catch {}
      }
      const world = World.fromScene("box-16");
      try { for (;;) world.clone(); } catch (error) { hashes.push(error.code); }
      await init();
      hashes.push(run());
      postMessage(hashes);
    `;
    const worker = new Worker(URL.createObjectURL(new Blob([program], { type: "text/javascript" })), { type: "module" });
    worker.addEventListener("message", ({ data }) => { worker.terminate(); resolve(data); });
    worker.addEventListener("error", (event) => reject(new Error(event.message)));
  }));
  assert.deepEqual(hashes, [hashes[0], "internal", hashes[0]]);
  assert.deepEqual(page.complaints, []);
});

test("touch drags a disc, and scrolls the page elsewhere; nothing is wider than a narrow screen", async () => {
  const tab = await open("", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3, colorScheme: "dark" });
  assert.ok((await tab.evaluate(() => document.documentElement.scrollWidth)) <= 390);
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
