// A separate program: wrangler and esbuild take 500 MB, which are freed when the bundle is complete.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { BUNDLE_OPTIONS, BUNDLE_SCRIPT } from "./worker-bundle.ts";
import { wrangler, wranglerEnv } from "./wrangler.ts";

/** Wrangler's list of the files in a bundle. */
const META = "bundle-meta.json";
type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> };

/** Bundles the Worker of `[env.local]` into the folder: its script, and miniflare's options. */
const [folder = "", ...entry] = process.argv.slice(2);
const bundling = spawn(
  wrangler,
  // Minified, since miniflare copies the script dozens of times at each start.
  ["deploy", ...entry, "--dry-run", "--minify", "--metafile", "--env", "local", "--outdir", folder],
  { cwd: root, env: { ...process.env, ...wranglerEnv(folder) }, stdio: "inherit" },
);
const ended = once(bundling, "close");
// Loaded in parallel, because it takes as long as bundling.
const { unstable_getMiniflareWorkerOptions: workerOptions } = await import("wrangler");
const { suites } = await import("#shared/suites/registry.ts");
const [status] = await ended;
if (status !== 0) process.exit(1);
const { outputs } = JSON.parse(readFileSync(join(folder, META), "utf8")) as Metafile;
rmSync(join(folder, META));
const made = readdirSync(folder);
for (const name of made.filter((file) => file.endsWith(".map"))) rmSync(join(folder, name));
const [script = ""] = made.filter((file) => file.endsWith(".js"));
renameSync(join(folder, script), join(folder, BUNDLE_SCRIPT));
const read = workerOptions(join(root, "wrangler.toml"), "local");
// The rules apply only to bundling.
const { modulesRules: _, ...options } = read.workerOptions;
// Written last: a bundle with options is complete.
const judges = suites
  .flatMap(({ judging }) => judging?.judges ?? [])
  .map(({ id, kind, routeName = id }) => ({ id: routeName, kind }));
const sources = Object.values(outputs).flatMap(({ inputs }) =>
  Object.keys(inputs).filter((file) => inputs[file]!.bytesInOutput > 0),
);
writeFileSync(join(folder, BUNDLE_OPTIONS), JSON.stringify({ options, judges, sources }));
