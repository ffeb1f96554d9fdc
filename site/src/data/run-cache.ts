import { type Run, runSchema } from "#shared/contracts/run.ts";
import { type Highlights, highlightsSchema } from "#shared/contracts/run-report.ts";
import { dropJson, hasJson, keepJson, keptJson } from "./json-cache.ts";

type RunKey = Pick<Run, "id" | "finishedAt" | "scoringVersion">;

/** A finished run is immutable until it is scored anew, so both name it. */
const nameOf = ({ id, finishedAt, scoringVersion }: RunKey): string =>
  `${id}-${finishedAt}-${scoringVersion}`;

const highlightsOf = (key: RunKey): string => `highlights-${nameOf(key)}`;

export async function keptRun(dir: string, key: RunKey): Promise<Run | null> {
  return key.finishedAt === null ? null : keptJson(dir, nameOf(key), runSchema);
}

export async function keepRun(dir: string, run: Run): Promise<void> {
  if (run.finishedAt !== null) await keepJson(dir, nameOf(run), run);
}

export const keptHighlights = (dir: string, key: RunKey): Promise<Highlights | null> =>
  keptJson(dir, highlightsOf(key), highlightsSchema);

export const hasHighlights = (dir: string, key: RunKey): Promise<boolean> =>
  hasJson(dir, highlightsOf(key));

export const keepHighlights = (dir: string, key: RunKey, its: Highlights): Promise<void> =>
  keepJson(dir, highlightsOf(key), its);

/** Raw answers that were removed by age are kept nowhere. */
export const dropHighlights = (dir: string, key: RunKey): Promise<void> =>
  dropJson(dir, highlightsOf(key));
