/** What a run keeps in R2: all under one folder, so that it can be removed as one. */
export const runFolder = (runId: string): string => `runs/${runId}/`;

/** Headline score by sample id. */
export const scoresKey = (runId: string): string => `${runFolder(runId)}scores.json`;

/** Too large for the run's row, which every poll reads. */
export const breakdownKey = (runId: string): string => `${runFolder(runId)}breakdown.json`;

/** Throughput over the run's time. */
export const timelineKey = (runId: string): string => `${runFolder(runId)}timeline.json`;

/** Where the raw answers are: those that lanes stored, and those that came with the submission. */
export const answerPrefixes = (runId: string): readonly string[] => [
  `${runFolder(runId)}answers/`,
  `${runFolder(runId)}submitted-`,
];
