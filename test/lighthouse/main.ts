import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { heaviestPages } from "./heaviest-pages.ts";
import { categories } from "./score-page.ts";
import { scorePages } from "./score-pages.ts";

const usage = `npm run lighthouse [-- options]

Scores the heaviest page of each kind of a built site (home, boards, reports, guides and so on) with Lighthouse as on a
phone: performance, accessibility, best practices, SEO. Takes a quarter of a minute a page. Exits with 1 where a score is
below the target.

  --dist DIR   built site (default: the one that npm run snapshot:demo has built)
  --path PATH  page to score in their place; may be given several times
  --runs N     measurements a page, of which the median counts (default 1)
  --desktop    as on a desktop computer
  --help       show this`;

/** What every score has to reach. */
const TARGET = 98;

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dist: { type: "string", default: join(root, ".cache", "demo-snapshot", "site") },
      path: { type: "string", multiple: true },
      runs: { type: "string", default: "1" },
      desktop: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number above 0");
  const dist = resolve(values.dist);
  const paths = values.path ?? (await heaviestPages(dist));
  for (const page of await scorePages(dist, paths, { runs, isDesktop: values.desktop })) {
    const scores = page.scores.map((score, i) => `${categories[i]} ${score}`);
    console.log(`${page.path}\n  ${scores.join(", ")}`);
    for (const flaw of page.flaws) console.log(`  - ${flaw}`);
    if (page.scores.some((score) => score < TARGET)) process.exitCode = 1;
  }
}
