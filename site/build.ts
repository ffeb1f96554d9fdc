import { rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { finishSite } from "./src/build/finish-site.ts";
import { type KeptBundle, keptBundle } from "./src/build/kept-bundle.ts";
import { openOutput } from "./src/build/output.ts";
import { openKept, type RenderKept } from "./src/build/render-kept.ts";
import { beginBuild } from "./src/data/render-cache.ts";
import { settings } from "./src/data/settings.ts";

// Builds the site into --outDir. Bundling its code takes longer than rendering a hundred pages, so Astro does it only
// when no earlier build has kept a bundle of the same code.

const site = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: { outDir: { type: "string", default: join(site, "dist") } },
});
const outDir = resolve(values.outDir);
process.env["NODE_ENV"] = "production";
enableCompileCache(resolve(settings.cacheDir, "compiled"));

const code = await beginBuild(resolve(site, ".."));
const bundle = await keptBundle(code);
const renderKept = bundle && (await opened(bundle));
const output = openOutput(outDir, code, renderKept === null);
if (renderKept) await finishSite(output, await renderKept(output));
else {
  const { build } = await import("astro");
  await build({ root: site, outDir: output.stage });
  await finishSite(output, []);
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
