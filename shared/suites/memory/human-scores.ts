import { isJsonObject, type Json } from "../../contracts/json.ts";
import { scales } from "../../contracts/judge.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import { judges } from "../../judges/judges.ts";

/** What people gave an answer, by metric, on the metric's own scale. */
export type HumanScores = Partial<Record<string, number>>;

/**
 * People's scores of a row: by metric a number on its scale, or a list of several people's, whose mean is
 * taken. The error says which is unusable.
 * Source: docs/spec/memory.md, calibration.
 * @example readHumanScores({ empathy: [4, 5] }) // { ok: true, value: { empathy: 4.5 } }
 */
export function readHumanScores(human: Json): Result<HumanScores, string> {
  if (!isJsonObject(human)) return err("human must be an object of scores by metric");
  const scores: HumanScores = {};
  for (const [name, given] of Object.entries(human)) {
    const judge = judges.find(({ id }) => id === name);
    if (judge === undefined) {
      const ids = judges.map(({ id }) => id).join(", ");
      return err(`human may score ${ids}, not ${JSON.stringify(name)}`);
    }
    const list = (Array.isArray(given) ? given : [given]).filter((one) => one !== null);
    const [low, high] = scales[judge.scale];
    const isScore = (one: Json): one is number =>
      typeof one === "number" && one >= low && one <= high;
    if (!list.every(isScore)) {
      return err(`human.${name} must be a number from ${low} to ${high}, or a list of them`);
    }
    if (list.length > 0) scores[name] = list.reduce((sum, one) => sum + one, 0) / list.length;
  }
  return ok(scores);
}
