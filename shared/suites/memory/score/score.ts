import type { Answer } from "../../../contracts/answer.ts";
import { isJsonObject, type Json } from "../../../contracts/json.ts";
import type { Judge, JudgeFigure, Reading } from "../../../contracts/judging/judge.ts";
import type {
  JudgmentRecord,
  StageFindings,
  UnjudgedReason,
} from "../../../contracts/judging/judgment.ts";
import { labelsOf } from "../../../contracts/judging/rating.ts";
import type { Composite, SampleScore } from "../../../contracts/suite.ts";
import { type Exchange, isEmptyAnswer } from "../../../judges/exchange.ts";
import { weightedSum } from "../../../judges/figures.ts";
import { judges } from "../../../judges/judges.ts";
import { readRecords } from "../../../judges/read-records.ts";
import { exchangeOf } from "../ask/exchange-of.ts";
import type { MemoryOptions } from "../options.ts";
import type { HumanScores, MemorySample } from "../sample.ts";
import { memoryCitationScore } from "./mcs.ts";

/** One judge's result for an answer and metric. */
interface JudgeDetail extends Omit<JudgmentRecord, "unjudged"> {
  /** On the metric's scale; null: no judgment. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  message: string;
}

/** The result of an answer for one metric. */
interface MetricDetail {
  /** On the metric's scale; null: unjudged. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  numbers: Reading["numbers"];
  labels: Reading["labels"];
  unsupportedEvidence: number;
  /** Empty if the value is fixed. */
  judges: JudgeDetail[];
}

/** The scoring of one answer, as sample pages show it. */
export interface MemoryDetail {
  /** Status of the answer; `empty`: only blanks. */
  status: "answered" | "refused" | "empty" | "error";
  /** Whether the endpoint cut the response off at the token limit. */
  truncated: boolean;
  /** Memory citation score, 0–1; null: unscored. */
  mcs: number | null;
  metrics: Record<string, MetricDetail>;
  /** Facts that were inferred before the answer, if the sample does not have them. */
  stages: StageFindings | null;
  /** The sample's ratings of this answer. */
  human: HumanScores;
}

type ScoringOptions = Pick<MemoryOptions, "weights" | "panelRule" | "speechWeight" | "textWeight">;

/**
 * Scores one answer by its judgments: the memory citation score, 0–1, unscored if a required metric is unjudged. A
 * blank answer scores 0, while each metric has its fixed value. A failed request scores 0, has no metrics, and is
 * not covered. Never throws; the detail is bounded for any judgments.
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
    human: labelsOf(sample.human, answer) ?? {},
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

/** Stored elements of a list, characters of a text and levels of nesting. */
const most = { items: 64, chars: 2_000, depth: 6 } as const;

/**
 * A JSON value cut to what a page shows: lists and objects to 64 entries, texts to 2,000 characters,
 * six levels deep.
 * @example boundedJson("x".repeat(3_000)) // "xxx…"
 */
function boundedJson(value: Json, depth = 0): Json {
  if (typeof value === "string") {
    return value.length <= most.chars ? value : `${value.slice(0, most.chars)}…`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= most.depth) return null;
  if (Array.isArray(value)) {
    return value.slice(0, most.items).map((item) => boundedJson(item, depth + 1));
  }
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value).slice(0, most.items);
  return Object.fromEntries(entries.map(([name, one]) => [name, boundedJson(one, depth + 1)]));
}

/**
 * Whether a figure's value over samples is not the mean of the samples' own values.
 * @example isComposite(figure) // true for a ratio of sums
 */
const isComposite = ({ empty }: JudgeFigure): boolean => empty !== null;

/**
 * Numerator and denominator of a figure for one answer's numbers.
 * @example sidesOf(figure, { tp: 1, judged: 1 }).of // 2
 */
function sidesOf({ of, over }: JudgeFigure, numbers: Readonly<Record<string, number>>) {
  const sum = (name: string) => numbers[name] ?? 0;
  return { of: weightedSum(of, sum), over: over === null ? 1 : weightedSum(over, sum) };
}

/** Micro figures over samples, from the means of numerator and denominator. */
export const composites: Readonly<Record<string, Composite>> = Object.fromEntries(
  judges.flatMap(({ figures: [main] }) =>
    isComposite(main)
      ? [[main.metric.id, { parts: partsOf(main), value: compositeValue(main) }] as const]
      : [],
  ),
);

/**
 * Ids of a micro figure's numerator and denominator; no metric has such a name.
 * @example partsOf(figure) // ["groundedness.of", "groundedness.over"]
 */
function partsOf({ metric }: JudgeFigure): [of: string, over: string] {
  return [`${metric.id}.of`, `${metric.id}.over`];
}

function compositeValue({ empty }: JudgeFigure) {
  return ([of, over]: readonly (number | null)[]): number | null => {
    if (of === null || of === undefined || over === null || over === undefined) return null;
    return over === 0 ? empty : of / over;
  };
}

/**
 * What an answer adds to each metric that runs are compared by, the headline first, and to numerator and
 * denominator of those that are shares over all samples; null if unjudged.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example sampleValues(score)["empathy"] // 1–5
 */
export function sampleValues({
  score,
  detail,
}: SampleScore<MemoryDetail>): Record<string, number | null> {
  const values: Record<string, number | null> = { mcs: score };
  for (const { id, figures } of judges) {
    const [main] = figures;
    const { value = null, numbers = {} } = detail.metrics[id] ?? {};
    values[main.metric.id] = value;
    if (!isComposite(main)) continue;
    const [of, over] = partsOf(main);
    const sides = value === null ? null : sidesOf(main, { ...numbers, value, judged: 1 });
    values[of] = sides?.of ?? null;
    values[over] = sides?.over ?? null;
  }
  return values;
}
