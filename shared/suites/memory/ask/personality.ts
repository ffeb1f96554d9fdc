import { isJsonObject } from "../../../contracts/json.ts";
import { err, ok, type Result } from "../../../contracts/result.ts";

/** The Big Five. Source: docs/spec/memory.md, sample. */
export const traits = [
  "openness",
  "conscientiousness",
  "extraversion",
  "agreeableness",
  "neuroticism",
] as const;
type Trait = (typeof traits)[number];

/** Strength of each trait, 0–1. */
export type Personality = Record<Trait, number>;

/**
 * Traits by name, each 0–1; all five are needed. The error says what is wrong.
 * @example readPersonality({ openness: 2 }) // { ok: false, error: "openness must be a number from 0 to 1, not 2" }
 */
export function readPersonality(value: unknown): Result<Personality, string> {
  if (!isJsonObject(value)) return err("must be an object of the five traits");
  const unknown = Object.keys(value).find((name) => !traits.some((trait) => trait === name));
  if (unknown !== undefined) {
    return err(`may have ${traits.join(", ")}, not ${JSON.stringify(unknown)}`);
  }
  for (const trait of traits) {
    const share = value[trait];
    if (share === undefined) return err(`lacks ${trait}`);
    if (typeof share !== "number" || !(share >= 0 && share <= 1)) {
      return err(`${trait} must be a number from 0 to 1, not ${JSON.stringify(share)}`);
    }
  }
  return ok(Object.fromEntries(traits.map((one) => [one, value[one]])) as Personality);
}
