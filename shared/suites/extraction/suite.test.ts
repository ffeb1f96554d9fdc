import { expect, test } from "vitest";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { defaultOptions } from "./options.ts";
import { extraction } from "./suite.ts";

const heads = ["a", "b"].map((id) => ({ id, group: null }));

test("plan() makes a unit of each sample and repeat, repeats inside", () => {
  expect(extraction.plan(heads, { ...defaultOptions, repeats: 2 })).toEqual([
    { samples: [0], repeat: 0 },
    { samples: [0], repeat: 1 },
    { samples: [1], repeat: 0 },
    { samples: [1], repeat: 1 },
  ]);
});

test("next() asks once, then is done with the reply", () => {
  const task = {
    samples: [aSample({}, { schema: { type: "object" } })],
    options: defaultOptions,
    repeat: 0,
  };
  const step = extraction.next(task, []);
  expect(step).toMatchObject({
    kind: "ask",
    request: {
      structured: { name: "extraction_result", schema: { type: "object" }, mode: "auto" },
      ...{ temperature: 0, maxTokens: 2048, logprobs: false },
    },
  });
  const reply = anAnswer("{}");
  expect(extraction.next(task, [reply])).toEqual({ kind: "done", answers: [reply] });
});

test("scoringOptions() changes with what changes a score, not with how a model is asked", () => {
  const asked = { ...defaultOptions, temperature: 1, repeats: 3, userPrompt: "{text}" };
  expect(extraction.scoringOptions(asked)).toEqual(extraction.scoringOptions(defaultOptions));
  expect(extraction.scoringOptions({ ...defaultOptions, coerceTypes: true })).not.toEqual(
    extraction.scoringOptions(defaultOptions),
  );
  expect(extraction.prompt(asked)).not.toEqual(extraction.prompt(defaultOptions));
});

test("sampleHead() groups samples by cluster", () => {
  const sample = aSample({}, { tags: { cluster: "doc-1", lang: "en" } });
  expect(extraction.sampleHead(sample)).toEqual({ id: "s1", group: "doc-1", tags: sample.tags });
});
