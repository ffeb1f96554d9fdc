import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { defaultOptions } from "../../shared/suites/extraction/options.ts";
import { checkSample } from "../../shared/suites/extraction/sample.ts";
import { scoreExtraction } from "../../shared/suites/extraction/score.ts";

const rows = readFileSync(new URL("extraction.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Every number within 1e-9, everything else the same, every key of `expected` there. */
function expectClose(actual: unknown, expected: object): void {
  for (const [key, value] of Object.entries(expected)) {
    const found = (actual as Record<string, unknown>)[key];
    if (typeof value === "number") {
      expect(typeof found, key).toBe("number");
      expect(Math.abs((found as number) - value), key).toBeLessThan(1e-9);
    } else if (typeof value === "object" && value !== null) expectClose(found, value);
    else expect(found, key).toBe(value);
  }
}

test.each(rows.map((row) => [row.sample.id, row]))("scoreExtraction() scores %s", (_, row) => {
  const checked = checkSample(row.sample);
  if (!checked.ok) throw new Error(checked.error);
  const answer = { ...emptyAnswer, output: row.output };
  const { detail } = scoreExtraction(checked.value.sample, answer, defaultOptions);
  expectClose(detail, row.expected);
  expect(detail.salvage === undefined).toBe(row.expected.salvage === undefined);
});
