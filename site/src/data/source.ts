import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Comparison, comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import { type ReadSnapshot, readAs, readSnapshot } from "#shared/contracts/boards/read-snapshot.ts";
import {
  type ListedSweep,
  type Snapshot,
  snapshotSchema,
} from "#shared/contracts/boards/snapshot.ts";
import {
  type ListedRun,
  type Run,
  runSchema,
  type SamplePage,
  samplePageSchema,
} from "#shared/contracts/run.ts";
import { type Highlight, highlightsSchema } from "#shared/contracts/run-report.ts";
import { type Sweep, sweepSchema } from "#shared/contracts/submissions/sweep.ts";
import type { TagFigure } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import type { ComparisonRequest } from "./boards/comparison-request.ts";
import { Gone, getJson, getWhenReady } from "./get-json.ts";
import {
  comparisonCache,
  dropOthers,
  highlightsCache,
  keepText,
  objectCache,
  samplesCache,
  sweepCache,
} from "./json-cache.ts";
import { build, knowDigest } from "./render-cache.ts";
import type { Settings } from "./settings.ts";

/** The source of a build's results: an API, a folder, or nothing yet. */
interface Source {
  snapshot(): Promise<Snapshot>;
  /** A run with everything that its page shows. */
  run(listed: ListedRun): Promise<Run>;
  /** Identifies the state of a published run. */
  nameOf(listed: ListedRun): string;
  /** A run's headline by the values of its samples' tags. */
  tagFigures(listed: ListedRun): Promise<readonly TagFigure[]>;
  /** Interesting answers of a run; none if none are stored, or they are too long to read. */
  highlights(run: Run): Promise<readonly Highlight[]>;
  /** Whether a run's highlights could not be read. */
  lacksHighlights(id: string): boolean;
  /** Preloads the highlights of a run. */
  fetchAhead(run: Run): Promise<void>;
  /** The first samples of a run, the lowest scores first; null if they could not be read. */
  samples(run: ListedRun): Promise<SamplePage | null>;
  /** A sweep; null if it no longer exists. */
  sweep(listed: ListedSweep): Promise<Sweep | null>;
  /** The runs of a board compared with one another; null if there is none, which the site tolerates. */
  comparison(request: ComparisonRequest): Promise<Comparison | null>;
}

/** The same as the API's snapshot before its first publication. */
export const emptySnapshot: Snapshot = {
  hash: "0",
  createdAt: "1970-01-01T00:00:00Z",
  boards: [],
  datasets: [],
  runs: [],
  canaries: [],
  sweeps: [],
  parities: [],
  drifts: [],
  datasetChanges: [],
  republications: [],
};

const noParts = { breakdown: null, timeline: null, points: null };

/** The cached part of a run, without the data of its own page. */
interface Summary {
  run: Run;
  tags: readonly TagFigure[];
}

const summaryOf = (run: Run): Summary => ({
  run: { ...run, ...noParts },
  tags: suiteById(run.suite)?.tagFigures?.(run.breakdown, run.headline) ?? [],
});

export function openSource(settings: Settings): Source {
  if (settings.snapshotDir) return folderSource(settings.snapshotDir);
  if (settings.origin) return apiSource(settings.origin, settings.cacheDir);
  return {
    snapshot: async () => emptySnapshot,
    run: async (listed) => ({ ...listed, ...noParts }),
    nameOf: ({ id }) => id,
    tagFigures: async () => [],
    highlights: async () => [],
    lacksHighlights: () => false,
    fetchAhead: async () => undefined,
    samples: async () => null,
    sweep: async () => null,
    comparison: async () => null,
  };
}

function folderSource(dir: string): Source {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(dir, path), "utf8"));
  const run = async ({ id }: Pick<Run, "id">) => runSchema.parse(await read(`runs/${id}.json`));
  return {
    snapshot: async () => snapshotSchema.parse(await read("snapshot.json")),
    run,
    nameOf: ({ id }) => id,
    tagFigures: async (listed) => summaryOf(await run(listed)).tags,
    lacksHighlights: () => false,
    highlights: async ({ id }) => {
      const found = await orNothing(`highlights of run ${id}`, async () =>
        highlightsSchema.parse(await read(`highlights/${id}.json`)),
      );
      return found?.samples ?? [];
    },
    fetchAhead: async () => undefined,
    samples: async ({ id }) =>
      orNothing(`samples of run ${id}`, async () =>
        samplePageSchema.parse(await read(`samples/${id}.json`)),
      ),
    sweep: async ({ submission }) => sweepSchema.parse(await read(`sweeps/${submission}.json`)),
    comparison: async ({ board }) =>
      orNothing(`comparison of board ${board}`, async () =>
        comparisonSchema.parse(await read(`comparisons/${board}.json`)),
      ),
  };
}

/** Path of snapshot objects, which are cached across builds because they never change. */
const OBJECTS = "/v1/snapshot/";

/** Attempts to read a snapshot that changes meanwhile; little of it is new each time. */
const SNAPSHOT_TRIES = 3;

/**
 * Maximum runs that a site lists, the newest ones. It has pages for them up to its limit of files; another page shows
 * any run from the API.
 */
const MOST_RUNS = 20_000;

/** Maximum bytes of a run's answers that a build reads; eight answers of maximum length are larger. */
const MOST_HIGHLIGHT_BYTES = 16 * 1024 * 1024;

function apiSource(origin: string, cacheDir: string): Source {
  const used = new Set<string>();
  /** Runs whose highlights could not be read; tried and reported only once. */
  const without = new Set<string>();
  const highlights = async (run: Run): Promise<readonly Highlight[]> => {
    if (without.has(run.id)) return [];
    const found = await orNothing(`highlights of run ${run.id}`, () =>
      highlightsFrom(origin, cacheDir, run),
    );
    if (found === null) without.add(run.id);
    return found ?? [];
  };
  let runPaths: ReadonlyMap<string, string> = new Map();
  const summaries = new Map<string, Summary>();
  const pathOf = ({ id }: Pick<Run, "id">): string => {
    const path = runPaths.get(id);
    if (path === undefined) throw new Error(`run ${id} is not in the snapshot`);
    return path;
  };
  const getObject = (path: string): Promise<unknown> =>
    objectCache.read(cacheDir, path, () => {
      build.read += 1;
      return getJson(`${origin}${path}`);
    });
  const get = async (path: string): Promise<unknown> => {
    if (!path.startsWith(OBJECTS)) return getJson(`${origin}${path}`);
    used.add(path);
    return getObject(path);
  };
  // Summaries of earlier builds of this code match its schema.
  const getRun = async (path: string): Promise<Run> => {
    used.add(path);
    const summary = summaries.get(path) ?? summaryOf(await readAs(runSchema, getObject, path));
    summaries.set(path, summary);
    return summary.run;
  };
  const take = (read: ReadSnapshot): void => {
    runPaths = read.runPaths;
    // The path of an object identifies its content.
    for (const run of read.snapshot.runs) knowDigest(run, pathOf(run));
  };
  return {
    async snapshot() {
      for (const [path, summary] of await keptSummaries(cacheDir)) summaries.set(path, summary);
      for (let tries = 1; ; tries++) {
        try {
          const read = await readSnapshot(get, MOST_RUNS, getRun);
          take(read);
          await dropOthers(cacheDir, OBJECTS, used);
          const unused = [...summaries.keys()].filter((path) => !used.has(path));
          for (const path of unused) summaries.delete(path);
          await keepSummaries(cacheDir, summaries);
          build.objects = used.size;
          return read.snapshot;
        } catch (error) {
          if (!(error instanceof Gone) || tries === SNAPSHOT_TRIES) throw error;
        }
      }
    },
    run: async (listed) => runSchema.parse(await getObject(pathOf(listed))),
    nameOf: pathOf,
    tagFigures: async (listed) => summaries.get(pathOf(listed))?.tags ?? [],
    highlights,
    lacksHighlights: (id) => without.has(id),
    fetchAhead: async (run) => {
      const isThere = run.answersRemovedAt === null && (await highlightsCache.has(cacheDir, run));
      if (!isThere) await highlights(run);
    },
    samples: async (run) =>
      orNothing(`samples of run ${run.id}`, () =>
        samplesCache.read(cacheDir, run, () =>
          getWhenReady(`${origin}${firstSamplesPath(run)}`, MOST_SAMPLE_BYTES),
        ),
      ),
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

/** Maximum bytes of a page of samples; usually 30 kB. */
const MOST_SAMPLE_BYTES = 1024 * 1024;

/** Maximum samples of a run that can be sorted. */
const MOST_SORTED = 20_000;

function firstSamplesPath({ id, progress }: ListedRun): string {
  const order = progress.total > MOST_SORTED ? "seq" : "score";
  return `/v1/runs/${encodeURIComponent(id)}/samples?order=${order}&limit=50&look=true`;
}

async function highlightsFrom(
  origin: string,
  cacheDir: string,
  run: Run,
): Promise<readonly Highlight[] | null> {
  if (run.answersRemovedAt !== null) {
    // Deletes the cache, because raw answers that were deleted by age must not exist anywhere.
    await highlightsCache.drop(cacheDir, run);
    return [];
  }
  if (!run.points?.picks.length) return [];
  const url = `${origin}/v1/runs/${encodeURIComponent(run.id)}/highlights`;
  const found = await highlightsCache.read(cacheDir, run, () =>
    getWhenReady(url, MOST_HIGHLIGHT_BYTES),
  );
  return found?.samples ?? null;
}

const SUMMARIES = "run-summaries.jsonl";

/** Summaries cached by a build of the same code, by path. */
async function keptSummaries(cacheDir: string): Promise<[string, Summary][]> {
  if (build.sources === null) return [];
  try {
    const [code, ...lines] = (await readFile(join(cacheDir, SUMMARIES), "utf8")).split("\n");
    return code === build.sources ? lines.map((line) => JSON.parse(line)) : [];
  } catch {
    // Nothing was cached, or a build was killed.
    return [];
  }
}

async function keepSummaries(cacheDir: string, summaries: ReadonlyMap<string, Summary>) {
  if (build.sources === null) return;
  const lines = [...summaries].map((entry) => JSON.stringify(entry));
  await keepText(join(cacheDir, SUMMARIES), [build.sources, ...lines].join("\n"));
}

/** An optional part of pages, or null. Prints a failure, but not a missing file. */
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
