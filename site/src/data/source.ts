import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Comparison, comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import { readSnapshot } from "#shared/contracts/boards/read-snapshot.ts";
import {
  type ListedSweep,
  type Snapshot,
  snapshotSchema,
} from "#shared/contracts/boards/snapshot.ts";
import { type ListedRun, type Run, runSchema } from "#shared/contracts/run.ts";
import { type Highlight, highlightsSchema } from "#shared/contracts/run-report.ts";
import { type Sweep, sweepSchema } from "#shared/contracts/submissions/sweep.ts";
import type { ComparisonRequest } from "./boards/comparison-request.ts";
import { Gone, getJson, getWhenReady } from "./get-json.ts";
import {
  comparisonCache,
  dropOthers,
  highlightsCache,
  objectCache,
  sweepCache,
} from "./json-cache.ts";
import type { Settings } from "./settings.ts";

/** Where a build reads results: an API, a folder, or nothing yet. */
interface Source {
  snapshot(): Promise<Snapshot>;
  /** A run with all that is drawn of it. */
  run(listed: ListedRun): Promise<Run>;
  /** Answers of a run that are worth a look; none where none are kept, or where they are too long to be read. */
  highlights(run: Run): Promise<readonly Highlight[]>;
  /** Has the highlights of a run at hand for when they are wanted. */
  fetchAhead(run: Run): Promise<void>;
  /** A sweep; null where it is not there any more. */
  sweep(listed: ListedSweep): Promise<Sweep | null>;
  /** The runs of a board compared with one another; null where there is none: the site does without. */
  comparison(request: ComparisonRequest): Promise<Comparison | null>;
}

export const emptySnapshot: Snapshot = {
  hash: "",
  createdAt: "1970-01-01T00:00:00Z",
  boards: [],
  datasets: [],
  runs: [],
  canaries: [],
  sweeps: [],
  drifts: [],
  datasetChanges: [],
  republications: [],
};

export function openSource(settings: Settings): Source {
  if (settings.snapshotDir) return folderSource(settings.snapshotDir);
  if (settings.origin) return apiSource(settings.origin, settings.cacheDir);
  return {
    snapshot: async () => emptySnapshot,
    run: async (listed) => ({ ...listed, breakdown: null, timeline: null, points: null }),
    highlights: async () => [],
    fetchAhead: async () => undefined,
    sweep: async () => null,
    comparison: async () => null,
  };
}

function folderSource(dir: string): Source {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(dir, path), "utf8"));
  return {
    snapshot: async () => snapshotSchema.parse(await read("snapshot.json")),
    run: async ({ id }) => runSchema.parse(await read(`runs/${id}.json`)),
    highlights: async ({ id }) => {
      const found = await orNothing(`highlights of run ${id}`, async () =>
        highlightsSchema.parse(await read(`highlights/${id}.json`)),
      );
      return found?.samples ?? [];
    },
    fetchAhead: async () => undefined,
    sweep: async ({ submission }) => sweepSchema.parse(await read(`sweeps/${submission}.json`)),
    comparison: async ({ board }) =>
      orNothing(`comparison of board ${board}`, async () =>
        comparisonSchema.parse(await read(`comparisons/${board}.json`)),
      ),
  };
}

/** Objects of snapshots, which are kept from build to build: they never change. */
const OBJECTS = "/v1/snapshot/";

/** A snapshot that changes while it is read is read again, of which little is new. */
const SNAPSHOT_TRIES = 3;

/** Newest runs that a site has pages of; another page shows any run from the API. */
const MOST_RUNS = 10_000;

/** Answers of a run that a build reads: eight of the longest that an endpoint can give have more. */
const MOST_HIGHLIGHT_BYTES = 16 * 1024 * 1024;

function apiSource(origin: string, cacheDir: string): Source {
  const used = new Set<string>();
  /** Runs whose highlights could not be read: they are tried and reported once. */
  const without = new Set<string>();
  const highlights = async (run: Run): Promise<Highlight[]> => {
    if (without.has(run.id)) return [];
    const found = await orNothing(`highlights of run ${run.id}`, () =>
      highlightsFrom(origin, cacheDir, run),
    );
    if (found === null) without.add(run.id);
    return found ?? [];
  };
  let runPaths: ReadonlyMap<string, string> = new Map();
  const get = async (path: string): Promise<unknown> => {
    if (!path.startsWith(OBJECTS)) return getJson(`${origin}${path}`);
    used.add(path);
    return objectCache.read(cacheDir, path, () => getJson(`${origin}${path}`));
  };
  return {
    async snapshot() {
      for (let tries = 1; ; tries++) {
        try {
          const read = await readSnapshot(get, MOST_RUNS);
          runPaths = read.runPaths;
          await dropOthers(cacheDir, OBJECTS, used);
          return read.snapshot;
        } catch (error) {
          if (!(error instanceof Gone) || tries === SNAPSHOT_TRIES) throw error;
        }
      }
    },
    run: async ({ id }) => {
      const path = runPaths.get(id);
      if (path === undefined) throw new Error(`run ${id} is not in the snapshot`);
      return runSchema.parse(await get(path));
    },
    highlights,
    fetchAhead: async (run) => {
      const isThere = run.answersRemovedAt === null && (await highlightsCache.has(cacheDir, run));
      if (!isThere) await highlights(run);
    },
    sweep: async (listed) => {
      const id = encodeURIComponent(listed.submission);
      const url = `${origin}/v1/submissions/${id}/sweep`;
      return sweepCache.read(cacheDir, listed, () => getWhenReady(url));
    },
    comparison: async (request) =>
      orNothing(`comparison of board ${request.board}`, () => {
        const ids = request.runs.map(({ run }) => encodeURIComponent(run)).join(",");
        const url = `${origin}/v1/compare?runs=${ids}`;
        return comparisonCache.read(cacheDir, request, () => getWhenReady(url));
      }),
  };
}

async function highlightsFrom(origin: string, cacheDir: string, run: Run): Promise<Highlight[]> {
  if (run.answersRemovedAt !== null) {
    // Raw answers that were removed by age are kept nowhere.
    await highlightsCache.drop(cacheDir, run);
    return [];
  }
  if (!run.points?.picks.length) return [];
  const url = `${origin}/v1/runs/${encodeURIComponent(run.id)}/highlights`;
  const found = await highlightsCache.read(cacheDir, run, () =>
    getWhenReady(url, MOST_HIGHLIGHT_BYTES),
  );
  return found?.samples ?? [];
}

/** What pages can do without, or null. A failure is printed; a missing file is not. */
async function orNothing<T>(what: string, read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      console.warn(`No ${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return null;
  }
}
