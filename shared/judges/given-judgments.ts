import type { Answer } from "../contracts/answer.ts";
import { isJsonObject, type Json } from "../contracts/json.ts";
import { type JudgmentRecord, judgmentRecordSchema } from "../contracts/judgment.ts";

/** A panel of more is no panel. */
const mostRecords = 16;

/**
 * Judgments made elsewhere, as records. Each metric has a judgment by its fields, which becomes a record
 * of an unknown judge, a record, or a list of either; null counts as left out, and what is left out is
 * unjudged. Never throws: what is no judgment is found out when it is read.
 * Source: specification of the memory suite, judges.
 * @example givenJudgments({ empathy: { empathy_score: 4 } })["empathy"]?.[0]?.judge // null
 */
export function givenJudgments(given: unknown): NonNullable<Answer["judgments"]> {
  if (!isJsonObject(given)) return {};
  const entries = Object.entries(given).map(([metric, one]): [string, JudgmentRecord[]] => {
    const list: unknown[] = Array.isArray(one) ? one.slice(0, mostRecords) : [one];
    return [metric, list.filter((record) => record !== null && record !== undefined).map(recordOf)];
  });
  return Object.fromEntries(entries.filter(([, records]) => records.length > 0));
}

function recordOf(given: unknown): JudgmentRecord {
  const isRecord = isJsonObject(given) && ("judgment" in given || "unjudged" in given);
  return judgmentRecordSchema.parse(isRecord ? given : { judgment: given as Json });
}
