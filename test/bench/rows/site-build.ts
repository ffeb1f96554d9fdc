import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "../bench.ts";

const models = 100;

/** The site of many models on every suite, built from results that are made for it. */
export const siteBuild: Bench = {
  once: true,
  rows: [
    {
      name: "site/build",
      what: `build of the site, ${models} models on every suite`,
      unit: "s",
      target: { atMost: 30, words: "≤ 30 s" },
    },
  ],
  prepare({ scale }) {
    return async () => {
      // The service and what simulates models are much to load, and no other bench needs them.
      const { writeSnapshot } = await import("../../demo-snapshot/write-snapshot.ts");
      const { builtSite } = await import("../../demo-snapshot/built-site.ts");
      const { buildFolder } = await import("../../browser/support/build-site.ts");
      const dir = await buildFolder();
      try {
        await writeSnapshot({ dir, models: Math.max(2, Math.round(models * scale)) }, () => {});
        return [(await builtSite(dir, join(dir, "site"))).seconds];
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    };
  },
};
