import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../cli/local/root.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { defaultOptions } from "../../shared/suites/extraction/options.ts";
import { checkSample, prepareSchema } from "../../shared/suites/extraction/sample.ts";
import { schemaComplexity } from "../../shared/suites/extraction/score/schema-complexity.ts";
import { scoreExtraction } from "../../shared/suites/extraction/score/score.ts";
import { jsonLines } from "../support/json-lines.ts";
import { expectScored, type WorkedCase } from "./worked-cases.ts";

const cases = jsonLines<WorkedCase>(
  readFileSync(new URL("cases/extraction.jsonl", import.meta.url), "utf8"),
);

test.each(cases.map((one) => [one.sample.id, one] as const))(
  "scoreExtraction() scores %s",
  (_, one) => {
    const checked = checkSample(one.sample);
    if (!checked.ok) return expect.unreachable(checked.error);
    const answer = { ...emptyAnswer, output: one.output };
    expectScored(scoreExtraction(checked.value.sample, answer, defaultOptions).detail, one);
  },
);

const rows = jsonLines<JsonObject>(
  readFileSync(join(root, "shared/suites/extraction/stock.jsonl"), "utf8"),
);

const samples = rows.map((row) => {
  const checked = checkSample(row);
  if (!checked.ok) throw new Error(`${row["id"]}: ${checked.error}`);
  return checked.value;
});

test("the stock dataset has at least 60 valid samples without schema warnings", () => {
  expect(samples.length).toBeGreaterThanOrEqual(60);
  expect(samples.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(new Set(rows.map((row) => row["id"])).size).toBe(rows.length);
});

test("the stock dataset covers at least 12 kinds of documents, with enough samples per domain and bin", () => {
  const tags = rows.map((row) => (isJsonObject(row["tags"]) ? row["tags"] : {}));
  expect(new Set(tags.map((tag) => tag["document"])).size).toBeGreaterThanOrEqual(12);
  const domains = [...Map.groupBy(tags, (tag) => tag["domain"]).values()];
  expect(domains.length).toBeGreaterThanOrEqual(5);
  for (const { length } of domains) expect(length).toBeGreaterThanOrEqual(10);
  const bins = samples.map(
    ({ sample }) => schemaComplexity(prepareSchema(sample.schema, false).place).bin,
  );
  for (const bin of ["simple", "medium", "complex"]) {
    expect(bins.filter((one) => one === bin).length, bin).toBeGreaterThanOrEqual(15);
  }
});

test.each(samples.map(({ sample }) => [sample.id, sample] as const))(
  "%s scores 1 with its gold as the answer",
  (_id, sample) => {
    const answer = { ...emptyAnswer, output: JSON.stringify(sample.expected_output) };
    const { score, detail } = scoreExtraction(sample, answer, defaultOptions);
    expect(score).toBe(1);
    expect(detail).toMatchObject({ valid: true, exactMatch: true });
  },
);
