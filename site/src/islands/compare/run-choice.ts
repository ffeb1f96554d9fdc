import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";

export interface RunChoice {
  run: string;
  /** Rank on its board; null: not ranked, or on no board. */
  rank: number | null;
  model: Pick<Run["model"], "name" | "slug" | "simulated">;
  provenance: Run["provenance"];
  headline: Estimate | null;
}

/** What runs must have in common to be compared. */
export type RunTraits = ReturnType<typeof runTraits>;

type Listed = Omit<RunChoice, "rank"> & Partial<Pick<RunChoice, "rank">>;

const choiceOf = ({ run, rank = null, model, provenance, headline }: Listed): RunChoice => ({
  run,
  rank,
  model,
  provenance,
  headline,
});

export const boardChoices = ({ entries }: Pick<Leaderboard, "entries">): RunChoice[] =>
  entries.map(choiceOf);

export const comparedChoices = ({ runs }: Pick<Comparison, "runs">): RunChoice[] =>
  runs.map(choiceOf);

export const runChoice = ({ id, model, provenance, metrics, headline }: Run): RunChoice =>
  choiceOf({ run: id, model, provenance, headline: metrics?.[headline] ?? null });

type Board = Pick<
  Leaderboard,
  "suite" | "dataset" | "scoringVersion" | "promptHash" | "structuredOutput" | "repeats"
>;

export const boardTraits = (board: Board): RunTraits => ({
  suite: board.suite,
  dataset: board.dataset.name,
  "dataset version": board.dataset.version,
  "scoring version": board.scoringVersion,
  prompt: board.promptHash,
  "structured-output mode": board.structuredOutput,
  repeats: board.repeats,
});

/** The mode is equal for suites that have none. */
const modeOf = ({ structuredOutput }: Run["options"]): string =>
  typeof structuredOutput === "string" ? structuredOutput : "none";

export const runTraits = (run: Run) => ({
  suite: run.suite,
  dataset: run.dataset.name,
  "dataset version": run.dataset.version,
  "scoring version": run.scoringVersion,
  prompt: run.promptHash,
  "structured-output mode": modeOf(run.options),
  repeats: Number(run.options["repeats"] ?? 1),
});

/** Why a run is not comparable with runs that have these traits; null if it is. */
export function whyNotComparable(run: Run, others: RunTraits | null): string | null {
  if (run.status !== "finished") {
    return `Run ${run.id} is ${run.status}; only finished runs can be compared.`;
  }
  if (others === null) return null;
  const own = runTraits(run);
  const names = Object.keys(own) as (keyof RunTraits)[];
  const different = names.filter((name) => own[name] !== others[name]);
  if (different.length === 0) return null;
  return `Run ${run.id} can't be compared with these runs: it differs in ${different.join(", ")}.`;
}
