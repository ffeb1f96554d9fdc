import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Comparison, comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import type { ListedSweep } from "#shared/contracts/boards/snapshot.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Run } from "#shared/contracts/run.ts";
import { type Highlights, highlightsSchema } from "#shared/contracts/run-report.ts";
import { type Sweep, sweepSchema } from "#shared/contracts/submissions/sweep.ts";
import type { ComparisonRequest } from "./boards/comparison-request.ts";

const fileOf = (dir: string, name: string): string =>
  join(dir, `${name.replace(/[^A-Za-z0-9._-]/g, "_")}.json`);

/** What was kept under a name between builds; null where nothing is that fits its schema. */
export async function keptJson<T>(
  dir: string,
  name: string,
  schema: { parse(value: unknown): T },
): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(fileOf(dir, name), "utf8")));
  } catch {
    // Missing, cut short by a killed build, or of an older contract: fetched again.
    return null;
  }
}

/** Whether anything is kept under a name, whatever it is. */
const hasJson = (dir: string, name: string): Promise<boolean> =>
  access(fileOf(dir, name)).then(
    () => true,
    () => false,
  );

/** Keeps a value for the next build. */
export async function keepJson(dir: string, name: string, value: unknown): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = fileOf(dir, name);
  await writeFile(`${file}.part`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** Forgets what is kept under a name, if anything is. */
const dropJson = (dir: string, name: string): Promise<void> =>
  rm(fileOf(dir, name), { force: true });

/** Forgets whatever is kept under names that begin so, but for some of them. */
export async function dropOthers(
  dir: string,
  prefix: string,
  names: ReadonlySet<string>,
): Promise<void> {
  const wanted = new Set([...names].map((name) => fileOf(dir, name)));
  const begin = fileOf(dir, prefix).slice(0, -".json".length);
  const files = (await readdir(dir).catch(() => [])).map((file) => join(dir, file));
  const others = files.filter((file) => file.startsWith(begin) && !wanted.has(file));
  await Promise.all(others.map((file) => rm(file, { force: true })));
}

/** Of many runs at once, whose ids would be too long for a file's name. */
const nameOf = ({ runs }: ComparisonRequest): string =>
  `comparison-${contentHash(runs).slice(0, 32)}`;

export const keptComparison = (
  dir: string,
  request: ComparisonRequest,
): Promise<Comparison | null> => keptJson(dir, nameOf(request), comparisonSchema);

export const keepComparison = (
  dir: string,
  request: ComparisonRequest,
  comparison: Comparison,
): Promise<void> => keepJson(dir, nameOf(request), comparison);

type RunKey = Pick<Run, "id" | "finishedAt" | "scoringVersion">;

/** A finished run is immutable until it is scored again, so both are part of the name. */
const highlightsName = ({ id, finishedAt, scoringVersion }: RunKey): string =>
  `highlights-${id}-${finishedAt}-${scoringVersion}`;

export const keptHighlights = (dir: string, key: RunKey): Promise<Highlights | null> =>
  keptJson(dir, highlightsName(key), highlightsSchema);

export const hasHighlights = (dir: string, key: RunKey): Promise<boolean> =>
  hasJson(dir, highlightsName(key));

export const keepHighlights = (dir: string, key: RunKey, its: Highlights): Promise<void> =>
  keepJson(dir, highlightsName(key), its);

/** Raw answers that were removed by age are kept nowhere. */
export const dropHighlights = (dir: string, key: RunKey): Promise<void> =>
  dropJson(dir, highlightsName(key));

/** A sweep whose runs have ended is immutable until one is asked or scored again: the hash says so. */
const sweepName = ({ submission, hash }: ListedSweep): string => `sweep-${submission}-${hash}`;

export const keptSweep = (dir: string, listed: ListedSweep): Promise<Sweep | null> =>
  keptJson(dir, sweepName(listed), sweepSchema);

export const keepSweep = (dir: string, listed: ListedSweep, sweep: Sweep): Promise<void> =>
  keepJson(dir, sweepName(listed), sweep);
