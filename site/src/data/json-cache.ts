import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import type { ListedSweep } from "#shared/contracts/boards/snapshot.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import { type Run, samplePageSchema } from "#shared/contracts/run.ts";
import { highlightsSchema } from "#shared/contracts/run-report.ts";
import { sweepSchema } from "#shared/contracts/submissions/sweep.ts";
import type { ComparisonRequest } from "./boards/comparison-request.ts";

const fileOf = (dir: string, name: string): string =>
  join(dir, `${name.replace(/[^A-Za-z0-9._-]/g, "_")}.json`);

/** The value cached by an earlier build; null if there is none that fits its schema. */
async function keptJson<T>(file: string, schema: { parse(value: unknown): T }): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    // Missing, truncated by a killed build, or of an older contract: read again.
    return null;
  }
}

/** Writes a text atomically. */
export async function keepText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** Cached values of one kind in a folder, each under its own name. */
function cacheOf<Key, Value>(
  schema: { parse(value: unknown): Value },
  nameOf: (key: Key) => string,
) {
  const pathOf = (dir: string, key: Key) => fileOf(dir, nameOf(key));
  return {
    /** The cached value; without one, reads and caches it. Null if it does not exist. */
    async read(dir: string, key: Key, readNow: () => Promise<unknown>): Promise<Value | null> {
      const kept = await keptJson(pathOf(dir, key), schema);
      if (kept !== null) return kept;
      const found = await readNow();
      if (found === null) return null;
      const value = schema.parse(found);
      await keepText(pathOf(dir, key), JSON.stringify(value));
      return value;
    },
    /** Whether a value with this name is cached. */
    has: (dir: string, key: Key): Promise<boolean> =>
      access(pathOf(dir, key)).then(
        () => true,
        () => false,
      ),
    drop: (dir: string, key: Key): Promise<void> => rm(pathOf(dir, key), { force: true }),
  };
}

/** Deletes cached values with this prefix, except some. */
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

export const objectCache = cacheOf({ parse: (value) => value }, (path: string) => path);

/** The name is a hash, because the ids of many runs would be too long for a file name. */
export const comparisonCache = cacheOf(
  comparisonSchema,
  ({ runs }: ComparisonRequest) => `comparison-${contentHash(runs).slice(0, 32)}`,
);

type Scored = Pick<Run, "id" | "finishedAt" | "scoringVersion">;

/** Part of a name that identifies a finished run's state: it changes only if the run ends again or is rescored. */
const stateOf = ({ id, finishedAt, scoringVersion }: Scored): string =>
  `${id}-${finishedAt}-${scoringVersion}`;

export const highlightsCache = cacheOf(
  highlightsSchema,
  (run: Scored) => `highlights-${stateOf(run)}`,
);

export const samplesCache = cacheOf(samplePageSchema, (run: Scored) => `samples-${stateOf(run)}`);

/** A sweep of ended runs changes only if one is retried or rescored, which changes the hash. */
export const sweepCache = cacheOf(
  sweepSchema,
  ({ submission, hash }: ListedSweep) => `sweep-${submission}-${hash}`,
);
