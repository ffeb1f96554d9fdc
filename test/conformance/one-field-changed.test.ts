import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../cli/local/root.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { defaultOptions } from "../../shared/suites/extraction/options.ts";
import { checkSample, type ExtractionSample } from "../../shared/suites/extraction/sample.ts";
import {
  type ExtractionDetail,
  scoreExtraction,
} from "../../shared/suites/extraction/score/score.ts";
import { changedLeaves } from "./changed-leaves.ts";

/** A folder with rows of paraloq/json_data_extraction in `rows.jsonl`, which the project does not hold. */
const paraloq = process.env["PARALOQ_DIR"];

const datasets: [name: string, file: string | null][] = [
  ["the stock dataset", join(root, "shared/suites/extraction/stock.jsonl")],
  ["paraloq (PARALOQ_DIR)", paraloq === undefined ? null : join(paraloq, "rows.jsonl")],
];

const perfect = {
  eqs: 1,
  valid: true,
  exactMatch: true,
  typeAccuracy: 1,
  strictF1: 1,
  partialF1: 1,
  lenientF1: 1,
  hallucinationRate: 0,
  omissionRate: 0,
};

function samplesOf(file: string): ExtractionSample[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const checked = checkSample(JSON.parse(line));
    if (!checked.ok) throw new Error(`${line.slice(0, 80)}: ${checked.error}`);
    return checked.value.sample;
  });
}

function scored(sample: ExtractionSample, value: Json): ExtractionDetail {
  const answer = { ...emptyAnswer, output: JSON.stringify(value) };
  return scoreExtraction(sample, answer, defaultOptions).detail as ExtractionDetail;
}

describe.each(datasets)("%s", (_, file) => {
  if (file === null) return test.skip("is not at hand");
  const samples = samplesOf(file);
  const rows = samples.map((sample) => [sample.id, sample] as const);

  test.each(rows)("%s with its gold as answer is perfect", (_id, sample) => {
    expect(scored(sample, sample.expected_output)).toMatchObject(perfect);
  });

  test.each(rows)("%s loses each field that is changed alone", (_id, sample) => {
    const { fields: all } = scored(sample, sample.expected_output);
    const changeable = all.filter(({ expectedType }) => expectedType !== "object");
    const changes = [...changedLeaves(sample.expected_output)];
    expect(changes.map(({ path }) => path)).toEqual(changeable.map(({ path }) => path));
    for (const { path, value } of changes) {
      const detail = scored(sample, value);
      const { exact, missed, spurious, exactMatch, fields } = detail.salvage ?? detail;
      const lost = fields.filter(({ category }) => category !== "exact");
      expect(lost.map((field) => field.path)).toEqual([path]);
      expect({ exact, missed, spurious, exactMatch }).toEqual({
        exact: all.length - 1,
        missed: 0,
        spurious: 0,
        exactMatch: false,
      });
    }
  });
});
