import type { Judge, Reading } from "../contracts/judging/judge.ts";
import type { JudgmentRecord, UnjudgedReason } from "../contracts/judging/judgment.ts";
import { type PanelRule, panelReading } from "./panel.ts";
import { readJudgment } from "./read-judgment.ts";

/** Maximum stored characters of a message. */
const mostMessage = 500;

/** One judge's record, as read by its metric. */
export interface ReadRecord {
  record: JudgmentRecord;
  /** Null: no judgment. */
  judgment: unknown;
  /** On the metric's scale; null: no judgment. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  message: string;
}

/** Combined result of the judges of one item and metric. */
interface ReadRecords {
  /** Null: no judge returned a judgment. */
  reading: Reading | null;
  /** Why there is no judgment, from the first judge's record; null if there is one. */
  unjudged: UnjudgedReason | null;
  records: ReadRecord[];
}

/**
 * Reads the judgments of some material: one by one, and combined as a panel. Without a valid judgment there is no
 * reading. Never throws.
 * Source: docs/spec/memory.md, judges.
 * @example readRecords(empathy, [], exchange, "median").unjudged // "not_given"
 */
export function readRecords(
  judge: Judge,
  records: readonly JudgmentRecord[],
  material: unknown,
  rule: PanelRule,
): ReadRecords {
  const its = records.map((record) => readRecord(judge, record, material));
  const judgments = its.flatMap(({ unjudged, judgment }) => (unjudged === null ? [judgment] : []));
  const reading = panelReading(judge, judgments, material, rule);
  const unjudged = reading === null ? (its[0]?.unjudged ?? "not_given") : null;
  return { reading, unjudged, records: its };
}

function readRecord(judge: Judge, record: JudgmentRecord, material: unknown): ReadRecord {
  const none = { record, judgment: null, value: null };
  if (record.unjudged !== null) {
    const { reason, message } = record.unjudged;
    return { ...none, unjudged: reason, message: message.slice(0, mostMessage) };
  }
  const read = readJudgment(judge, record.judgment);
  if (!read.ok) return { ...none, unjudged: "invalid_judgment", message: read.error };
  const { value } = judge.read(read.value as never, material);
  return { record, judgment: read.value, value, unjudged: null, message: "" };
}
