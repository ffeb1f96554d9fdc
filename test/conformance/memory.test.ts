import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anExchange } from "../../shared/judges/__fixtures__/judgments.ts";
import {
  type ClaimSource,
  claimScore,
  groundedness,
} from "../../shared/judges/metrics/groundedness.ts";
import { keyScore, memoryUtilization } from "../../shared/judges/metrics/memory-utilization.ts";
import { type EmotionMix, fuseEmotions } from "../../shared/suites/memory/ask/emotions.ts";
import { defaultOptions } from "../../shared/suites/memory/options.ts";
import { memoryCitationScore } from "../../shared/suites/memory/score/mcs.ts";
import { jsonLines } from "../support/json-lines.ts";

interface Case {
  required: string[];
  forbidden: string[];
  cited: string[];
  keys: Record<"tp" | "fp" | "fn" | "precision" | "recall" | "f1", number>;
  claims: ClaimSource[];
  grounded: Record<"claims" | "groundedness" | "hallucinationRate", number>;
  speech: EmotionMix;
  text: EmotionMix;
  fused: EmotionMix;
  values: Record<string, number | null>;
  mcs: number | null;
}

const cases = jsonLines<Case>(readFileSync(new URL("cases/memory.jsonl", import.meta.url), "utf8"));

const near = (numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, expect.closeTo(value, 9)]),
  );

describe.each(cases.map((one, i) => [i, one] as const))("worked case %i of memory", (_, one) => {
  const { required: requiredKeys, forbidden: forbiddenKeys } = one;

  test("keyScore() and memoryUtilization", () => {
    expect(keyScore(one.cited, { requiredKeys, forbiddenKeys })).toEqual(near(one.keys));
    const exchange = anExchange({ requiredKeys, forbiddenKeys });
    const judgment = { reasoning: "", cited_keys: one.cited };
    expect(memoryUtilization.read(judgment, exchange).value).toBeCloseTo(one.keys.f1, 9);
  });

  test("claimScore() and groundedness", () => {
    expect(claimScore(one.claims)).toEqual(near(one.grounded));
    const claims = one.claims.map((source) => ({ text: "", source, evidence: "" }));
    const { value } = groundedness.read({ reasoning: "", claims }, anExchange());
    expect(value).toBeCloseTo(one.grounded.groundedness, 9);
  });

  test("fuseEmotions()", () => {
    expect(fuseEmotions(one.speech, one.text, defaultOptions)).toEqual(near(one.fused));
  });

  test("memoryCitationScore()", () => {
    const score = memoryCitationScore(one.values);
    if (one.mcs === null) expect(score).toBeNull();
    else expect(score).toBeCloseTo(one.mcs, 9);
  });
});
