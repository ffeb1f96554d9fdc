import type { Run } from "#shared/contracts/run.ts";
import { type Highlights, highlightsSchema } from "#shared/contracts/run-report.ts";
import { dropJson, hasJson, keepJson, keptJson } from "./json-cache.ts";

type RunKey = Pick<Run, "id" | "finishedAt" | "scoringVersion">;

/** A finished run is immutable until it is scored anew, so both name what is kept of it. */
const nameOf = ({ id, finishedAt, scoringVersion }: RunKey): string =>
  `highlights-${id}-${finishedAt}-${scoringVersion}`;

export const keptHighlights = (dir: string, key: RunKey): Promise<Highlights | null> =>
  keptJson(dir, nameOf(key), highlightsSchema);

export const hasHighlights = (dir: string, key: RunKey): Promise<boolean> =>
  hasJson(dir, nameOf(key));

export const keepHighlights = (dir: string, key: RunKey, its: Highlights): Promise<void> =>
  keepJson(dir, nameOf(key), its);

/** Raw answers that were removed by age are kept nowhere. */
export const dropHighlights = (dir: string, key: RunKey): Promise<void> =>
  dropJson(dir, nameOf(key));
