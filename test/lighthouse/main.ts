import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { openBrowser } from "../browser/support/browser.ts";
import { serveDist } from "../browser/support/serve-dist.ts";
import { heaviestPages } from "./heaviest-pages.ts";
import { categories, type PageScores, scorePage } from "./score-page.ts";

const usage = `npm run lighthouse [-- options]

Scores the heaviest page of each main kind of a built site (home, board, report) with Lighthouse as on a phone:
performance, accessibility, best practices, SEO. Exits with 1 where a score is below the target.

  --dist DIR   built site (default: the one that npm run snapshot:demo has built)
  --path PATH  page to score in their place; may be given several times
  --runs N     measurements a page, of which the median counts (default 3)
  --desktop    as on a desktop computer
  --help       show this`;

/** What every score has to reach. */
const TARGET = 95;

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dist: { type: "string", default: join(root, ".cache", "demo-snapshot", "site") },
      path: { type: "string", multiple: true },
      runs: { type: "string", default: "3" },
      desktop: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number above 0");
  const dist = resolve(values.dist);
  const paths = values.path ?? (await heaviestPages(dist));
  for (const page of await scored(dist, paths, runs, values.desktop)) {
    const scores = page.scores.map((score, i) => `${categories[i]} ${score}`);
    console.log(`${page.path}\n  ${scores.join(", ")}`);
    for (const flaw of page.flaws) console.log(`  - ${flaw}`);
    if (page.scores.some((score) => score < TARGET)) process.exitCode = 1;
  }
}

async function scored(
  dist: string,
  paths: readonly string[],
  runs: number,
  isDesktop: boolean,
): Promise<PageScores[]> {
  const site = await serveDist(dist, { gzip: true });
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  try {
    const pages: PageScores[] = [];
    for (const path of paths) {
      const measured: PageScores[] = [];
      for (let i = 0; i < runs; i++) {
        measured.push(await scorePage(`${site.origin}${path}`, { port, isDesktop }));
      }
      pages.push(median(measured));
    }
    return pages;
  } finally {
    await browser.close();
    site.server.close();
  }
}

/** The middle one by performance; the other scores do not vary. */
function median(measured: readonly PageScores[]): PageScores {
  const sorted = measured.toSorted((a, b) => (a.scores[0] ?? 0) - (b.scores[0] ?? 0));
  return sorted[Math.floor(sorted.length / 2)] as PageScores;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
