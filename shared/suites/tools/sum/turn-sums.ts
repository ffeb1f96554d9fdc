import type { SampleScore } from "../../../contracts/suite.ts";
import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { addBinned, binnedPercentile, type LogBins, noBins } from "../../../stats/sums/log-bins.ts";
import type { ToolsDetail } from "../score/score.ts";
import { type TurnFailure, type TurnScore, turnFailures } from "../turns/score-turns.ts";
import type { TurnFigures } from "./breakdown.ts";

/** Sums over the conversations that have a turn. */
interface TurnSums {
  n: number;
  right: number;
  f1: number;
  requests: number;
  latency: LogBins;
  input: { n: number; sum: number };
  output: { n: number; sum: number };
  failures: Record<TurnFailure, number>;
}

/** The state of a run; with samples of several turns also sums by turn, at most 50. */
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
      input: { n: 0, sum: 0 },
      output: { n: 0, sum: 0 },
      failures: { ...noFailures },
    };
    addTurn(state.turns[i], turn);
  }
  return state;
}

function addTurn(sums: TurnSums, turn: TurnScore): void {
  const { failure, f1, steps, latencyMs, inputTokens, outputTokens } = turn;
  sums.n++;
  sums.right += +(failure === null);
  sums.f1 += f1;
  sums.requests += steps;
  if (latencyMs !== null) addBinned(sums.latency, latencyMs);
  addKnown(sums.input, inputTokens);
  addKnown(sums.output, outputTokens);
  if (failure !== null) sums.failures[failure]++;
}

function addKnown(into: { n: number; sum: number }, value: number | null): void {
  if (value === null) return;
  into.n++;
  into.sum += value;
}

const mean = ({ n, sum }: { n: number; sum: number }) => (n === 0 ? null : sum / n);

/**
 * Figures of each turn: means, and the median of its latency, which is within 0.1%.
 * @example turnFigures(state.turns)[0]?.turn // 1
 */
export const turnFigures = (turns: readonly TurnSums[] = []): TurnFigures[] =>
  turns.map(({ n, right, f1, requests, latency, input, output, failures }, i) => ({
    turn: i + 1,
    n,
    right,
    f1: f1 / n,
    requests: requests / n,
    latencyP50: latency.n === 0 ? null : binnedPercentile(latency, 0.5),
    inputTokens: mean(input),
    outputTokens: mean(output),
    failures,
  }));
