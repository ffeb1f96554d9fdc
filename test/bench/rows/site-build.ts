import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { BuiltFile } from "../../demo-snapshot/built-site.ts";
import type { Bench } from "../bench.ts";

const SUITES = 5;

/** Held where there are most models. */
const targets = {
  build: { atMost: 30, words: "100 models × 5 suites in ≤ 30 s" },
  report: { atMost: 150, words: "a report page ≤ 150 kB" },
};

/** The site of some models on every suite, built from results that are made for it. */
export const siteBuild: readonly Bench[] = [1, 20, 100].map((models) => ({
  repeats: 1,
  rows: [
    {
      name: `site/build-${models}`,
      what: `build of the whole site, ${models} × ${SUITES} runs`,
      unit: "s",
      ...(models === 100 && { target: targets.build }),
    },
    {
      name: `site/rebuild-${models}`,
      what: "the same built once more: a build is always a whole one",
      unit: "s",
    },
    { name: `site/largest-${models}`, what: "its largest page, gzip", unit: "kB" },
    {
      name: `site/report-${models}`,
      what: "its largest report of a run, gzip",
      unit: "kB",
      ...(models === 100 && { target: targets.report }),
    },
    { name: `site/report-${models}-html`, what: "the same, unpacked", unit: "kB" },
  ],
  prepare({ scale }) {
    return async () => {
      // The service and what simulates models are much to load, and no other bench needs them.
      const { writeSnapshot } = await import("../../demo-snapshot/write-snapshot.ts");
      const { builtSite } = await import("../../demo-snapshot/built-site.ts");
      const { buildFolder } = await import("../../browser/support/build-site.ts");
      const dir = await buildFolder();
      try {
        const count = Math.max(1, Math.round(models * Math.min(1, scale)));
        await writeSnapshot({ dir, models: count }, () => {});
        const first = await builtSite(dir, join(dir, "site"));
        const again = await builtSite(dir, join(dir, "site"));
        const pages = again.files.filter(({ path }) => path.endsWith(".html"));
        const reports = pages.filter(({ path }) => path.startsWith("/runs/"));
        const unpacked = Math.max(...reports.map(({ bytes }) => bytes)) / 1000;
        return [first.seconds, again.seconds, largestKb(pages), largestKb(reports), unpacked];
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    };
  },
}));

const largestKb = (files: readonly BuiltFile[]): number =>
  Math.max(...files.map(({ gzipBytes }) => gzipBytes)) / 1000;
