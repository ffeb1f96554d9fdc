import type { Answer } from "../contracts/answer.ts";
import { isJsonObject, type Json } from "../contracts/json.ts";
import type { Judge, Reading } from "../contracts/judging/judge.ts";
import type { JudgmentRecord, UnjudgedReason } from "../contracts/judging/judgment.ts";
import type { FieldRow, FieldTable, PartList } from "../contracts/suite.ts";
import { type Exchange, isEmptyAnswer } from "./exchange.ts";
import type { PanelRule } from "./panel.ts";
import { readRecords } from "./read-records.ts";

/** One judge's result for an answer and metric. */
interface JudgeDetail extends Omit<JudgmentRecord, "unjudged"> {
  /** On the metric's scale; null: no judgment. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  message: string;
}

/** The result of an answer for one metric. */
export interface MetricDetail {
  /** On the metric's scale; null: unjudged. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  numbers: Reading["numbers"];
  labels: Reading["labels"];
  unsupportedEvidence: number;
  /** Empty if the value is fixed. */
  judges: JudgeDetail[];
}

/** An answer by its judges. */
export interface JudgedDetail {
  /** Status of the answer; `empty`: only blanks. */
  status: "answered" | "refused" | "empty" | "error";
  /** Whether the endpoint cut the response off at the token limit. */
  truncated: boolean;
  /** By judge. */
  metrics: Record<string, MetricDetail>;
}

/**
 * The judgments of an answer, metric by metric. A blank answer has each metric's fixed value, a failed request none.
 * Never throws; bounded for any judgments.
 * Source: docs/spec/memory.md, judges.
 * @example judgedDetail(judges, answer, exchange, "median").metrics["empathy"]?.value // 1–5
 */
export function judgedDetail(
  judges: readonly Judge[],
  answer: Answer,
  material: Pick<Exchange, "answer">,
  rule: PanelRule,
): JudgedDetail {
  const { error, refusal } = answer;
  const said = refusal ? "refused" : "answered";
  const status = error !== null ? "error" : isEmptyAnswer(material.answer) ? "empty" : said;
  const metrics = judges.map((judge): [string, MetricDetail] => {
    if (status === "error") return [judge.id, unjudged("no_answer", [])];
    if (status === "empty") return [judge.id, judged(judge.empty(material), [])];
    return [judge.id, metricDetail(judge, recordsOf(answer, judge), material, rule)];
  });
  const truncated = answer.finishReason === "length";
  return { status, truncated, metrics: Object.fromEntries(metrics) };
}

const recordsOf = ({ judgments = {} }: Answer, { id }: Judge): readonly JudgmentRecord[] =>
  Object.hasOwn(judgments, id) ? judgments[id]! : [];

function metricDetail(
  judge: Judge,
  given: readonly JudgmentRecord[],
  material: unknown,
  rule: PanelRule,
): MetricDetail {
  const { reading, unjudged: why, records } = readRecords(judge, given, material, rule);
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

/** Columns of `judgmentRows`, after those that name the metric. */
export const judgmentColumns: FieldTable<unknown, unknown>["columns"] = [
  { id: "score", description: "value of all judges together; empty: unjudged" },
  { id: "unjudged", description: "why there is no value" },
  { id: "judge", description: "model; empty: no judge was asked" },
  { id: "provider", description: "provider of the model" },
  { id: "judgeScore", description: "value by this judge" },
  { id: "judgment", description: "the judgment with its reasoning, as JSON" },
  { id: "message", description: "error" },
  { id: "isFallback", description: "asked instead of the metric's own judge" },
  { id: "isSimulated", description: "a simulated model" },
  { id: "isCached", description: "from the cache" },
  { id: "unsupportedEvidence", description: "quotations that are not in the answer" },
];

const nobody: FieldRow = {
  judge: null,
  provider: null,
  judgeScore: null,
  judgment: null,
  message: null,
  isFallback: null,
  isSimulated: null,
  isCached: null,
};

/**
 * The judgments of a metric, a row for each judge; one row if the value is fixed or there is no judgment. Each begins
 * with `head`.
 * @example judgmentRows({ metric: "empathy" }, detail.metrics["empathy"])[0]?.["score"] // 1–5
 */
export function judgmentRows(head: FieldRow, metric: MetricDetail): FieldRow[] {
  const { value: score, unjudged: why, unsupportedEvidence } = metric;
  const whole = { ...head, score, unjudged: why, unsupportedEvidence };
  if (metric.judges.length === 0) return [{ ...whole, ...nobody }];
  return metric.judges.map((one) => ({
    ...whole,
    unjudged: one.unjudged,
    judge: one.judge,
    provider: one.provider,
    judgeScore: one.value,
    judgment: (one.judgment ?? null) as Json,
    message: one.message || null,
    isFallback: one.isFallback,
    isSimulated: one.isSimulated,
    isCached: one.isCached,
  }));
}

const bands = ["low", "middle", "high"] as const;

/**
 * Rows of `judgmentRows` as judged parts: the verdict is a third of the scale, `column` names the metric.
 * @example judgmentParts("metric").of({ metric: "empathy", scale: "level", judgeScore: 5 }).verdict // "high"
 */
export const judgmentParts = (column: string): PartList => ({
  name: column,
  of: (row) => {
    const value = row["judgeScore"] ?? row["score"];
    const share = row["scale"] === "level" ? (Number(value) - 1) / 4 : Number(value);
    const band = bands[Math.min(2, Math.floor(share * 3))] ?? "unjudged";
    return {
      path: `${row[column]}`,
      verdict: typeof value === "number" ? band : "unjudged",
      isRight: null,
      patterns: [],
      judge: typeof row["judge"] === "string" ? row["judge"] : null,
    };
  },
  worst: bands[0],
  verdicts: [...bands, "unjudged"],
  patterns: [],
});
