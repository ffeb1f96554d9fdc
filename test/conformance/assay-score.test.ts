import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { assayProcess } from "../cli/support/assay.ts";
import { folderWith } from "../cli/support/folder-with.ts";
import { jsonLines } from "../support/json-lines.ts";
import { expectScored, type WorkedCase } from "./worked-cases.ts";

const read = jsonLines<WorkedCase>(
  readFileSync(new URL("cases/extraction.jsonl", import.meta.url), "utf8"),
);
// Ids must be unique in a file. The ids of cases name the tested rule and may repeat.
const cases = read.map((one, i): WorkedCase => {
  return { ...one, sample: { ...one.sample, id: `${i}/${one.sample.id}` } };
});
const folder = folderWith({
  "samples.jsonl": cases.map(({ sample }) => sample),
  // Reversed, because answers may be in any order.
  "answers.jsonl": cases.map(({ sample, output }) => ({ id: sample.id, output })).reverse(),
});
afterAll(folder.dispose);

const path = (name: string) => join(folder.path, name);
const outcome = await assayProcess([
  "score",
  "extraction",
  "--json",
  "--samples",
  path("scores.jsonl"),
  "--dataset",
  path("samples.jsonl"),
  "--answers",
  path("answers.jsonl"),
]);

describe("assay score on the worked cases of extraction", () => {
  test("uses every sample", () => {
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    const { dataset, answers } = JSON.parse(outcome.stdout);
    expect(dataset).toMatchObject({ samples: cases.length, malformedCount: 0 });
    expect(answers).toEqual({
      wanted: cases.length,
      missing: 0,
      unscored: 0,
      warnings: [],
      warningsCount: 0,
    });
  });

  const written = outcome.code === 0 ? readFileSync(path("scores.jsonl"), "utf8") : "";
  const lines = written.trimEnd().split("\n");
  test.each(cases.map((one, i) => [one.sample.id, one, i] as const))("scores %s", (id, one, i) => {
    const line = JSON.parse(lines[i] ?? "{}");
    expect(line.id).toBe(id);
    expectScored(line, one);
  });
});
