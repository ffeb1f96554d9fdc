import type { Answer } from "../answer.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { SampleScore } from "../suite.ts";

/** What a line of a run's samples is made from. */
export interface SampleLineParts {
  id: string;
  /** From 0, below `repeats`: the times each sample was to be answered. */
  repeat: number;
  repeats: number;
  /** `detail` undefined: it is not kept any more. */
  score: Pick<SampleScore, "status" | "score" | "covered"> & { detail?: unknown };
  call: Pick<Answer, "latencyMs" | "inputTokens" | "outputTokens" | "attempts">;
  errorClass: string | null;
}

/**
 * One answer's score as a line of JSON: id, whether there is an answer, headline score, times and
 * tokens, and the suite's counts and metrics by their own names; with `fields` also the verdict on
 * each field. The command line and the API write the same.
 * @example sampleLine(parts, { fields: false }) // '{"id":"a","outcome":"scored","covered":true,…}'
 */
export function sampleLine(parts: SampleLineParts, { fields }: { fields: boolean }): string {
  const { id, repeat, repeats, score, errorClass } = parts;
  const { latencyMs, inputTokens, outputTokens, attempts } = parts.call;
  const detail = isJsonObject(score.detail) ? score.detail : {};
  return JSON.stringify({
    id,
    ...(repeats > 1 && { repeat }),
    outcome: score.status,
    covered: score.covered,
    ...(errorClass !== null && { errorClass }),
    score: score.score,
    latencyMs,
    inputTokens,
    outputTokens,
    attempts,
    ...(fields ? detail : withoutFields(detail)),
  });
}

/** Without the lists of judged fields, here and one level down; counts and metrics stay. */
function withoutFields(detail: JsonObject): JsonObject {
  const { fields: _, ...rest } = detail;
  for (const [name, part] of Object.entries(rest)) {
    if (!isJsonObject(part) || part["fields"] === undefined) continue;
    const { fields: __, ...others } = part;
    rest[name] = others;
  }
  return rest;
}
