// The package as a new project meets it: packed, installed without a network, checked by the compiler, bundled, run.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const tools = join(here, "..", "node_modules");
const demo = process.env.CAROM_DEMO ?? join(here, "../../../target/demo");
const project = mkdtempSync(join(tmpdir(), "carom-project-"));
test.after(() => rmSync(project, { recursive: true, force: true }));

const run = (program, ...args) => execFileSync(program, args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

test("without the target for WebAssembly the build adds it, or says how", () => {
  const bin = join(project, "bin");
  mkdirSync(bin);
  const stub = (name, line) => writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  stub("rustc", "echo /there/is/no/such/target");
  stub("cargo", "echo built");
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, CAROM_SMALL_STD: "" };
  const build = () => spawnSync(join(here, "../build"), [project], { encoding: "utf8", env });
  stub("rustup", "echo adds $3");
  assert.match(build().stdout, /^adds wasm32-unknown-unknown\nbuilt\n$/);
  stub("rustup", "exit 1");
  const refused = build();
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /rustup target add wasm32-unknown-unknown/);
});

test("npm packs the package, with its types and its module, and installs it", () => {
  const [{ filename, files }] = JSON.parse(run("npm", "pack", "--json", join(demo, "package")));
  const names = files.map((file) => file.path);
  for (const name of ["carom.js", "carom.d.ts", "worker.js", "worker-thread.js", "wasm/carom_js_bg.wasm", "README.md", "LICENSE-MIT"]) {
    assert.ok(names.includes(name), `${name} is not among ${names}`);
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "game", private: true, type: "module" }));
  run("npm", "install", "--offline", "--no-audit", "--no-fund", `./${filename}`);
  assert.ok(existsSync(join(project, "node_modules/carom-physics/carom.d.ts")));
});

test("the game has the types that the package declares, and what is wrong does not compile", () => {
  for (const name of ["game.ts", "wrong.ts"]) copyFileSync(join(here, "project", name), join(project, name));
  const compiler = join(tools, ".bin/tsc");
  const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "false", "--lib", "es2023,dom,esnext.disposable"];
  try {
    run(compiler, ...options, "game.ts", "wrong.ts", "node_modules/carom-physics/worker.d.ts");
  } catch (error) {
    assert.fail(error.stdout + error.stderr);
  }
});

test("each program of the README has types under strict rules, however modules are found", () => {
  const readme = readFileSync(join(demo, "package/README.md"), "utf8");
  const programs = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program]) => program);
  assert.equal(programs.length, 2);
  programs.forEach((program, k) => {
    const head = program.includes("init }") || program.includes("init,") ? "" : 'import { init } from "carom-physics";\n';
    writeFileSync(join(project, `readme${k}.ts`), head + program);
  });
  for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    const options = ["--strict", "--noEmit", "--target", "es2022", "--module", module, "--moduleResolution", resolution];
    try {
      run(join(tools, ".bin/tsc"), ...options, "--skipLibCheck", "false", "--lib", "es2023,dom,esnext.disposable", "readme0.ts", "readme1.ts");
    } catch (error) {
      assert.fail(error.stdout + error.stderr);
    }
  }
});

test("esbuild bundles the game, for browsers too, and it plays in node", async () => {
  const bundler = join(tools, ".bin/esbuild");
  writeFileSync(join(project, "main.ts"), 'import wasm from "carom-physics/carom.wasm"; import { play } from "./game.ts"; export const goals = (dir: string) => play(600, dir + wasm);');
  run(bundler, "main.ts", "--bundle", "--format=esm", "--platform=browser", "--loader:.wasm=file", "--outdir=out", "--log-level=error");
  mkdirSync(join(project, "out"), { recursive: true });
  assert.ok(readdirSync(join(project, "out")).some((name) => name.endsWith(".wasm")));
  writeFileSync(join(project, "out/package.json"), '{ "type": "module" }');
  const { goals } = await import(pathToFileURL(join(project, "out/main.js")).href);
  assert.equal(await goals(`${join(project, "out")}/`), 0, "the paddle follows the ball");
});
