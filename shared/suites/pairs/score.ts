import type { Answer } from "../../contracts/answer.ts";
import { bounds, cutText } from "../../contracts/bounds.ts";
import { asObject, isJsonObject, type Json } from "../../contracts/json.ts";
import type { SampleScore } from "../../contracts/suite.ts";
import { wholeJson } from "../../judges/read-judgment.ts";
import { type OutputStatus, outputStatus } from "../../measures/json-output/read-output.ts";
import { countCodePoints } from "../../measures/text/code-points.ts";
import { withoutThoughts } from "../../measures/thoughts/without-thoughts.ts";
import { firstShown, type Order } from "./ask.ts";
import type { PairsOptions } from "./options.ts";
import type { PairsSample, Side, Verdict } from "./sample.ts";

/** A judge's verdict in one order. */
interface OrderVerdict {
  /** Null: the reply has no verdict. */
  verdict: Verdict | null;
  reasoning: string;
}

/** The scoring of one pair, as sample pages show it. */
export interface PairsDetail extends Readonly<Record<Order, OrderVerdict>> {
  status: OutputStatus;
  /** Whether the endpoint cut a reply off at the token limit. */
  truncated: boolean;
  label: Verdict | null;
  /** The answer chosen in both orders, else a tie; null if an order has no verdict. */
  verdict: Verdict | null;
  /** The longer answer, in code points; null if they are equally long. */
  longer: Side | null;
  models: PairsSample["models"];
}

/**
 * Scores the verdicts on one pair. By accuracy: the share of both orders whose verdict is the label, 0, 0.5 or 1; not
 * applicable without a label. By consistency: 1 if both orders have the same verdict, else 0. An order without a
 * verdict counts as wrong and not consistent. A failed request scores 0 and is not covered. Never throws. Linear.
 * @example scorePairs(sample, { ...emptyAnswer, output: '{"given": "A", "swapped": "A"}' }, options).score
 */
export function scorePairs(
  sample: PairsSample,
  answer: Answer,
  { rankBy }: Pick<PairsOptions, "rankBy">,
): SampleScore<PairsDetail> {
  const { label, models, answers } = sample;
  const said = withoutThoughts(answer);
  const value = said.error !== null || outputStatus(said) === "refused" ? null : wholeJson(said);
  const replies = asObject(value);
  const [given, swapped] = [readOrder(replies, "given"), readOrder(replies, "swapped")];
  const [a, b] = [countCodePoints(answers.A), countCodePoints(answers.B)];
  const detail: PairsDetail = {
    status: outputStatus(said),
    truncated: answer.finishReason === "length",
    label,
    given,
    swapped,
    verdict: agreed(given.verdict, swapped.verdict),
    longer: a === b ? null : a > b ? "A" : "B",
    models,
  };
  const score = rankBy === "consistency" ? Number(isConsistent(detail)) : rightShare(detail);
  return {
    status: score === null ? "not_applicable" : "scored",
    score,
    covered: answer.error === null,
    detail,
  };
}

function agreed(given: Verdict | null, swapped: Verdict | null): Verdict | null {
  if (given === null || swapped === null) return null;
  return given === swapped ? given : "tie";
}

/**
 * Whether both orders have the same verdict; false without two verdicts.
 * @example isConsistent(detail) // true
 */
export const isConsistent = ({ given, swapped }: PairsDetail): boolean =>
  given.verdict !== null && given.verdict === swapped.verdict;

/**
 * The share of both orders whose verdict is the label: 0, 0.5 or 1; null without a label.
 * @example rightShare(detail) // 0.5 if one order is right
 */
export function rightShare({ label, given, swapped }: PairsDetail): number | null {
  if (label === null) return null;
  return (Number(given.verdict === label) + Number(swapped.verdict === label)) / 2;
}

/** The verdict in one order: from an object with a verdict or, in answers made elsewhere, from the verdict alone. */
function readOrder(replies: Readonly<Record<string, Json>>, order: Order): OrderVerdict {
  const reply = Object.hasOwn(replies, order) ? (replies[order] ?? null) : null;
  if (!isJsonObject(reply)) {
    const named = typeof reply === "string" ? byName.get(reply) : undefined;
    return { verdict: named ?? byPlace(reply, order), reasoning: "" };
  }
  const { verdict = null, reasoning } = reply;
  const text = typeof reasoning === "string" ? reasoning : "";
  return { verdict: byPlace(verdict, order), reasoning: cutText(text, bounds.received) };
}

/** The sample's own names, which don't depend on the order. */
const byName: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ["A", "A"],
  ["B", "B"],
]);

function byPlace(said: Json, order: Order): Verdict | null {
  const word = typeof said === "string" && said.length < 20 ? said.trim().toLowerCase() : "";
  const first = firstShown[order];
  if (word === "first") return first;
  if (word === "second") return first === "A" ? "B" : "A";
  return word === "tie" ? "tie" : null;
}

/**
 * A pair's contribution to the metrics by which judges are compared.
 * @example sampleValues(score).consistency // 0 or 1
 */
export function sampleValues({ detail }: Pick<SampleScore<PairsDetail>, "detail">) {
  const right = rightShare(detail);
  return {
    accuracy: right,
    bothRight: right === null ? null : Number(right === 1),
    consistency: Number(isConsistent(detail)),
  };
}
