import type { FieldsBlock, ReportBlock, Tone } from "../../../contracts/report.ts";
import type { FieldTable, SampleToShow } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";
import { judgmentColumns, judgmentParts, judgmentRows } from "../../../judges/metric-detail.ts";
import { memoryUtilization } from "../../../judges/metrics/memory-utilization.ts";
import { answerNotes } from "../../../measures/report/show/answer-notes.ts";
import { cutPlace, shortText, shownText } from "../../../measures/report/show/shown-text.ts";
import type { MemorySample } from "../sample.ts";
import type { MemoryDetail } from "../score/score.ts";
import { evidenceMarks } from "./evidence-marks.ts";
import { claimTable, combinedJudgment, judgmentTable } from "./judgment-table.ts";

/** Characters shown of earlier turns; more of the answer is shown, because it is judged. */
const mostBefore = 600;
const mostAnswer = 1_800;

/**
 * A question with its answer: history and query, the memory key by key, the answer with judges' quotations marked,
 * its claims, and every judgment. Without a detail there are no judgments. Never throws. Texts are cut.
 * @example showMemory({ sample, answer, score })[0]?.title // "Query"
 */
export function showMemory({
  sample,
  answer,
  score: { detail },
}: SampleToShow<MemorySample, MemoryDetail>): ReportBlock[] {
  const { history, query } = sample;
  const { output } = answer;
  const text = output ?? "";
  const before = history.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const marks =
    detail === null ? [] : evidenceMarks(text.slice(0, cutPlace(text, mostAnswer)), detail);
  return [
    ...(history.length === 0 ? [] : [shownText("Before", before, { most: mostBefore })]),
    shownText("Query", query, { most: mostBefore }),
    ...answerNotes(answer),
    ...(text.trim() === "" ? [] : [shownText("Answer", text, { marks, most: mostAnswer })]),
    keyFields(sample, detail),
    ...(detail === null ? [] : [...claimTable(detail), ...judgmentTable(detail)]),
  ];
}

/** Maximum shown keys, and characters of a fact in a cell. */
const mostKeys = 12;
const mostFact = 120;

type Row = FieldsBlock["rows"][number];
type Kind = "required" | "forbidden" | "neutral";

/** Verdict on a key, by whether it was used. */
const verdicts: Readonly<Record<Kind, Record<"used" | "unused", [verdict: string, tone: Tone]>>> = {
  required: { used: ["hit", "right"], unused: ["missed", "missed"] },
  forbidden: { used: ["false alarm", "extra"], unused: ["left alone", "close"] },
  neutral: { used: ["not counted", "neutral"], unused: ["not counted", "neutral"] },
};
const unknown: [verdict: string, tone: Tone] = ["not judged", "neutral"];

/**
 * The memory of a sample by key: whether it is required, whether judges found it used, and its fact. Keys that decide
 * the score come first; without a judgment the use is unknown.
 * Source: docs/spec/memory.md, metric 1.
 * @example keyFields(sample, detail).rows[0]?.verdict // "hit"
 */
function keyFields(sample: MemorySample, detail: MemoryDetail | null): FieldsBlock {
  const cited = detail === null ? null : citedKeys(detail);
  const listed = [
    ...sample.required_keys.map((key) => ({ key, kind: "required" as const })),
    ...sample.forbidden_keys.map((key) => ({ key, kind: "forbidden" as const })),
    ...sample.neutral_keys.map((key) => ({ key, kind: "neutral" as const })),
  ];
  const known = new Set(listed.map(({ key }) => key));
  const unlisted = Object.keys(sample.memory).filter((key) => !known.has(key));
  const keys = [...listed, ...unlisted.map((key) => ({ key, kind: "neutral" as const }))];
  return {
    kind: "fields",
    title: "Memory",
    rows: keys.slice(0, mostKeys).map(({ key, kind }) => rowOf(key, kind, { sample, cited })),
    left: Math.max(0, keys.length - mostKeys),
  };
}

/** Empty if the value is fixed; null without a judgment. */
function citedKeys(detail: MemoryDetail): ReadonlySet<string> | null {
  const metric = detail.metrics[memoryUtilization.id];
  if (metric === undefined || metric.value === null) return null;
  const cited = combinedJudgment(memoryUtilization, detail)?.cited_keys ?? [];
  return new Set(cited.map((key) => key.trim()));
}

function rowOf(
  key: string,
  kind: Kind,
  { sample, cited }: { sample: MemorySample; cited: ReadonlySet<string> | null },
): Row {
  const isUsed = cited?.has(key) ?? false;
  const [verdict, tone] = cited === null ? unknown : verdicts[kind][isUsed ? "used" : "unused"];
  const fact = Object.hasOwn(sample.memory, key) ? sample.memory[key]! : "(not in the memory)";
  return {
    path: key,
    expected: kind,
    verdict,
    tone,
    answer: cited === null ? null : isUsed ? "used" : "not used",
    note: shortText(fact, mostFact),
  };
}

/**
 * Judgments of an answer, one per row: each metric by each judge, and one row for a metric with a fixed value, or
 * without a judgment.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example fieldTable.rows(shown)[0]?.["metric"] // "memory_utilization"
 */
export const fieldTable: FieldTable<MemorySample, MemoryDetail> = {
  columns: [
    { id: "metric", description: "id in the suite's catalogue" },
    { id: "scale", description: "level: 1–5; ratio: 0–1" },
    ...judgmentColumns,
  ],
  rows({ score: { detail } }) {
    if (detail === null) return [];
    return judges.flatMap(({ id, scale }) => {
      const its = detail.metrics[id];
      return its === undefined ? [] : judgmentRows({ metric: id, scale }, its);
    });
  },
  parts: judgmentParts("metric"),
};
