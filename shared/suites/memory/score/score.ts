import type { Answer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import type { Judge, Reading } from "../../../contracts/judge.ts";
import type { JudgmentRecord, StageFindings, UnjudgedReason } from "../../../contracts/judgment.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { type Exchange, isEmptyAnswer } from "../../../judges/exchange.ts";
import { judges } from "../../../judges/judges.ts";
import { readRecords } from "../../../judges/read-records.ts";
import { exchangeOf } from "../ask/exchange-of.ts";
import type { HumanScores } from "../human-scores.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";
import { boundedJson } from "./bounded-json.ts";
import { memoryCitationScore } from "./mcs.ts";

/** What one judge made of an answer by one metric. */
interface JudgeDetail extends Omit<JudgmentRecord, "unjudged"> {
  /** On the metric's scale; null: no judgment. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  message: string;
}

/** What an answer earned by one metric. */
interface MetricDetail {
  /** On the metric's scale; null: unjudged. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  numbers: Reading["numbers"];
  labels: Reading["labels"];
  unsupportedEvidence: number;
  /** None where the value is set without asking. */
  judges: JudgeDetail[];
}

/** The scoring of one answer, as sample pages show it. */
export interface MemoryDetail {
  /** What came back; `empty` is a content of blanks. */
  status: "answered" | "refused" | "empty" | "error";
  /** Whether the endpoint cut the response off at the token limit. */
  truncated: boolean;
  /** Memory citation score, 0–1; null: unscored. */
  mcs: number | null;
  metrics: Record<string, MetricDetail>;
  /** What was found out before the answer, where the sample lacks it. */
  stages: StageFindings | null;
  human: HumanScores;
}

type ScoringOptions = Pick<MemoryOptions, "weights" | "panelRule" | "speechWeight" | "textWeight">;

/**
 * Scores one answer by the judgments that come with it: the memory citation score, 0–1, unscored where one
 * of the metrics that it needs is unjudged. An answer of blanks scores 0, while each
 * metric keeps its set value. A request that failed gets 0, has no metrics, and is not covered. Never throws;
 * the detail is bounded whatever the judgments hold.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example scoreMemory(sample, { ...emptyAnswer, output: "Hi.", judgments }, options).score // 0–1
 */
export function scoreMemory(
  sample: MemorySample,
  answer: Answer,
  options: ScoringOptions,
): SampleScore<MemoryDetail> {
  const exchange = exchangeOf(sample, answer, options);
  const status = statusOf(answer, exchange);
  const metrics = Object.fromEntries(
    judges.map((judge) => {
      if (status === "error") return [judge.id, unjudged("no_answer", [])];
      if (status === "empty") return [judge.id, judged(judge.empty(exchange), [])];
      return [judge.id, metricDetail(judge, recordsOf(answer, judge), exchange, options)];
    }),
  );
  const values = Object.fromEntries(Object.entries(metrics).map(([id, { value }]) => [id, value]));
  const hasText = status === "answered" || status === "refused";
  const mcs = hasText ? memoryCitationScore(values, options.weights) : 0;
  const detail: MemoryDetail = {
    status,
    truncated: answer.finishReason === "length",
    mcs,
    metrics,
    stages: answer.stages ?? null,
    human: sample.human,
  };
  return {
    status: mcs === null ? "unscored" : "scored",
    score: mcs,
    covered: answer.error === null,
    detail,
  };
}

const recordsOf = ({ judgments = {} }: Answer, { id }: Judge): readonly JudgmentRecord[] =>
  Object.hasOwn(judgments, id) ? judgments[id]! : [];

function statusOf({ error, refusal }: Answer, { answer }: Exchange): MemoryDetail["status"] {
  if (error !== null) return "error";
  if (isEmptyAnswer(answer)) return "empty";
  return refusal ? "refused" : "answered";
}

function metricDetail(
  judge: Judge,
  given: readonly JudgmentRecord[],
  exchange: Exchange,
  { panelRule }: ScoringOptions,
): MetricDetail {
  const { reading, unjudged: why, records } = readRecords(judge, given, exchange, panelRule);
  const its = records.map(({ record, value, unjudged: reason, message }): JudgeDetail => {
    const { unjudged: failure, judgment, ...rest } = record;
    const shown = failure === null ? boundedJson((judgment ?? null) as Json) : null;
    return { ...rest, judgment: shown, value, unjudged: reason, message };
  });
  return reading === null ? unjudged(why ?? "not_given", its) : judged(reading, its);
}

const judged = (reading: Reading, its: JudgeDetail[]): MetricDetail => ({
  ...reading,
  unjudged: null,
  judges: its,
});

const unjudged = (reason: UnjudgedReason, its: JudgeDetail[]): MetricDetail => ({
  value: null,
  unjudged: reason,
  numbers: {},
  labels: {},
  unsupportedEvidence: 0,
  judges: its,
});
