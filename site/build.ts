import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { finishSite } from "./src/build/finish-site.ts";
import { type KeptBundle, keptBundle } from "./src/build/kept-bundle.ts";
import { openOutput } from "./src/build/output.ts";
import { openKept, type RenderKept } from "./src/build/render-kept.ts";
import { beginBuild, keepPages } from "./src/data/render-cache.ts";

// Builds the site into --outDir. Bundling its code takes longer than rendering a hundred pages, so Astro does it only
// when no earlier build has kept a bundle of the same code. With --ahead it bundles, and keeps the pages that show no
// results, for a build of the same code and settings that comes once there are results.

const site = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    outDir: { type: "string", default: join(site, "dist") },
    ahead: { type: "boolean", default: false },
  },
});
const outDir = resolve(values.outDir);
process.env["NODE_ENV"] = "production";

const code = await beginBuild(resolve(site, ".."), values.ahead);
const bundle = await keptBundle(code);
if (values.ahead) await buildAhead();
else await buildSite();

async function buildSite(): Promise<void> {
  const renderKept = bundle && (await opened(bundle));
  const output = openOutput(outDir, code, renderKept === null);
  if (renderKept) return finishSite(output, await renderKept(output));
  await bundled(output.stage);
  await finishSite(output, []);
}

/** A lower priority would not do: on a busy machine the build that comes later would wait for it for minutes. */
async function buildAhead(): Promise<void> {
  if (bundle !== null) return;
  const stage = `${outDir}.ahead`;
  await rm(stage, { recursive: true, force: true });
  await bundled(stage);
  keepPages({ dir: outDir, code, stage, before: null });
  await rm(stage, { recursive: true });
}

async function bundled(stage: string): Promise<void> {
  const { build } = await import("astro");
  await build({ root: site, outDir: stage });
}

/** Null if it is damaged; then it is removed. */
async function opened(kept: KeptBundle): Promise<RenderKept | null> {
  try {
    return await openKept(kept);
  } catch (error) {
    console.warn(`The kept bundle can't be loaded, so the code is bundled again: ${error}`);
    await rm(kept.folder, { recursive: true, force: true });
    return null;
  }
}
