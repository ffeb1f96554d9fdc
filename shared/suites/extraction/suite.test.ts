import { describe, expect, it, test } from "vitest";
import { contentHash } from "../../contracts/content-hash.ts";
import { scoringVersionOf } from "../../contracts/judging/scoring-version.ts";
import { callOf } from "../../measures/performance/call-totals.ts";
import { equalInterval } from "../../stats/significance/rate-interval.ts";
import { examples } from "../__fixtures__/examples.ts";
import { anAnswer, aSample, scored } from "./__fixtures__/build.ts";
import { defaultOptions, type ExtractionOptions } from "./options.ts";
import type { UnscoredDetail } from "./score/score.ts";
import { extraction } from "./suite.ts";

const heads = ["a", "b"].map((id) => ({ id, group: null }));

test("plan() makes one unit per sample and repeat, repeats of a sample in a row", () => {
  expect(extraction.plan(heads, { ...defaultOptions, repeats: 2 })).toEqual([
    { samples: [0], repeat: 0 },
    { samples: [0], repeat: 1 },
    { samples: [1], repeat: 0 },
    { samples: [1], repeat: 1 },
  ]);
});

test("next() sends one request and returns the reply as the answer", () => {
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
      temperature: 0,
      maxTokens: 2048,
      logprobs: false,
    },
  });
  const reply = anAnswer("{}");
  expect(extraction.next(task, [reply])).toEqual({ kind: "done", answers: [reply] });
});

/** For each option another value, and the part of a run's identity that it changes. */
const changes: Record<
  keyof ExtractionOptions,
  [value: unknown, changed: "scoring" | "prompt" | null]
> = {
  temperature: [1, null],
  maxTokens: [64, null],
  // A separate part of a board's identity.
  structuredOutput: ["none", null],
  logprobs: [true, null],
  repeats: [3, null],
  passScore: [0.9, null],
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
  fieldRules: [{ id: { compare: "exact" } }, "scoring"],
  schemaRules: [true, "scoring"],
  assertFormats: [true, "scoring"],
};

test.each(Object.entries(changes))(
  "the option %s changes the expected part of a run's identity, and nothing else",
  (name, [value, changed]) => {
    const options = extraction.optionsSchema.parse({ [name]: value });
    expect(options).not.toEqual(defaultOptions);
    const identity = (runOptions: ExtractionOptions) => ({
      scoring: scoringVersionOf(extraction, runOptions),
      prompt: contentHash(extraction.prompt(runOptions)),
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

const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "string" } } };

test("features() returns the schema's size and the partial F1 of the answer", () => {
  const score = scored(aSample({ a: 1, b: "x" }, { schema }), anAnswer('{"a": 1}'));
  expect(extraction.features?.(score)).toEqual({
    totalFields: 2,
    bin: "simple",
    maxDepth: 0,
    partialF1: 2 / 3,
  });
});

test("features() returns nothing for an unscored answer", () => {
  const detail: UnscoredDetail = {
    status: "answered",
    parse: "clean",
    truncated: false,
    inputChars: 1,
    outputChars: 1,
    unscored: "too many steps",
  };
  expect(extraction.features?.({ status: "unscored", score: null, covered: true, detail })).toEqual(
    {},
  );
});

describe("sampleFigures()", () => {
  const figures = (schema: object | boolean) =>
    extraction.sampleFigures?.({
      id: "a",
      text: "",
      schema: schema as never,
      expected_output: {},
      tags: {},
    });

  it("counts the fields of the schema", () => {
    const schema = { properties: { a: {}, b: { properties: { c: {} } } }, required: ["a"] };
    expect(figures(schema)).toEqual({
      schemaFields: 2,
      requiredFields: 1,
      schemaDepth: 1,
      complexity: "simple",
    });
  });

  it("returns 0 for a schema without named properties", () => {
    expect(figures(true)).toMatchObject({ schemaFields: 0, schemaDepth: 0 });
  });
});

/** The breakdown of a run with a perfect answer for each language. */
function breakdownOf(languages: readonly string[]): unknown {
  const { rows, perfect } = examples["extraction"]!;
  let state = extraction.aggregate.empty(defaultOptions);
  languages.forEach((language, seq) => {
    const row = { ...(rows[seq % 4] as object), id: `s${seq}`, tags: { language } };
    const checked = extraction.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const answer = perfect(sample);
    const { id, tags } = extraction.sampleHead(sample);
    const score = extraction.score(sample, answer, defaultOptions);
    state = extraction.aggregate.add(state, { seq, id, tags, score, call: callOf(answer) });
  });
  return extraction.aggregate.finish(state, {
    runId: "r",
    options: defaultOptions,
    prices: null,
    wallMs: 1,
  }).breakdown;
}

test("tagFigures() returns EQS and its interval for tag values with ten samples or more", () => {
  const languages = [...Array(12).fill("en"), ...Array(10).fill("de"), ...Array(9).fill("fr")];
  const headline = (n: number) => ({ value: 1, interval: equalInterval(1, n, [0, 1]) });
  expect(extraction.tagFigures?.(breakdownOf(languages), "eqs")).toEqual([
    { tag: "language", name: "en", n: 12, headline: headline(12) },
    { tag: "language", name: "de", n: 10, headline: headline(10) },
  ]);
});
