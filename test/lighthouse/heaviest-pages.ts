import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";

const page = "index.html";

/**
 * Paths of the home page and of the largest page of every other folder. Throws a one-sentence error if the site is not
 * built.
 */
export async function heaviestPages(dist: string): Promise<string[]> {
  const files = await readdir(dist, { recursive: true }).catch(() => {
    throw new Error(`There is no built site in ${dist}: run npm run snapshot:demo first.`);
  });
  const pages = files.filter((file) => file === page || file.endsWith(`${sep}${page}`));
  const largest = new Map<string, { file: string; bytes: number }>();
  for (const file of pages) {
    const [folder = ""] = file === page ? [] : file.split(sep);
    const { size: bytes } = await stat(join(dist, file));
    if (bytes > (largest.get(folder)?.bytes ?? 0)) largest.set(folder, { file, bytes });
  }
  return [...largest.values()]
    .map(({ file }) => `/${file.split(sep).join("/").slice(0, -page.length)}`)
    .sort();
}
