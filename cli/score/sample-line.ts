import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import type { ScoredAnswer } from "./score-files.ts";

/**
 * One answer's score as a line of JSON: its id, whether an answer was had, the headline score, and
 * the suite's counts and metrics by their own names; with `fields` also the judgement of each field.
 * @example sampleLine(scored, { fields: false }) // '{"id":"a","covered":true,…}'
 */
export function sampleLine(scored: ScoredAnswer, { fields }: { fields: boolean }): string {
  const { id, repeat, repeats, answer, score } = scored;
  const detail = fields ? (score.detail as JsonObject) : withoutFields(score.detail);
  return JSON.stringify({
    id,
    ...(repeats > 1 && { repeat }),
    outcome: score.status,
    covered: score.covered,
    ...(answer.error !== null && { errorClass: answer.error.class }),
    score: score.score,
    ...detail,
  });
}

/** Without the lists of judged fields, here and one level down; counts and metrics stay. */
function withoutFields(detail: unknown): JsonObject {
  const { fields: _, ...rest } = detail as JsonObject;
  for (const [name, part] of Object.entries(rest)) {
    if (!isJsonObject(part) || part["fields"] === undefined) continue;
    const { fields: __, ...others } = part;
    rest[name] = others;
  }
  return rest;
}
