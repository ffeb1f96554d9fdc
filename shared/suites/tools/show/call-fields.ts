import type { Json } from "../../../contracts/json.ts";
import type { FieldsBlock, Tone } from "../../../contracts/report.ts";
import { isTooDeep } from "../../../measures/json-output/nesting.ts";
import { cutPlace } from "../../../measures/report/shown-text.ts";
import type { ExpectedCall } from "../sample.ts";
import { argumentFailures, type FailureClass } from "../score/failures.ts";
import { matchCalls, type PredictedCall } from "../score/match-calls.ts";
import { type CallPair, pairCalls } from "../score/pair-calls.ts";
import type { ToolsDetail } from "../score/score.ts";

/** Calls side by side, and of their arguments as much as fits into a cell. */
const mostCalls = 12;
const mostArguments = 200;

const verdicts: Readonly<Record<CallPair["how"], readonly [verdict: string, tone: Tone]>> = {
  matched: ["match", "right"],
  arguments: ["wrong arguments", "other"],
  function: ["wrong function", "wrong"],
  missing: ["missed", "missed"],
  extra: ["extra", "extra"],
};

const words: Partial<Readonly<Record<FailureClass, string>>> = {
  wrongArgument: "another value",
  missingArgument: "missing",
  surplusArgument: "not expected",
};

/**
 * Expected calls beside those that were made, as they were paired, with what is wrong with the arguments.
 * @example callFields(sample.expected_calls, detail).rows[0]?.verdict // "match"
 */
export function callFields(
  expected: readonly ExpectedCall[],
  { calls, failures, predicted }: Pick<ToolsDetail, "calls" | "failures" | "predicted">,
): FieldsBlock {
  // Whether arguments beyond those expected were allowed shows in what went wrong.
  const isStrict = failures.some((failure) => failure.class === "surplusArgument");
  const pairs = pairCalls(expected, calls, matchCalls(expected, calls, isStrict));
  return {
    kind: "fields",
    title: "Expected calls and calls made",
    rows: pairs.slice(0, mostCalls).map((pair) => rowOf(pair, isStrict)),
    left: Math.max(0, pairs.length - mostCalls) + Math.max(0, predicted - calls.length),
  };
}

function rowOf(pair: CallPair, isStrict: boolean): FieldsBlock["rows"][number] {
  const [verdict, tone] = verdicts[pair.how];
  const path = pair.expected === null ? nameOf(pair.predicted) : pair.expected.name;
  const made = pair.predicted && argumentText(pair.predicted.arguments);
  return {
    path,
    expected: pair.expected && argumentText(pair.expected.arguments),
    answer: pair.how === "function" ? cut(`${nameOf(pair.predicted)} ${made}`) : made,
    verdict,
    tone,
    note: pair.how === "arguments" ? flaws(pair.expected, pair.predicted, isStrict) : null,
  };
}

const nameOf = (call: PredictedCall): string => call.name || "(unreadable)";

function flaws(expected: ExpectedCall, made: PredictedCall, isStrict: boolean): string {
  const failures = argumentFailures(expected, made, isStrict);
  const parts = failures.map(({ class: kind, argument }) =>
    argument === null ? "the arguments are no JSON object" : `${argument}: ${words[kind] ?? kind}`,
  );
  return cut(parts.join("; "));
}

function argumentText(value: Json): string {
  if (value === null) return "(no JSON object)";
  return cut(isTooDeep(value) ? "(nested too deep)" : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length <= mostArguments ? text : `${text.slice(0, cutPlace(text, mostArguments))}…`;
}
