import { statSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Maximum bytes of a page: about twenty times the largest usual page, and a sixth of Cloudflare's limit for an asset
 * (25 MiB). A single larger file would prevent the deployment of the whole site.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Largest file that is not a page. */
const MAX_FILE_BYTES = 24 * 1024 * 1024;

/**
 * Replaces pages that are too large with small ones, and removes other files that are too large, so that the rest can
 * be served. Returns a list of them. `site`: folder with the pages that replace them.
 */
export async function leaveOutOf(
  dist: string,
  site = dist,
): Promise<{ file: string; bytes: number }[]> {
  const left: { file: string; bytes: number }[] = [];
  for (const file of await readdir(dist, { recursive: true }).catch(() => [])) {
    const { size: bytes } = statSync(join(dist, file));
    const isPage = file.endsWith(".html");
    if (bytes <= (isPage ? MAX_PAGE_BYTES : MAX_FILE_BYTES)) continue;
    const small = isPage ? await smallPage(site, file, bytes) : null;
    // Removed first, because it may be a hard link to a kept page.
    await rm(join(dist, file), { recursive: true });
    if (small !== null) await writeFile(join(dist, file), small);
    left.push({ file, bytes });
  }
  return left;
}

/**
 * The replacement of a page: for a run the viewer, which renders it from the API; otherwise a page that says what is
 * missing.
 */
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
