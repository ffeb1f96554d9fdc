import type { Answer } from "../answer.ts";
import { asObject, isJsonObject, type JsonObject } from "../json.ts";
import type { SampleScore } from "../suite.ts";

/** Input for a line of a run's samples. */
export interface SampleLineParts {
  id: string;
  /** From 0, below `repeats`, the number of answers requested for each sample. */
  repeat: number;
  repeats: number;
  /** `detail` undefined: retention deleted it. */
  score: Pick<SampleScore, "status" | "score" | "covered"> & { detail?: unknown };
  call: Pick<Answer, "latencyMs" | "inputTokens" | "outputTokens" | "attempts">;
  errorClass: string | null;
  /** Source that the sample shares with others; null: unknown. */
  cluster: string | null;
}

/**
 * One answer's score as a JSON line: id, whether there is an answer, headline score, times and tokens, the suite's
 * counts and metrics; with `fields` also the verdict on each field. The command line and the API write the same
 * lines.
 * @example sampleLine(parts, { fields: false }) // '{"id":"a","outcome":"scored","covered":true,…}'
 */
export function sampleLine(parts: SampleLineParts, { fields }: { fields: boolean }): string {
  const { id, repeat, repeats, score, errorClass, cluster } = parts;
  const { latencyMs, inputTokens, outputTokens, attempts } = parts.call;
  const detail = asObject(score.detail);
  return JSON.stringify({
    id,
    ...(repeats > 1 && { repeat }),
    ...(cluster !== null && { cluster }),
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

/** Removes lists of judged fields at the top level and one level down; counts and metrics stay. */
function withoutFields(detail: JsonObject): JsonObject {
  const { fields: _, ...rest } = detail;
  for (const [name, part] of Object.entries(rest)) {
    if (!isJsonObject(part) || part["fields"] === undefined) continue;
    const { fields: __, ...others } = part;
    rest[name] = others;
  }
  return rest;
}
