import { expect, test } from "vitest";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { defaultOptions } from "./options.ts";
import { slots } from "./suite.ts";

test("the catalogue starts with the headline, has unique ids, and includes all board and compared metrics", () => {
  const ids = slots.metrics.map(({ id }) => id);
  expect(ids[0]).toBe(slots.headline);
  expect(new Set(ids).size).toBe(ids.length);
  const score = slots.score(aSample({}), anAnswer("{}"), defaultOptions);
  expect(ids).toEqual(
    expect.arrayContaining([...slots.boardMetrics, ...Object.keys(slots.sampleValues(score))]),
  );
});

test("scoringOptions() are unchanged by a single judge, and include a panel's rule", () => {
  const ofOptions = (options: object) =>
    slots.scoringOptions(slots.optionsSchema.parse(options) as typeof defaultOptions);
  expect(ofOptions({})).toEqual({ asciiOnly: true, format: "json" });
  expect(ofOptions({ judge: "gpt-4o" })).toEqual(ofOptions({}));
  expect(ofOptions({ judges: ["a", "b"], panelRule: "majority" })).toEqual({
    asciiOnly: true,
    format: "json",
    panelRule: "majority",
  });
});

test("judging.choice() returns the judges named in the options, or null without any", () => {
  const choiceOf = (options: object) =>
    slots.judging?.choice(slots.optionsSchema.parse(options) as typeof defaultOptions);
  expect(choiceOf({})).toBeNull();
  expect(choiceOf({ panelRule: "majority" })).toBeNull();
  const one = { judge: "gpt-4o", judges: [], judgeOverrides: {}, fallbackJudge: null };
  expect(choiceOf({ judge: "gpt-4o" })).toMatchObject(one);
  expect(choiceOf({ judges: ["a", "openai:b"] })).toMatchObject({
    ...one,
    judge: null,
    judges: ["a", "openai:b"],
  });
});

test("scoringOptions() change with options that affect scores, not with request options", () => {
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

const figure = (value: number) => ({ value, interval: null });
const part = (name: string, f1: number, expectedSlots?: number) => ({
  name,
  n: 5,
  figures: {
    f1: figure(f1),
    ...(expectedSlots !== undefined && { expectedSlots: figure(expectedSlots) }),
  },
});

test("tagFigures() covers topics, users, sessions and other tags, without invented topics", () => {
  const breakdown = {
    topics: [part("hobby", 0.9, 4), part("made up", 0, 0), part("of an older run", 0.2)],
    users: [part("ada", 0.8)],
    sessions: [part("1", 0.7)],
    tags: [{ ...part("de", 0.6), tag: "language" }],
  };
  const found = slots.tagFigures?.(breakdown, slots.headline).map(({ tag, name, headline }) => {
    return [tag, name, headline.value];
  });
  expect(found).toEqual([
    ["topic", "hobby", 0.9],
    ["topic", "of an older run", 0.2],
    ["user", "ada", 0.8],
    ["session", "1", 0.7],
    ["language", "de", 0.6],
  ]);
});
