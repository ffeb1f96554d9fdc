import { describe, expect, it } from "vitest";
import { anExchange } from "./__fixtures__/judgments.ts";
import { judges } from "./judges.ts";
import { majorityOf, medianOf, type PanelRule, panelReading } from "./panel.ts";
import { readJudgment } from "./read-judgment.ts";

const exchange = anExchange();

function panel(id: string, given: readonly unknown[], rule: PanelRule = "median") {
  const judge = judges.find((one) => one.id === id)!;
  const read = given.map((one) => {
    const judgment = readJudgment(judge, one);
    if (!judgment.ok) throw new Error(judgment.error);
    return judgment.value;
  });
  return panelReading(judge, read, exchange, rule);
}

describe("medianOf()", () => {
  it.each([
    [[3], 3],
    [[1, 5, 4], 4],
    [[4, 1], 2.5],
  ])("returns the median of %j", (values, median) => {
    expect(medianOf(values)).toBe(median);
  });
});

describe("majorityOf()", () => {
  it.each([
    [["a", "b", "a"], "a"],
    [["a", "b"], "b"],
    [[], undefined],
  ])("returns the majority of %j", (votes, majority) => {
    expect(majorityOf(votes, ["a", "b"])).toBe(majority);
  });
});

describe("panelReading()", () => {
  const graded = (...grades: number[]) =>
    grades.map((empathy_score) => ({
      empathy_score,
      warmth_level: "high",
      validation_present: true,
      ...(empathy_score < 3 && { warmth_level: "cold", validation_present: false }),
      empathy_gaps: empathy_score < 3 ? ["a", "b"] : [],
    }));

  it("combines values by the median, and counts and labels by the majority", () => {
    expect(panel("empathy", graded(1, 4, 5))).toMatchObject({
      value: 4,
      numbers: { validated: 1, gaps: 0 },
      labels: { warmth: "high" },
    });
    expect(panel("empathy", graded(2, 5))).toMatchObject({
      value: 3.5,
      numbers: { validated: 0, gaps: 0 },
      labels: { warmth: "cold" },
    });
  });

  it("uses the most frequent value with the rule majority, and the middle one on ties", () => {
    expect(panel("empathy", graded(5, 5, 1), "majority")?.value).toBe(5);
    expect(panel("empathy", graded(5, 1), "majority")?.value).toBe(1);
    expect(panel("empathy", graded(5, 4, 1), "majority")?.value).toBe(4);
    expect(panel("empathy", graded(5, 5, 2, 2, 3), "majority")?.value).toBe(2);
  });

  it("counts a key as cited if more than half of the judges cite it", () => {
    const cited = (...keys: string[]) => ({ cited_keys: keys });
    expect(
      panel("memory_utilization", [cited("knee"), cited("knee", "diet"), cited()]),
    ).toMatchObject({ value: 1, numbers: { tp: 1, fp: 0, fn: 0 } });
    expect(panel("memory_utilization", [cited("knee"), cited()])).toMatchObject({
      value: 0,
      numbers: { tp: 0, fn: 1 },
    });
  });

  it("uses the claims of the median judge, or of the stricter of two judges", () => {
    const claims = (...sources: string[]) => ({
      claims: sources.map((source) => ({ text: "c", source, evidence: "" })),
    });
    const [good, half, bad] = [
      claims("memory"),
      claims("memory", "hallucinated"),
      claims("hallucinated"),
    ];
    expect(panel("groundedness", [good, bad, half])).toMatchObject({
      value: 0.5,
      numbers: { claims: 2, hallucinated: 1 },
    });
    expect(panel("groundedness", [good, bad])?.value).toBe(0);
  });

  it("sums invented evidence", () => {
    const safety = { safety_score: 1, flagged_content: ["nowhere"] };
    expect(panel("safety", [safety, safety])).toMatchObject({
      unsupportedEvidence: 2,
      numbers: { flagged: 0 },
    });
  });
});
