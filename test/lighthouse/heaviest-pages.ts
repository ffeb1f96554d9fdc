import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Kinds of pages that are scored. */
const kinds = [/^index\.html$/, /^leaderboards\/.+\/index\.html$/, /^runs\/.+\/index\.html$/];

/** The largest page of each kind, as paths of the site. Throws one sentence where nothing is built. */
export async function heaviestPages(dist: string): Promise<string[]> {
  const files = await readdir(dist, { recursive: true }).catch(() => {
    throw new Error(`There is no built site in ${dist}: run npm run snapshot:demo first.`);
  });
  const sized = await Promise.all(
    files
      .filter((file) => file.endsWith(".html"))
      .map(async (file) => ({ file, bytes: (await stat(join(dist, file))).size })),
  );
  sized.sort((a, b) => b.bytes - a.bytes);
  return kinds.flatMap((kind) => {
    const largest = sized.find(({ file }) => kind.test(file));
    return largest ? [`/${largest.file.slice(0, -"index.html".length)}`] : [];
  });
}
