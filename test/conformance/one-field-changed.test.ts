import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../cli/local/root.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { isJsonObject, type Json } from "../../shared/contracts/json.ts";
import { defaultOptions } from "../../shared/suites/extraction/options.ts";
import { checkSample, type ExtractionSample } from "../../shared/suites/extraction/sample.ts";
import {
  elementPath,
  propertyPath,
} from "../../shared/suites/extraction/score/fields/field-place.ts";
import {
  type ExtractionDetail,
  scoreExtraction,
} from "../../shared/suites/extraction/score/score.ts";

/** A folder with rows of paraloq/json_data_extraction in `rows.jsonl`; not part of the repository. */
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
  if (file === null) return test.skip("is not available");
  const samples = samplesOf(file);
  const rows = samples.map((sample) => [sample.id, sample] as const);

  test.each(rows)("%s has perfect metrics with its gold as the answer", (_id, sample) => {
    expect(scored(sample, sample.expected_output)).toMatchObject(perfect);
  });

  test.each(rows)("%s loses exactly the one field that is changed", (_id, sample) => {
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

/** A copy of the gold with another value of the same type in one field, and the path of the field. */
interface ChangedLeaf {
  path: string;
  value: Json;
}

/** Changes each field of `value` once. Skips `{}`, since a replacement would be another field. */
function* changedLeaves(value: Json, path = ""): Generator<ChangedLeaf> {
  if (isJsonObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      for (const changed of changedLeaves(part, propertyPath(path, name))) {
        yield { ...changed, value: { ...value, [name]: changed.value } };
      }
    }
  } else if (Array.isArray(value) && value.some((part) => typeof part === "object" && part)) {
    for (const [i, part] of value.entries()) {
      for (const changed of changedLeaves(part, elementPath(path, i))) {
        yield { ...changed, value: value.with(i, changed.value) };
      }
    }
  } else if (value !== null) yield { path, value: another(value) };
}

function another(leaf: Json): Json {
  if (Array.isArray(leaf)) return ["an element of another list"];
  switch (typeof leaf) {
    case "string":
      return `+++ ${[...leaf].reverse().join("")}`;
    case "number":
      return leaf * 2 + 1;
    default:
      return !leaf;
  }
}
