import type { SampleToShow } from "../../../contracts/suite.ts";
import type { ToolsSample } from "../sample.ts";
import { type CallPair, type MatchRules, matchCalls, pairCalls } from "../score/match-calls.ts";
import type { ToolsDetail } from "../score/score.ts";
import { callsOf, type ToolMode } from "../turns/follow.ts";

type Shown = Pick<SampleToShow<ToolsSample, ToolsDetail>, "sample" | "answer"> & {
  detail: ToolsDetail;
};

/**
 * The rules by which a sample was scored. Its failures show whether surplus arguments were allowed.
 * @example rulesOf(detail).strictArguments // false
 */
export const rulesOf = (detail: Pick<ToolsDetail, "failures" | "textRules">): MatchRules => ({
  strictArguments: detail.failures.some((failure) => failure.class === "surplusArgument"),
  textRules: detail.textRules ?? "spec",
});

/**
 * How the calls of a conversation were read.
 * @example modeOf({ from: "native" }) // "native"
 */
export const modeOf = ({ from }: Pick<ToolsDetail, "from">): ToolMode =>
  from === "content" ? "prompt" : "native";

/**
 * The expected calls of a sample paired with the made ones, by turn.
 * @example callPairs({ sample, answer, detail })[0]?.how // "matched"
 */
export function callPairs({ sample, answer, detail }: Shown): CallPair[] {
  const rules = rulesOf(detail);
  const { conversation, expected_calls: expected } = sample;
  if (!conversation) {
    return pairCalls(expected, detail.calls, matchCalls(expected, detail.calls, rules));
  }
  return conversation.turns.flatMap(({ calls: wanted }, i) => {
    const steps = answer.turns?.[i] ?? [];
    const made = steps.flatMap((step) => callsOf(step, modeOf(detail)).calls);
    return pairCalls(wanted, made, matchCalls(wanted, made, rules));
  });
}
