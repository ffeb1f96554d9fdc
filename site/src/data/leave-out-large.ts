import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";

/**
 * Largest page, in bytes: about twenty times the largest usual one, and a sixth of Cloudflare's limit for an asset
 * (25 MiB). A single larger file would prevent the deployment of the whole site.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Largest file that is not a page. */
const MAX_FILE_BYTES = 24 * 1024 * 1024;

/** Replaces pages that are too large with small ones, and removes other files that are too large, so that all others are served. */
export const leaveOutLarge: AstroIntegration = {
  name: "leave-out-large",
  hooks: {
    "astro:build:done": async ({ dir, logger }) => {
      for (const { file, bytes } of await leaveOutOf(fileURLToPath(dir))) {
        logger.warn(`${file} would have ${bytes} bytes and is left out`);
      }
    },
  },
};

/** Removes what is too large from a folder of built pages, and returns a list of it. */
export async function leaveOutOf(dist: string): Promise<{ file: string; bytes: number }[]> {
  const left: { file: string; bytes: number }[] = [];
  for (const file of await readdir(dist, { recursive: true })) {
    const { size: bytes } = await stat(join(dist, file));
    const isPage = file.endsWith(".html");
    if (bytes <= (isPage ? MAX_PAGE_BYTES : MAX_FILE_BYTES)) continue;
    if (isPage) await writeFile(join(dist, file), await smallPage(dist, file, bytes));
    else await rm(join(dist, file), { recursive: true });
    left.push({ file, bytes });
  }
  return left;
}

/** At the address of a run the viewer, which draws it from the API; elsewhere a page that says what is missing. */
async function smallPage(dist: string, file: string, bytes: number): Promise<string> {
  const isRun = /^runs[\\/][^\\/]+[\\/]index\.html$/.test(file);
  const page = await readFile(join(dist, isRun ? "run/index.html" : "404.html"), "utf8");
  const size = `${Math.ceil(bytes / 1024 / 1024)} MB, more than the ${MAX_PAGE_BYTES / 1024 / 1024} MB that a page of this site may have`;
  if (isRun) {
    const notice = `<p class="notice">The page of this run would have ${size}, so it is drawn from the API instead.</p>`;
    return page.replace("</h1>", `</h1>${notice}`);
  }
  const text = `It would have ${size}. The API has its content: see the <a href="/docs/">reference</a>.`;
  return page
    .replaceAll("Page not found", "Page left out")
    .replace(/<h1>[\s\S]*?<\/p>/, `<h1>This page is left out</h1><p class="prose">${text}</p>`);
}
