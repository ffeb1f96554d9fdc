import { expect, test } from "vitest";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { defaultOptions } from "./options.ts";
import { slots } from "./suite.ts";

test("the catalogue has the headline first, ids once, and whatever is compared or on boards", () => {
  const ids = slots.metrics.map(({ id }) => id);
  expect(ids[0]).toBe(slots.headline);
  expect(new Set(ids).size).toBe(ids.length);
  const score = slots.score(aSample({}), anAnswer("{}"), defaultOptions);
  expect(ids).toEqual(
    expect.arrayContaining([...slots.boardMetrics, ...Object.keys(slots.sampleValues(score))]),
  );
});

test("scoringOptions() change with what changes a score, not with how a model is asked", () => {
  const asked = {
    ...defaultOptions,
    temperature: 1,
    memory: "cumulative",
    userPrompt: "u",
  } as const;
  expect(slots.scoringOptions(asked)).toEqual(slots.scoringOptions(defaultOptions));
  expect(slots.scoringOptions({ ...asked, asciiOnly: false })).not.toEqual(
    slots.scoringOptions(asked),
  );
  expect(slots.scoringOptions({ ...asked, format: "lines" })).not.toEqual(
    slots.scoringOptions(asked),
  );
});
