import { expect, test } from "vitest";
import type { Share } from "../../../contracts/runs/run-scores.ts";
import { inMaze, maze } from "../../../measures/json-schema/__fixtures__/maze.ts";
import { anAnswer, aSample, detailOf, scored } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { sampleValues, scoreExtraction } from "./score.ts";

const invalid = { eqs: 0, partialF1: 0, typeAccuracy: 0, hallucinationRate: null, missed: 1 };

test.each([
  ["refused", anAnswer(null, { refusal: "no" }), true],
  ["empty", anAnswer(""), true],
  ["answered", anAnswer("no JSON"), true],
  ["error", anAnswer(null, { error: { class: "timeout", message: "" } }), false],
] as const)(
  "scoreExtraction() returns 0 with all fields missed if the status is %s without JSON",
  (status, answer, covered) => {
    const score = scored(aSample({ a: 1 }), answer);
    expect(score).toMatchObject({ status: "scored", score: 0, covered });
    expect(score.detail).toMatchObject({ ...invalid, status, valid: false, exactMatch: false });
    expect(score.detail.salvage).toBeUndefined();
  },
);

test("scoreExtraction() also scores an invalid output as if it were valid", () => {
  const schema = { properties: { a: { type: "integer" } } };
  const detail = detailOf({ a: 1, b: "x" }, { a: "1", b: "x" }, { schema });
  expect(detail).toMatchObject({ ...invalid, missed: 2, valid: false, parse: "clean" });
  expect(detail.salvage).toMatchObject({ exact: 1, incorrect: 1, typeAccuracy: 0.5 });
  expect(detail.schemaErrors[0]).toMatch(/^#\/a type:/);
});

const closed = {
  properties: { a: { type: "integer" }, b: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

test.each([
  ["without nulls", { a: 1, b: "x" }, true, true],
  ["with the null of an optional property", { a: 1, b: null }, true, false],
  ["with the null of an undeclared property", { a: 1, b: "x", c: null }, true, false],
  ["with a null required property", { a: null, b: "x" }, false, false],
  ["with a wrong type and a null", { a: "1", b: null }, false, false],
])("scoreExtraction() judges the validity of an output %s", (_, output, valid, validAsIs) => {
  const detail = detailOf({ a: 1, b: "x" }, output, { schema: closed });
  expect(detail).toMatchObject({ valid, validAsIs });
  expect(detail.schemaErrors.length > 0).toBe(!valid);
  expect(detail.eqs > 0).toBe(valid);
});

test("scoreExtraction() scores a null optional property like an absent one", () => {
  const [withNull, without] = [{ a: 1, b: null }, { a: 1 }].map((output) =>
    detailOf({ a: 1, b: "x" }, output, { schema: closed }),
  );
  expect(withNull?.eqs).toBe(without?.eqs);
});

test("scoreExtraction() lists the schema errors of an invalid output except for such nulls", () => {
  const { schemaErrors } = detailOf({ a: 1 }, { a: "1", b: null }, { schema: closed });
  expect(schemaErrors).toEqual([expect.stringMatching(/^#\/a type:/)]);
});

test("sampleValues() of a sample without fields do not change sums; for an invalid output their ratio is 0", () => {
  const shareOf = (output: string) => {
    const score = scoreExtraction(aSample(null), anAnswer(output), defaultOptions);
    return sampleValues(score).partialF1 as Share;
  };
  expect(shareOf("null")).toEqual({ of: 0, over: 0 });
  const { of, over } = shareOf("?");
  expect([of / over, 1 + over]).toEqual([0, 1]);
});

test("scoreExtraction() of an invalid output is 0 even if nothing was expected", () => {
  const { detail } = scoreExtraction(aSample(null), anAnswer("?"), defaultOptions);
  expect(detail).toMatchObject({
    eqs: 0,
    partialF1: 0,
    typeAccuracy: 0,
    missed: 0,
    omissionRate: 0,
  });
});

test("scoreExtraction() uses the weights of the options", () => {
  const weights = { validity: 0, partialF1: 1, typeAccuracy: 0, noHallucination: 0 };
  expect(detailOf({ a: 1, b: 2 }, { a: 1 }, {}, { weights }).eqs).toBeCloseTo(2 / 3, 12);
});

test.each([
  ["a 😀", '{"a": "😀"}', 3, 10],
  ["", "東京?", 0, 3],
  ["a", null, 1, null],
])(
  "scoreExtraction() counts the code points of text %j and output %j",
  (text, output, ...counts) => {
    const { inputChars, outputChars } = scored(
      aSample({ a: "😀" }, { text }),
      anAnswer(output),
    ).detail;
    expect([inputChars, outputChars]).toEqual(counts);
  },
);

test("scoreExtraction() leaves an output unscored if validating it is too costly", () => {
  const sample = aSample({ q0: 1 }, { schema: maze });
  expect(scored(sample, anAnswer('{"q0": 1}')).score).toBe(1);
  const output = JSON.stringify(inMaze(5_000));
  const { detail, ...score } = scoreExtraction(sample, anAnswer(output), defaultOptions);
  expect(score).toEqual({ status: "unscored", score: null, covered: true });
  expect(detail).toEqual({
    status: "answered",
    parse: "clean",
    truncated: false,
    inputChars: 0,
    outputChars: output.length,
    unscored: expect.stringMatching(/^the output can't be validated: it takes more than/),
  });
});
