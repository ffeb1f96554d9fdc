import type { Suite } from "#shared/contracts/suite.ts";
import { noted } from "../score/summary-json.ts";
import type { ComparedFiles } from "./compare-paths.ts";

/** The comparison for programs: as `GET /v1/compare` gives it, and what only files have beside it. */
export function comparisonJson(suite: Suite, options: unknown, compared: ComparedFiles): object {
  const { comparison, files, samples, malformed, warnings, seed } = compared;
  return {
    ...comparison,
    suiteVersion: suite.version,
    options: suite.scoringOptions(options),
    seed,
    dataset: {
      ...comparison.dataset,
      samples,
      ...noted("malformed", malformed),
      ...noted("warnings", warnings),
    },
    runs: comparison.runs.map((run, i) => {
      const { missing, unscored, scored } = files[i]!;
      return { ...run, missing, unscored, prices: scored.prices };
    }),
  };
}
