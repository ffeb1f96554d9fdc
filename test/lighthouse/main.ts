import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { heaviestPages } from "./heaviest-pages.ts";
import { categories } from "./score-page.ts";
import { scorePages } from "./score-pages.ts";

const usage = `npm run lighthouse [-- options]

Scores the largest page of each kind of a built site (home, boards, reports, guides and so on) with Lighthouse on an
emulated phone: performance, accessibility, best practices, SEO. Takes 15 s per page. Exits with 1 if a score is below
the target.

  --dist DIR   built site (default: the one that npm run snapshot:demo has built)
  --path PATH  score this page instead; may be repeated
  --runs N     measurements per page, of which the median counts (default 1)
  --desktop    emulate a desktop computer
  --help       show this`;

/** Minimum of every score. */
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
