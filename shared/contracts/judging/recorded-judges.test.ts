import { describe, expect, it } from "vitest";
import { recordedIn, recordedJudges } from "./recorded-judges.ts";

const judgment = { empathy_score: 4 };
const by = (judge: string, promptHash = "p") => ({ judge, promptHash, judgment });
const namesOf = (...judgments: Record<string, unknown>[]) =>
  recordedJudges(judgments.map((its) => ({ judgments: its })))?.["empathy"]?.routes.map(
    ({ model }) => model,
  );

describe("recordedJudges()", () => {
  it.each<[string, Record<string, unknown>[], string[]]>([
    ["one judge of all answers", [{ empathy: by("a") }, { empathy: by("a") }], ["a"]],
    ["a panel", [{ empathy: [by("b"), by("a")] }], ["a", "b"]],
    ["one without a name", [{ empathy: judgment }], ["unnamed"]],
    ["parts of an answer", [{ "empathy/first": by("a"), "empathy/second": by("b") }], ["a", "b"]],
    ["what is no judgment", [{ empathy: [null, 5, by("a")] }], ["a"]],
    ["a name that can't be shown", [{ empathy: by("a\u202eb") }], ["a\ufffdb"]],
  ])("names %s", (_, judgments, names) => {
    expect(namesOf(...judgments)).toEqual(names);
  });

  it("has the prompt's hash, or one of all where they differ", () => {
    const hashOf = (...prompts: string[]) =>
      recordedJudges(prompts.map((prompt) => ({ judgments: { empathy: by("a", prompt) } })))?.[
        "empathy"
      ]?.promptHash;
    expect(hashOf("p", "p")).toBe("p");
    expect(hashOf("p", "q")).toBe(hashOf("q", "p"));
    expect(hashOf("p", "q")).toMatch(/^[0-9a-f]{64}$/);
  });

  it("names 16 judges of a metric at the most, and none without judgments", () => {
    const many = Array.from({ length: 40 }, (_, i) => ({ empathy: by(`j${i}`) }));
    expect(namesOf(...many)).toHaveLength(16);
    expect(recordedJudges([{}, { judgments: null }])).toBeNull();
  });
});

describe("recordedIn()", () => {
  it("finds the metrics whose judgments were submitted", () => {
    const recorded = recordedJudges([{ judgments: { empathy: by("a") } }]) ?? {};
    const called = { provider: "openai", model: "gpt-5", simulated: false };
    const safety = { routes: [called], by: "run" as const, promptHash: "p" };
    expect(recordedIn({ judges: { ...recorded, safety }, stages: {} })).toEqual(recorded);
    expect(recordedIn({ judges: { safety }, stages: {} })).toBeNull();
  });
});
