import { describe, expect, it } from "vitest";
import { recordedIn, recordedJudges } from "./recorded-judges.ts";

const judgment = { empathy_score: 4 };
const by = (judge: string, promptHash = "p") => ({ judge, promptHash, judgment });
const namesOf = (...judgments: Record<string, unknown>[]) =>
  recordedJudges(judgments.map((byMetric) => ({ judgments: byMetric })))?.["empathy"]?.routes.map(
    ({ model }) => model,
  );

describe("recordedJudges()", () => {
  it.each<[string, Record<string, unknown>[], string[]]>([
    ["one judge for all answers", [{ empathy: by("a") }, { empathy: by("a") }], ["a"]],
    ["a panel", [{ empathy: [by("b"), by("a")] }], ["a", "b"]],
    ["a judge without a name", [{ empathy: judgment }], ["unnamed"]],
    ["judges of parts", [{ "empathy/first": by("a"), "empathy/second": by("b") }], ["a", "b"]],
    ["a judge next to values that are not judgments", [{ empathy: [null, 5, by("a")] }], ["a"]],
    ["a judge whose name has an invisible character", [{ empathy: by("a\u202eb") }], ["a\ufffdb"]],
  ])("returns %s", (_, judgments, names) => {
    expect(namesOf(...judgments)).toEqual(names);
  });

  it("returns the prompt's hash, or a combined hash if prompts differ", () => {
    const hashOf = (...prompts: string[]) =>
      recordedJudges(prompts.map((prompt) => ({ judgments: { empathy: by("a", prompt) } })))?.[
        "empathy"
      ]?.promptHash;
    expect(hashOf("p", "p")).toBe("p");
    expect(hashOf("p", "q")).toBe(hashOf("q", "p"));
    expect(hashOf("p", "q")).toMatch(/^[0-9a-f]{64}$/);
  });

  it("returns at most 16 judges of a metric, and null without judgments", () => {
    const many = Array.from({ length: 40 }, (_, i) => ({ empathy: by(`j${i}`) }));
    expect(namesOf(...many)).toHaveLength(16);
    expect(recordedJudges([{}, { judgments: null }])).toBeNull();
  });
});

describe("recordedIn()", () => {
  it("returns only the metrics whose judgments were submitted", () => {
    const recorded = recordedJudges([{ judgments: { empathy: by("a") } }]) ?? {};
    const called = { provider: "openai", model: "gpt-5", simulated: false };
    const safety = { routes: [called], by: "run" as const, promptHash: "p" };
    expect(recordedIn({ judges: { ...recorded, safety }, stages: {} })).toEqual(recorded);
    expect(recordedIn({ judges: { safety }, stages: {} })).toBeNull();
  });
});
