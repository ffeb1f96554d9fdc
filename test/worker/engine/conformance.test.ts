import { expect, test } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { hasFormat } from "../../../shared/measures/json-schema/compile/formats.ts";
import { readSchema } from "../../../shared/measures/json-schema/read-schema.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import extraction from "../../conformance/cases/extraction.jsonl?raw";
import quality from "../../conformance/cases/quality.jsonl?raw";
import statistics from "../../conformance/cases/statistics.jsonl?raw";
import { expectQuality } from "../../conformance/quality-cases.ts";
import { expectStatistics } from "../../conformance/statistics-cases.ts";
import { expectScored, type WorkedCase } from "../../conformance/worked-cases.ts";
import { jsonLines } from "../../support/json-lines.ts";

const files = { extraction };

test.each(Object.entries(files))(
  "suite %s scores its worked cases in the Worker's runtime",
  (id, jsonl) => {
    const suite = suiteById(id);
    if (!suite) return expect.unreachable(`there is no suite ${id}`);
    const options = suite.optionsSchema.parse({});
    const cases = jsonLines<WorkedCase>(jsonl);
    expect(cases.length).toBeGreaterThan(300);
    for (const one of cases) {
      const checked = suite.checkSample(one.sample);
      if (!checked.ok) return expect.unreachable(`${one.sample.id}: ${checked.error}`);
      const { detail } = suite.score(
        checked.value.sample,
        { ...emptyAnswer, output: one.output },
        options,
      );
      expectScored(detail, one);
    }
  },
);

test.each([
  [
    "idn-hostname",
    ["bücher.example", "실례.테스트", "l·l", "א׳ב", "カ・タ", "क्‍ष", "xn--bcher-kva"],
    true,
  ],
  ["idn-hostname", ["ab--ä", "〮a", "☃", "a·l", "・", "क‍ष", "٠۰", "xn--a", "ü".repeat(64)], false],
  ["hostname", ["xn--X", "xn--a-ecp", "a..b"], false],
  ["uri-reference", ["://"], false],
])("format %s of %j is valid: %s, in the Worker's runtime", (format, texts, valid) => {
  expect(texts.map((text) => hasFormat(text, format))).toEqual(texts.map(() => valid));
});

test("patterns match long texts in the Worker's runtime", () => {
  const { validate } = readSchema({ pattern: "^(?!org\\.)((?i:[a-z])+\\.)*[a-z]+$" }, false);
  expect(validate(`${"Com.".repeat(2_000)}a`)).toEqual({ ok: true, value: [] });
  expect(validate(`${"Com.".repeat(2_000)}!`)).toMatchObject({
    ok: true,
    value: [expect.anything()],
  });
});

test("every worked case of statistics matches in the Worker's runtime", () => {
  expect(expectStatistics(statistics)).toBe(33);
});

test("every worked case of quality matches in the Worker's runtime", () => {
  expect(expectQuality(quality)).toBe(63);
});
