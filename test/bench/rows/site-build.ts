import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "../bench.ts";

const SUITES = 5;

/** The site of some models on every suite, built from results that are made for it. */
export const siteBuild: readonly Bench[] = [1, 20, 100].map((models) => ({
  once: true,
  rows: [
    {
      name: `site/build-${models}`,
      what: `build of the whole site, ${models} × ${SUITES} runs`,
      unit: "s",
      ...(models === 100 && { target: { atMost: 30, words: "100 models × 5 suites in ≤ 30 s" } }),
    },
    { name: `site/rebuild-${models}`, what: "the same once more, as after a new run", unit: "s" },
    { name: `site/largest-${models}`, what: "its largest page, gzip", unit: "kB" },
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
        const largest = Math.max(...pages.map(({ gzipBytes }) => gzipBytes));
        return [first.seconds, again.seconds, largest / 1000];
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    };
  },
}));
