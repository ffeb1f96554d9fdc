import type { TurnStep } from "../../../contracts/answer.ts";
import { deepEquals } from "../../../measures/matching/deep-equals.ts";
import type { ToolsOptions } from "../options.ts";
import { type CallScore, callScore, type PredictedCall } from "../score/match-calls.ts";
import { openWorld, type World } from "../world/world.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { callsOf, resultOf, type ToolMode } from "./follow.ts";
import { likeliestCall, stateFlaw } from "./truth.ts";

/** Failures of a turn, in order of precedence. */
export const turnFailures = ["steps", "ended", "empty", "state", "results", "calls"] as const;
export type TurnFailure = (typeof turnFailures)[number];

/** The scoring of one turn. */
export interface TurnScore {
  f1: number;
  expected: number;
  predicted: number;
  matched: number;
  /** Whether the state after the turn is as expected, and whether all expected results occurred; null: not checked. */
  state: boolean | null;
  results: boolean | null;
  /** Null: the turn is right. */
  failure: TurnFailure | null;
  steps: number;
  /** Sums over its requests; null if a value is unknown. */
  latencyMs: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Cached input tokens and reasoning tokens, which are included above; missing if not reported. */
  cachedTokens?: number;
  reasoningTokens?: number;
}

/** A turn with its calls and how they match. */
export interface ScoredTurn {
  score: TurnScore;
  calls: PredictedCall[];
  leftOut: number;
  matching: CallScore;
}

type Options = Pick<ToolsOptions, "strictArguments" | "textRules">;

/**
 * Scores a conversation turn by turn. The made and the expected calls run in separate worlds. After a turn with
 * expected calls both worlds must have the same state, and the results so far must contain the results of the turn's
 * expected calls, in any order. Without a world all calls of the turn must match. A conversation that ended before its
 * last turn is not right. Never throws. Linear in calls, except for matching.
 * Source: docs/spec/tools.md, several turns; BFCL v4, `multi_turn_checker.py`.
 * @example scoreTurns(conversation, [[step]], "native", options)[0]?.score.failure // null
 */
export function scoreTurns(
  conversation: Conversation,
  given: readonly TurnStep[][],
  mode: ToolMode,
  options: Options,
): ScoredTurn[] {
  const check = new StateCheck(conversation);
  return conversation.turns.map((turn, i) => {
    const steps = given[i] ?? [];
    const { calls, leftOut } = allCalls(steps, mode);
    const matching = callScore(turn.calls, calls, leftOut, options);
    const found = check.after(turn, calls);
    const { expected, predicted, matched, f1 } = matching;
    const score = { f1, expected, predicted, matched, ...found, ...sumsOf(steps) };
    const failure = failureOf(score, endOf(conversation, given, i, mode), conversation.world);
    return { score: { ...score, failure }, calls, leftOut, matching };
  });
}

function allCalls(steps: readonly TurnStep[], mode: ToolMode) {
  const read = steps.map((step) => callsOf(step, mode));
  return {
    calls: read.flatMap(({ calls }) => calls),
    leftOut: read.reduce((sum, one) => sum + one.leftOut, 0),
  };
}

/** Compares the world of the made calls with the world of the expected ones, turn by turn. */
class StateCheck {
  readonly #made: World | null;
  readonly #right: World | null;
  /** All results so far: a call of an earlier turn need not be made again. */
  readonly #results: string[] = [];

  constructor({ world }: Conversation) {
    this.#made = world && openWorld(world);
    this.#right = world && openWorld(world);
  }

  after(turn: Turn, calls: readonly PredictedCall[]): Pick<TurnScore, "state" | "results"> {
    const [made, right] = [this.#made, this.#right];
    if (made === null || right === null) return { state: null, results: null };
    for (const call of calls) this.#results.push(resultOf(made, call));
    const wanted = turn.calls.map((call) => resultOf(right, likeliestCall(call)));
    const isChecked = turn.calls.length > 0 || turn.state !== null;
    if (!isChecked) return { state: null, results: null };
    const state =
      turn.state === null
        ? deepEquals(right.state(), made.state())
        : stateFlaw(turn.state, made.state()) === null;
    return { state, results: contains(this.#results, wanted) };
  }
}

/** Whether `given` contains every wanted text, as often as it is wanted. */
function contains(given: readonly string[], wanted: readonly string[]): boolean {
  const left = [...given];
  return wanted.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** How a conversation ended in a turn before the last turn was complete; null if it continued. */
function endOf(
  { turns, maxSteps }: Conversation,
  given: readonly TurnStep[][],
  i: number,
  mode: ToolMode,
): "steps" | "ended" | null {
  if (i >= given.length) return "ended";
  if (i < given.length - 1) return null;
  const steps = given[i]!;
  const last = steps.at(-1);
  const isCalling = last !== undefined && callsOf(last, mode).calls.length > 0;
  // Recorded conversations may lack the text after the last call.
  if (given.length === turns.length && steps.length < maxSteps) return null;
  if (isCalling && steps.length >= maxSteps) return "steps";
  return given.length < turns.length ? "ended" : null;
}

function failureOf(
  { expected, predicted, state, results, f1 }: Omit<TurnScore, "failure">,
  end: "steps" | "ended" | null,
  world: Conversation["world"],
): TurnFailure | null {
  if (end !== null) return end;
  if (expected > 0 && predicted === 0) return "empty";
  if (world === null) return f1 === 1 ? null : "calls";
  if (state === false) return "state";
  return results === false ? "results" : null;
}

function sumsOf(steps: readonly TurnStep[]) {
  const sum = (of: (step: TurnStep) => number | null) =>
    steps.length === 0 || steps.some((step) => of(step) === null)
      ? null
      : steps.reduce((total, step) => total + of(step)!, 0);
  const cachedTokens = sum((step) => step.cachedTokens ?? 0);
  const reasoningTokens = sum((step) => step.reasoningTokens ?? 0);
  return {
    steps: steps.length,
    latencyMs: sum(({ latencyMs }) => latencyMs),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(cachedTokens && { cachedTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  };
}
