import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UNKNOWN_ORIGIN } from "#shared/contracts/boards/public-origin.ts";
import { leaveOutOf } from "../data/leave-out-large.ts";
import { doneText, keepPages } from "../data/render-cache.ts";
import { settings } from "../data/settings.ts";
import { closeOutput, filesIn, type Output } from "./output.ts";

/** Placeholder in public/_headers for the API's origin, which only a build knows. */
const placeholder = " {api}";

/**
 * Completes a site once its pages are rendered, puts it into its folder, and says what the build did. `unchanged`: files
 * that are as they were.
 */
export async function finishSite(output: Output, unchanged: readonly string[]): Promise<void> {
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

/** Allows scripts and images of pages to request the API's origin, and no origin other than that and their own. */
async function allowApi(file: string): Promise<void> {
  const headers = await readFile(file, "utf8");
  const api = settings.apiOrigin === UNKNOWN_ORIGIN ? "" : ` ${new URL(settings.apiOrigin).origin}`;
  // Removed first: it is the same file as in the kept bundle.
  await rm(file);
  await writeFile(file, headers.replaceAll(placeholder, api));
}
