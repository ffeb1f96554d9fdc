import { expect, test } from "vitest";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import extraction from "../conformance/extraction.jsonl?raw";
import quality from "../conformance/quality.jsonl?raw";
import { expectQuality } from "../conformance/quality-cases.ts";
import statistics from "../conformance/statistics.jsonl?raw";
import { expectStatistics } from "../conformance/statistics-cases.ts";
import { expectScored, workedCases } from "../conformance/worked-cases.ts";

const files = { extraction };

test.each(Object.entries(files))(
  "suite %s scores its worked cases in the Worker's runtime",
  (id, jsonl) => {
    const suite = suiteById(id);
    if (!suite) return expect.unreachable(`there is no suite ${id}`);
    const options = suite.optionsSchema.parse({});
    const cases = workedCases(jsonl);
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

test("every worked case of statistics matches in the Worker's runtime", () => {
  expect(expectStatistics(statistics)).toBe(33);
});

test("every worked case of quality matches in the Worker's runtime", () => {
  expect(expectQuality(quality)).toBe(63);
});
