import { bounds, cutText } from "../bounds.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import {
  type JudgmentRecord,
  judgmentRecordSchema,
  noJudgment,
  unjudgedReasons,
} from "./judgment.ts";

/** Maximum size of a submitted panel. */
export const mostGivenRecords = 16;

/**
 * Converts judgments made elsewhere to records. A metric can have the fields of a judgment (the judge is then
 * unknown), a record, a list of either, or the scores of a run, whose `judges` are used. Null and missing both count
 * as unjudged. Never throws: invalid judgments are detected when they are read.
 * Source: docs/spec/memory.md, judges.
 * @example givenJudgments({ empathy: { empathy_score: 4 } })["empathy"]?.[0]?.judge // null
 */
export function givenJudgments(given: unknown): Record<string, JudgmentRecord[]> {
  if (!isJsonObject(given)) return {};
  const entries = Object.entries(given).map(([metric, one]): [string, JudgmentRecord[]] => [
    metric,
    givenList(one)
      .filter((record) => record !== null && record !== undefined)
      .slice(0, mostGivenRecords)
      .map(recordOf),
  ]);
  return Object.fromEntries(entries.filter(([, records]) => records.length > 0));
}

/**
 * A metric's judgments as a list.
 * @example givenList({ empathy_score: 4 }).length // 1
 */
export function givenList(one: unknown): readonly unknown[] {
  if (Array.isArray(one)) return one;
  return isJsonObject(one) && Array.isArray(one["judges"]) ? one["judges"] : [one];
}

function recordOf(given: unknown): JudgmentRecord {
  const isRecord = isJsonObject(given) && ("judgment" in given || "unjudged" in given);
  const fields: Readonly<Record<string, unknown>> = isRecord
    ? withReason(given)
    : { judgment: given };
  const known = Object.entries(judgmentRecordSchema.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(fields[name] ?? null);
    return read.success ? [[name, read.data] as const] : [];
  });
  return { ...noJudgment, ...Object.fromEntries(known) };
}

/** Scores hold the reason as a code and the message separately; an unknown code counts as `judge_failed`. */
function withReason({ unjudged = null, message = "", ...rest }: JsonObject): JsonObject {
  if (unjudged === null) return rest;
  const said = isJsonObject(unjudged) ? unjudged : { reason: unjudged, message };
  const reason = unjudgedReasons.find((one) => one === said["reason"]) ?? "judge_failed";
  const text = typeof said["message"] === "string" ? cutText(said["message"], bounds.message) : "";
  return { ...rest, unjudged: { reason, message: text } };
}
