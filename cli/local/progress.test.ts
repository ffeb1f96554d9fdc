import { expect, it } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { runProgress, siteProgress } from "./progress.ts";
import type { LocalSite } from "./site-builder.ts";

const aRun = (id: string, done: number, score: number | null = null) =>
  ({
    id,
    suite: "slots",
    model: { slug: `demo/${id}` },
    status: score === null ? "running" : "finished",
    statusReason: null,
    phase: "answering",
    judging: null,
    headline: "f1",
    metrics: score === null ? null : { f1: { value: score } },
    progress: { total: 10, done, failed: 0 },
    finishedAt: score === null ? null : "2026-01-01T00:00:00Z",
  }) as unknown as Run;

it("runProgress() without a terminal prints a line after changes and at intervals", () => {
  let text = "";
  let time = 0;
  const output = { write: (more: string) => (text += more) };
  const progress = runProgress(output, () => time);
  const shown = (atMs: number, ...runs: Run[]) => {
    text = "";
    time = atMs;
    progress.show(runs);
    return text;
  };
  expect(shown(0, aRun("a", 0), aRun("b", 0))).toBe("  0/20 samples, 0/2 runs finished\n");
  expect(shown(1_000, aRun("a", 2), aRun("b", 0))).toBe("");
  expect(shown(5_000, aRun("a", 3), aRun("b", 0))).toBe("  3/20 samples, 0/2 runs finished\n");
  // Nothing has changed.
  expect(shown(12_000, aRun("a", 3), aRun("b", 0))).toBe("");
  expect(shown(35_000, aRun("a", 3), aRun("b", 0))).toBe("  3/20 samples, 0/2 runs finished\n");
  expect(shown(36_000, aRun("a", 10, 0.5), aRun("b", 1))).toBe(
    "  demo/a  10/10 samples  score 0.500\n",
  );
  // Printed only once.
  expect(shown(37_000, aRun("a", 10, 0.5), aRun("b", 2))).toBe("");
  progress.stop();
});

it("siteProgress() prints when the site is built and how long it took", async () => {
  let text = "";
  const output = { write: (more: string) => (text += more) };
  const site = { pages: 3, built: async () => true } as LocalSite;
  expect(await siteProgress(site, output)).toBe(true);
  expect(text).toBe("Building the site …\nThe site is built (0 s).\n");
});
