import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { type ListedSweep, type Snapshot, snapshotSchema } from "#shared/contracts/snapshot.ts";
import { type Sweep, sweepSchema } from "#shared/contracts/sweep.ts";
import { getJson } from "./get-json.ts";
import { getWhenReady } from "./get-when-ready.ts";
import { keepRun, keptRun } from "./run-cache.ts";
import type { Settings } from "./settings.ts";
import { keepSweep, keptSweep } from "./sweep-cache.ts";

/** Where a build reads results: an API, a folder, or nothing yet. */
interface Source {
  snapshot(): Promise<Snapshot>;
  /** A run with its breakdown. */
  run(listed: Snapshot["runs"][number]): Promise<Run>;
  /** A sweep; null where it is not there any more. */
  sweep(listed: ListedSweep): Promise<Sweep | null>;
}

export const emptySnapshot: Snapshot = {
  version: 1,
  hash: "",
  createdAt: "1970-01-01T00:00:00Z",
  boards: [],
  datasets: [],
  runs: [],
  canaries: [],
  sweeps: [],
};

export function openSource(settings: Settings): Source {
  if (settings.snapshotDir) return folderSource(settings.snapshotDir);
  if (settings.origin) return apiSource(settings.origin, settings.cacheDir);
  return {
    snapshot: async () => emptySnapshot,
    run: async (listed) => ({ ...listed, breakdown: null, timeline: null }),
    sweep: async () => null,
  };
}

function folderSource(dir: string): Source {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(dir, path), "utf8"));
  return {
    snapshot: async () => snapshotSchema.parse(await read("snapshot.json")),
    run: async ({ id }) => runSchema.parse(await read(`runs/${id}.json`)),
    sweep: async ({ submission }) => sweepSchema.parse(await read(`sweeps/${submission}.json`)),
  };
}

function apiSource(origin: string, cacheDir: string): Source {
  return {
    snapshot: async () => snapshotSchema.parse(await getJson(`${origin}/v1/snapshot`)),
    run: async (listed) => {
      const kept = await keptRun(cacheDir, listed);
      if (kept) return kept;
      const url = `${origin}/v1/runs/${encodeURIComponent(listed.id)}`;
      const run = runSchema.parse(await getJson(url));
      await keepRun(cacheDir, run);
      return run;
    },
    sweep: async (listed) => {
      const kept = await keptSweep(cacheDir, listed);
      if (kept) return kept;
      const id = encodeURIComponent(listed.submission);
      const found = await getWhenReady(`${origin}/v1/submissions/${id}/sweep`);
      if (found === null) return null;
      const sweep = sweepSchema.parse(found);
      await keepSweep(cacheDir, listed, sweep);
      return sweep;
    },
  };
}
