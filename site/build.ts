import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { UNKNOWN_ORIGIN } from "#shared/contracts/boards/public-origin.ts";
import { type KeptBundle, keptBundle } from "./src/build/kept-bundle.ts";
import { closeOutput, filesIn, type Output, openOutput } from "./src/build/output.ts";
import { openKept, type RenderKept } from "./src/build/render-kept.ts";
import { leaveOutOf } from "./src/data/leave-out-large.ts";
import { beginBuild, doneText, keepPages } from "./src/data/render-cache.ts";
import { settings } from "./src/data/settings.ts";

// Builds the site into --outDir. Bundling its code takes longer than rendering a hundred pages, so Astro bundles only
// if no earlier build has kept a bundle of the same code. With --ahead it bundles and renders the pages that show no
// results, for a later build of the same code and settings.

/** Placeholder for the API's origin in public/_headers, which only a build knows. */
const placeholder = " {api}";

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

/** A lower process priority would not do: on a busy machine the next build would wait minutes for this one. */
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

/** Null if the bundle is damaged; it is then removed. */
async function opened(kept: KeptBundle): Promise<RenderKept | null> {
  try {
    return await openKept(kept);
  } catch (error) {
    console.warn(`The kept bundle can't be loaded, so the code is bundled again: ${error}`);
    await rm(kept.folder, { recursive: true, force: true });
    return null;
  }
}

/**
 * Completes a site after its pages are rendered, moves it into its folder, and prints a summary. `unchanged`: files
 * kept from the previous build.
 */
async function finishSite(output: Output, unchanged: readonly string[]): Promise<void> {
  const { dir, stage, before } = output;
  if (before === null) await allowApi(join(stage, "_headers"));
  const rendered = [...filesIn(stage), ...unchanged].filter((file) => file.endsWith(".html"));
  const kept = keepPages(output);
  for (const { file, bytes } of await leaveOutOf(stage, before === null ? stage : dir)) {
    console.warn(`${file} would have ${bytes} bytes and is left out`);
  }
  const files = new Set([...filesIn(stage), ...unchanged, ...kept.keys()]);
  closeOutput(
    output,
    [...files].map((file) => [file, kept.get(file) ?? ""]),
  );
  console.log(doneText(rendered.length));
}

/** Allows scripts and images of pages to request the API's origin, and no other origin than that and their own. */
async function allowApi(file: string): Promise<void> {
  const headers = await readFile(file, "utf8");
  const api = settings.apiOrigin === UNKNOWN_ORIGIN ? "" : ` ${new URL(settings.apiOrigin).origin}`;
  // Removed first, because it may be a hard link to a file of the kept bundle.
  await rm(file);
  await writeFile(file, headers.replaceAll(placeholder, api));
}
