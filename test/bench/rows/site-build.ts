import { rm } from "node:fs/promises";
import { join } from "node:path";
import { suites } from "../../../shared/suites/registry.ts";
import type { BuiltFile, BuiltSite } from "../../demo-snapshot/built-site.ts";
import type { Bench } from "../bench.ts";

/** Where there are most models, all of it is held. */
const PROMISED = 100;
const targets = {
  build: { atMost: 30, words: "100 models × 5 suites in ≤ 30 s" },
  report: { atMost: 150, words: "a report page, as it is sent: ≤ 150 kB" },
  lighthouse: { atLeast: 95, words: "Lighthouse ≥ 95 everywhere" },
};

const sizes = [
  { models: 1, only: "extraction" },
  { models: 20, only: null },
  { models: PROMISED, only: null },
];

/** The site of some models on some suites, built from results that are made for it. */
export const siteBuild: readonly Bench[] = sizes.map(({ models, only }) => ({
  repeats: 3,
  rows: [
    {
      name: `site/build-${models}`,
      what: `build of the whole site, ${models} × ${only === null ? suites.length : 1}`,
      unit: "s",
      ...(models === PROMISED && { target: targets.build }),
    },
    {
      name: `site/rebuild-${models}`,
      what: "rebuild from a folder when one of its runs is new: all pages (from a service, only what changed)",
      unit: "s",
    },
    { name: `site/largest-${models}`, what: "its largest page, gzip", unit: "kB" },
    {
      name: `site/report-${models}`,
      what: `largest report of a run, gzip; site of ${models} ${models === 1 ? "model" : "models"}`,
      unit: "kB",
      ...(models === PROMISED && { target: targets.report }),
    },
    {
      name: `site/report-${models}-html`,
      what: `largest report of a run, unpacked; site of ${models} ${models === 1 ? "model" : "models"}`,
      unit: "kB",
      ...(models === PROMISED && { target: { ...targets.report, isPromised: false } }),
    },
  ],
  prepare:
    ({ scale }) =>
    () =>
      inSite(async ({ write, build }) => {
        const settings = { models: scaled(models, scale), ...(only !== null && { only }) };
        await write(settings, async () => void (await build()));
        const again = await build();
        const whole = await build();
        const pages = whole.files.filter(({ path }) => path.endsWith(".html"));
        const reports = pages.filter(({ path }) => path.startsWith("/runs/"));
        const unpacked = Math.max(...reports.map(({ bytes }) => bytes)) / 1000;
        return [whole.seconds, again.seconds, largestKb(pages), largestKb(reports), unpacked];
      }),
}));

const largestKb = (files: readonly BuiltFile[]): number =>
  Math.max(...files.map(({ gzipBytes }) => gzipBytes)) / 1000;

/** The largest of these sites as Lighthouse sees it: on its own, since it takes minutes and fetches Lighthouse. */
export const siteScore: Bench = {
  repeats: 1,
  rows: [
    {
      name: `site/lighthouse-${PROMISED}`,
      what: "lowest Lighthouse score of the heaviest page of each kind, as on a phone",
      unit: "",
      target: targets.lighthouse,
    },
  ],
  prepare:
    ({ scale }) =>
    () =>
      inSite(async ({ dist, write, build }) => {
        const { heaviestPages } = await import("../../lighthouse/heaviest-pages.ts");
        const { scorePages } = await import("../../lighthouse/score-pages.ts");
        await write({ models: scaled(PROMISED, scale) });
        await build();
        const pages = await scorePages(dist, await heaviestPages(dist), { runs: 1 });
        return [Math.min(...pages.flatMap(({ scores }) => scores))];
      }),
};

const scaled = (models: number, scale: number): number =>
  Math.max(1, Math.round(models * Math.min(1, scale)));

/** A site that is to be built, and where. */
interface SiteToBuild {
  dist: string;
  write(
    settings: { models: number; only?: string },
    beforeLast?: () => Promise<void>,
  ): Promise<unknown>;
  build(): Promise<BuiltSite>;
}

/** Works in a folder that is removed afterwards. */
async function inSite<T>(work: (site: SiteToBuild) => Promise<T>): Promise<T> {
  // The service and what simulates models are much to load, and no other bench needs them.
  const { writeSnapshot } = await import("../../demo-snapshot/write-snapshot.ts");
  const { builtSite } = await import("../../demo-snapshot/built-site.ts");
  const { buildFolder } = await import("../../browser/support/build-site.ts");
  const dir = await buildFolder();
  const dist = join(dir, "site");
  try {
    return await work({
      dist,
      write: (settings, beforeLast) => writeSnapshot({ dir, ...settings }, () => {}, beforeLast),
      build: () => builtSite(dir, dist),
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
