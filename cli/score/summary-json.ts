import type { Suite } from "#shared/contracts/suite.ts";
import type { RowNotes } from "../files/row-notes.ts";
import type { ScoredFiles } from "./score-files.ts";

/** The summary for programs: every aggregate, in the format of the API's run. */
export function summaryJson(suite: Suite, scored: ScoredFiles): object {
  const {
    options,
    samples,
    repeats,
    missing,
    unscored,
    malformed,
    warnings,
    answerWarnings,
    runId,
    prices,
    summary,
  } = scored;
  return {
    suite: suite.id,
    suiteVersion: suite.version,
    dataset: { samples, ...notesJson("malformed", malformed), ...notesJson("warnings", warnings) },
    answers: {
      wanted: samples * repeats,
      missing,
      unscored,
      ...notesJson("warnings", answerWarnings),
    },
    options: suite.scoringOptions(options),
    prices,
    seed: runId,
    headline: suite.headline,
    catalogue: catalogue(suite),
    metrics: summary.metrics,
    breakdown: summary.breakdown,
  };
}

/** Only the first notes of a long list are stored; the count includes all. */
export function notesJson(name: string, notes: RowNotes): object {
  return { [name]: notes.kept, [`${name}Count`]: notes.count };
}

/** Label and unit of each metric; `ratio` is 0–1, `level` 1–5. */
function catalogue({ metrics }: Suite): object {
  return Object.fromEntries(
    metrics.map(({ id, label, unit, better }) => [id, { label, unit, better }]),
  );
}
