import type { Prices } from "../../../contracts/submissions/prices.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { tokenCostUsd } from "../../../measures/performance/token-cost.ts";
import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { addBinned, binnedPercentile, type LogBins, noBins } from "../../../stats/sums/log-bins.ts";
import type { ToolsDetail } from "../score/score.ts";
import { type TurnFailure, type TurnScore, turnFailures } from "../turns/score-turns.ts";
import type { TurnFigures } from "./breakdown.ts";

/** Sums over the conversations that have this turn. */
interface TurnSums {
  n: number;
  right: number;
  f1: number;
  requests: number;
  latency: LogBins;
  /** Tokens of the turns in which all requests have counts. */
  metered: { n: number; input: number; output: number; cached: number; reasoning: number };
  failures: Record<TurnFailure, number>;
}

/** The state of a run; for samples with several turns also sums by turn, at most 50. */
export interface ToolsState extends RunState {
  turns?: TurnSums[];
}

const noFailures = Object.fromEntries(turnFailures.map((name) => [name, 0])) as Record<
  TurnFailure,
  number
>;

/**
 * Adds the turns of a scored sample, if it has any. Changes and returns `state`.
 * @example addTurns(state, scored.score).turns?.length
 */
export function addTurns(
  state: ToolsState,
  { status, detail }: Pick<SampleScore<ToolsDetail>, "status" | "detail">,
): ToolsState {
  if (status !== "scored" || detail.turns === undefined) return state;
  state.turns ??= [];
  for (const [i, turn] of detail.turns.entries()) {
    state.turns[i] ??= {
      n: 0,
      right: 0,
      f1: 0,
      requests: 0,
      latency: noBins(),
      metered: { n: 0, input: 0, output: 0, cached: 0, reasoning: 0 },
      failures: { ...noFailures },
    };
    addTurn(state.turns[i], turn);
  }
  return state;
}

function addTurn(sums: TurnSums, turn: TurnScore): void {
  const { failure, f1, steps, latencyMs } = turn;
  sums.n++;
  sums.right += +(failure === null);
  sums.f1 += f1;
  sums.requests += steps;
  if (latencyMs !== null) addBinned(sums.latency, latencyMs);
  addMetered(sums.metered, turn);
  if (failure !== null) sums.failures[failure]++;
}

function addMetered(into: TurnSums["metered"], turn: TurnScore): void {
  const { inputTokens, outputTokens, cachedTokens = 0, reasoningTokens = 0 } = turn;
  if (inputTokens === null || outputTokens === null) return;
  into.n++;
  into.input += inputTokens;
  into.output += outputTokens;
  into.cached += cachedTokens;
  into.reasoning += reasoningTokens;
}

/** Mean tokens of a turn, and their cost in USD; null if unknown. */
function meansOf({ n, input, output, ...apart }: TurnSums["metered"], prices: Prices | null) {
  const mean = (sum: number) => (n === 0 ? null : sum / n);
  return {
    inputTokens: mean(input),
    outputTokens: mean(output),
    costUsd: prices && mean(tokenCostUsd(input, output, prices, { ...apart, audio: 0 })),
  };
}

/**
 * Figures of each turn: means, and the median latency within 0.1%. Costs are in USD, null without prices.
 * @example turnFigures(state.turns, null)[0]?.turn // 1
 */
export const turnFigures = (
  turns: readonly TurnSums[] | undefined,
  prices: Prices | null,
): TurnFigures[] =>
  (turns ?? []).map(({ n, right, f1, requests, latency, metered, failures }, i) => ({
    turn: i + 1,
    n,
    right,
    f1: f1 / n,
    requests: requests / n,
    latencyP50: latency.n === 0 ? null : binnedPercentile(latency, 0.5),
    ...meansOf(metered, prices),
    failures,
  }));
