import { expect, it } from "vitest";
import { emptyAnswer } from "../../../../contracts/answer.ts";
import { scoredRun } from "../../../__fixtures__/scored-run.ts";
import { extraction } from "../../suite.ts";
import { breakdownSchema, breakdownWithoutSamples } from "./breakdown.ts";

const options = extraction.optionsSchema.parse({});

/** Four answers with the same wrong value; the last one also has an invented name. */
const answered = ["a", "b", "c", "d"].map((id) => {
  const row = { id, text: id, schema: { type: "object" }, expected_output: { city: "Oslo" } };
  const checked = extraction.checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  const output = JSON.stringify(id === "d" ? { "made up of d": 1, city: "x" } : { city: "x" });
  return [checked.value.sample, { ...emptyAnswer, output }] as const;
});

it("breakdownWithoutSamples() keeps counts, but removes sample ids and names that occur in a single sample", () => {
  const { summary, run } = scoredRun(extraction, answered, options);
  const noRecommendation = breakdownWithoutSamples(summary.breakdown);
  const before = breakdownSchema.parse(summary.breakdown);
  const after = breakdownSchema.parse(noRecommendation);
  expect(before.errorAnalysis.common.map(({ path }) => path)).toContain("made up of d");
  expect(JSON.stringify(after)).not.toContain("made up of d");
  expect(after.errorAnalysis.common).toEqual([
    expect.objectContaining({ path: "city", count: 4, example: null }),
  ]);
  expect(after.errorAnalysis.total).toBe(before.errorAnalysis.total);
  expect(after.fields).toEqual(before.fields);
  const points = { ...run.points, points: [], failures: [] };
  const sections = extraction.report(
    { ...summary, breakdown: noRecommendation },
    { ...run, points },
  );
  expect(sections.map(({ id }) => id)).toEqual(extraction.report(summary, run).map(({ id }) => id));
});

it("breakdownWithoutSamples() accepts breakdowns of older versions with missing parts", () => {
  expect(breakdownWithoutSamples({ samples: 3 })).toEqual({ samples: 3 });
});
