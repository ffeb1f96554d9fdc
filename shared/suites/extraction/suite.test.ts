import { expect, test } from "vitest";
import { contentHash } from "../../contracts/content-hash.ts";
import { scoringVersionOf } from "../../contracts/scoring-version.ts";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { defaultOptions, type ExtractionOptions } from "./options.ts";
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

/** Of each option another value, and what of a run's identity it changes. */
const changes: Record<
  keyof ExtractionOptions,
  [value: unknown, changed: "scoring" | "prompt" | null]
> = {
  temperature: [1, null],
  maxTokens: [64, null],
  // Boards are told apart by it beside both.
  structuredOutput: ["none", null],
  logprobs: [true, null],
  repeats: [3, null],
  systemPrompt: ["You extract.", "prompt"],
  userPrompt: ["{text}", "prompt"],
  weights: [{ ...defaultOptions.weights, validity: 0.1, partialF1: 0.55 }, "scoring"],
  numericTolerance: [0.01, "scoring"],
  stringFuzzyThreshold: [0.5, null],
  coerceTypes: [true, "scoring"],
  fieldCaseSensitive: [true, "scoring"],
  fieldNormalizeWhitespace: [false, "scoring"],
  caseSensitive: [false, "scoring"],
  normalizeWhitespace: [false, "scoring"],
  arrayOrder: [false, "scoring"],
  assertFormats: [true, "scoring"],
};

test.each(Object.entries(changes))(
  "the option %s reaches what it has to, and nothing else",
  (name, [value, changed]) => {
    const options = extraction.optionsSchema.parse({ [name]: value });
    expect(options).not.toEqual(defaultOptions);
    const identity = (its: ExtractionOptions) => ({
      scoring: scoringVersionOf(extraction, its),
      prompt: contentHash(extraction.prompt(its)),
    });
    const [own, usual] = [identity(options), identity(defaultOptions)];
    expect(own.scoring !== usual.scoring).toBe(changed === "scoring");
    expect(own.prompt !== usual.prompt).toBe(changed === "prompt");
  },
);

test("sampleHead() groups samples by cluster", () => {
  const sample = aSample({}, { tags: { cluster: "doc-1", lang: "en" } });
  expect(extraction.sampleHead(sample)).toEqual({ id: "s1", group: "doc-1", tags: sample.tags });
});
