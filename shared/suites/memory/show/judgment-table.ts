import { isJsonObject, type Json } from "../../../contracts/json.ts";
import { type AskedJudge, type Judge, unitValue } from "../../../contracts/judging/judge.ts";
import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { judges } from "../../../judges/judges.ts";
import { groundedness } from "../../../judges/metrics/groundedness.ts";
import { judgeName, unjudgedText } from "../../../measures/judging/judge-blocks.ts";
import { shownTable } from "../../../measures/report/show/shown-text.ts";
import type { MemoryDetail } from "../score/score.ts";
import { sourceTexts } from "./evidence-marks.ts";

type Row = TableBlock["rows"][number];
type Judged = MemoryDetail["metrics"][string]["judges"][number];

/** Maximum rows; the worst come first. */
const mostInOrder = 12;

/**
 * Every judgment of an answer: metric, judge, value and reasoning, or why it is missing; if there are many, the
 * worst first. Empty if a request failed, because no judge was asked.
 * Source: docs/spec/memory.md, judges.
 * @example judgmentTable(detail)[0]?.title // "Judgments"
 */
export function judgmentTable({ status, metrics }: MemoryDetail): ReportBlock[] {
  if (status === "error") return [];
  const rows = judges.flatMap((judge) => {
    const metric = metrics[judge.id];
    if (metric === undefined) return [];
    if (metric.judges.length === 0) return [setRow(judge, metric)];
    return metric.judges.map((one) => judgedRow(judge, one));
  });
  const sorted = rows.length <= mostInOrder ? rows : rows.toSorted((a, b) => a.share - b.share);
  return shownTable(
    "Judgments",
    [
      ["metric", "Metric", "text"],
      ["judge", "Judge", "text"],
      ["value", "Value", "text"],
      ["said", "Reasoning", "text"],
    ],
    sorted.map(({ row }) => row),
  );
}

/** `share`: the value on the common scale, lowest if unjudged. */
interface SortedRow {
  row: Row;
  share: number;
}

function setRow(judge: Judge, { value, unjudged }: MemoryDetail["metrics"][string]): SortedRow {
  const said = unjudged === null ? "The fixed value of an empty answer." : unjudgedText[unjudged];
  return sortedRow(judge, value, { judge: null, said });
}

function judgedRow(judge: Judge, { judge: name, value, judgment, ...its }: Judged): SortedRow {
  const why = its.unjudged && `${unjudgedText[its.unjudged]}${its.message && `: ${its.message}`}`;
  return sortedRow(judge, value, {
    judge: judgeName(name),
    said: why ?? reasoningOf(judgment as Json),
  });
}

function sortedRow({ label, scale }: Judge, value: number | null, more: Row): SortedRow {
  const text = scale === "level" ? `${value} of 5` : value?.toFixed(2);
  return {
    row: { metric: label, ...more, value: value === null ? null : (text ?? null) },
    share: value === null ? -1 : unitValue(value, scale),
  };
}

/** Fields with a judge's reasoning, in the order of the request. */
const grounds = ["reasoning", "explanation", "tone_notes", "tailoring_notes"] as const;

function reasoningOf(judgment: Json): string | null {
  if (!isJsonObject(judgment)) return null;
  const said = grounds.map((field) => judgment[field]);
  return (
    (said.find((text) => typeof text === "string" && text.trim() !== "") as string | null) ?? null
  );
}

/**
 * The claims of an answer that determine its groundedness, each with its source of support and its words in the
 * answer.
 * Source: docs/spec/memory.md, metric 2.
 * @example claimTable(detail)[0]?.title // "Claims of this answer"
 */
export function claimTable(detail: MemoryDetail): ReportBlock[] {
  const { claims } = combinedJudgment(groundedness, detail) ?? { claims: [] };
  return shownTable(
    "Claims of this answer",
    [
      ["claim", "Claim", "text"],
      ["source", "Source", "text"],
      ["words", "Words of the answer", "text"],
    ],
    claims.map(({ text, source, evidence }) => ({
      claim: text,
      source: sourceTexts[source].label,
      words: evidence || null,
    })),
  );
}

/**
 * The combined judgment of a metric, by the rule for its value; null without a judgment.
 * @example combinedJudgment(memoryUtilization, detail)?.cited_keys
 */
export function combinedJudgment<Judgment>(
  judge: Pick<AskedJudge<Judgment>, "id" | "judgment" | "combine">,
  detail: Pick<MemoryDetail, "metrics">,
): Judgment | null {
  const [first, ...more] = parsedJudgments(judge, detail);
  if (first === undefined) return null;
  return more.length === 0 ? first : (judge.combine?.([first, ...more], null) ?? first);
}

/** The valid judgments, with optional parts filled in. */
function parsedJudgments<Judgment>(
  { id, judgment: schema }: Pick<AskedJudge<Judgment>, "id" | "judgment">,
  { metrics }: Pick<MemoryDetail, "metrics">,
): Judgment[] {
  return (metrics[id]?.judges ?? []).flatMap(({ judgment, value }) => {
    const read = value === null ? null : schema.safeParse(judgment);
    return read?.success ? [read.data] : [];
  });
}
