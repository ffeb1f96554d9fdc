import { rm } from "node:fs/promises";
import { join } from "node:path";
import { suites } from "../../../shared/suites/registry.ts";
import type { BuiltFile, BuiltSite } from "../../demo-snapshot/built-site.ts";
import type { ManyResults } from "../../demo-snapshot/many-results.ts";
import type { Bench } from "../bench.ts";

const MODELS = 100;

/** Building the site of a hundred models on all suites from generated results. */
export const siteBuild: Bench = {
  repeats: 1,
  rows: [
    {
      name: "site/build",
      what: `build of the whole site, ${MODELS} models × ${suites.length} suites, CPU time`,
      unit: "s",
      yardstick: "the site of one model on one suite",
      target: { atMost: 15 },
    },
    {
      name: "site/report",
      what: "largest report of a run, gzip",
      unit: "kB",
      target: { atMost: 100 },
    },
  ],
  prepare:
    ({ scale }) =>
    async () => {
      const small = await inSite(async ({ write, build }) => {
        await write({ models: 1, only: "extraction" });
        // The first build bundles the sources, which later builds reuse.
        await build();
        return build();
      });
      return inSite(async ({ write, build }) => {
        await write({ models: scaled(MODELS, scale) });
        const { cpuSeconds, files } = await build();
        const reports = files.filter(({ path }) => /^\/runs\/.*\.html$/.test(path));
        return [{ measured: cpuSeconds, yardstick: small.cpuSeconds }, largestKb(reports)];
      });
    },
};

/** Builds, each after one more run. The first also compiles the pages' modules, which later ones reuse. */
const REBUILDS = 3;

/** CPU time of a clean build of a service's site, and median CPU time of builds after one more run. */
async function rebuilt(results: ManyResults, files?: string) {
  const { openLargeService } = await import("../../demo-snapshot/many-results.ts");
  const { costOfBuild } = await import("../../demo-snapshot/large-site.ts");
  const { buildFolder } = await import("../../browser/support/build-site.ts");
  const large = await openLargeService(results);
  const folder = await buildFolder();
  const folders = { out: join(folder, "site"), cache: join(folder, "cache"), files };
  try {
    const { cpuSeconds: yardstick } = await costOfBuild(large.origin, folders);
    const rebuilds: number[] = [];
    for (let i = 0; i < REBUILDS; i++) {
      await large.finishOneMore();
      rebuilds.push((await costOfBuild(large.origin, folders)).cpuSeconds);
    }
    return { measured: rebuilds.sort((a, b) => a - b)[REBUILDS >> 1]!, yardstick };
  } finally {
    await large.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds after one more run: of 100 models on five suites, and of 10,000 models on one suite. */
export const siteRebuild: Bench = {
  repeats: 1,
  rows: [
    {
      name: "site/rebuild",
      what: `build after one more run, ${MODELS} models × 5 suites, CPU time, median of ${REBUILDS}`,
      unit: "s",
      yardstick: "the clean build of the earlier results",
      target: { atMost: 0.25 },
    },
    {
      name: "site/rebuild-large",
      what: "build after one more run with 10,000 of one suite, 4,000 files, CPU time, median of 3",
      unit: "s",
      target: { atMost: 20 },
    },
  ],
  prepare:
    ({ scale }) =>
    async () => {
      const five = suites.slice(0, 5).map(({ id }) => id);
      const small = await rebuilt({
        runs: Math.max(2, scaled(MODELS, scale)),
        suites: five,
        datasets: 0,
      });
      const runs = scaled(10_000, scale);
      return [small, (await rebuilt({ runs, datasets: 2_000 }, "4000")).measured];
    },
};

const largestKb = (files: readonly BuiltFile[]): number =>
  Math.max(...files.map(({ gzipBytes }) => gzipBytes)) / 1000;

/** Lighthouse scores of the large site; a separate bench, since it takes minutes and downloads Lighthouse. */
export const siteScore: Bench = {
  repeats: 1,
  rows: [
    {
      name: "site/lighthouse",
      what: "lowest Lighthouse score of the largest pages of all kinds on an emulated phone",
      unit: "",
      target: { atLeast: 98 },
    },
  ],
  prepare:
    ({ scale }) =>
    () =>
      inSite(async ({ dist, write, build }) => {
        const { heaviestPages } = await import("../../lighthouse/heaviest-pages.ts");
        const { scorePages } = await import("../../lighthouse/score-pages.ts");
        await write({ models: scaled(MODELS, scale) });
        await build();
        const pages = await scorePages(dist, await heaviestPages(dist), { runs: 1 });
        return [Math.min(...pages.flatMap(({ scores }) => scores))];
      }),
};

const scaled = (models: number, scale: number): number =>
  Math.max(1, Math.round(models * Math.min(1, scale)));

/** A site to build, and its folder. */
interface SiteToBuild {
  dist: string;
  write(settings: { models: number; only?: string }): Promise<unknown>;
  build(): Promise<BuiltSite>;
}

/** Runs `work` in a folder that is removed afterwards. */
async function inSite<T>(work: (site: SiteToBuild) => Promise<T>): Promise<T> {
  // Loaded late, because the service and the simulator take long to load and no other bench needs them.
  const { writeSnapshot } = await import("../../demo-snapshot/write-snapshot.ts");
  const { builtSite } = await import("../../demo-snapshot/built-site.ts");
  const { buildFolder } = await import("../../browser/support/build-site.ts");
  const dir = await buildFolder();
  const dist = join(dir, "site");
  try {
    return await work({
      dist,
      write: (settings) => writeSnapshot({ dir, ...settings }, () => {}),
      build: () => builtSite(dir, dist),
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
