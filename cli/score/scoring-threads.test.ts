import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { scorePaths } from "./score-paths.ts";
import { threadsFor } from "./scoring-threads.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-threads-"));
afterAll(() => rmSync(folder, { recursive: true }));

const suite = suiteById("extraction") as Suite;
const count = 700;
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const sample = (i: number) => ({
  id: `s${i}`,
  text: `Name: Ada ${i}`,
  schema,
  expected_output: { name: `Ada ${i}` },
  tags: { language: i % 3 === 0 ? "en" : "de" },
});
const answer = (i: number) => ({
  id: `s${i}`,
  output: i % 7 === 0 ? "no JSON" : JSON.stringify({ name: i % 4 === 0 ? "Eva" : `Ada ${i}` }),
  latencyMs: 100 + i,
});
const rowsOf = (row: (i: number) => object) =>
  Array.from({ length: count }, (_, i) => JSON.stringify(row(i)));

/** Includes a line that is not JSON, a duplicate and an invalid expected output; some samples have no answer. */
const samples = rowsOf(sample).toSpliced(
  100,
  3,
  "{",
  JSON.stringify(sample(99)),
  JSON.stringify({ ...sample(102), expected_output: {} }),
);
const answers = rowsOf(answer)
  .filter((_, i) => i !== 100 && i !== 101 && i % 50 !== 0)
  .toReversed();

function scored(threads: number, lines: readonly string[] = answers) {
  const path = (name: string) => join(folder, name);
  writeFileSync(path("samples"), samples.join("\n"));
  writeFileSync(path("answers"), lines.join("\n"));
  const paths = { dataset: path("samples"), answers: path("answers"), samples: path("scores") };
  return scorePaths({
    ...paths,
    suite,
    options: suite.optionsSchema.parse({ repeats: 1 }),
    stdin: process.stdin,
    stdout: process.stdout,
    prices: null,
    fields: true,
    threads,
  }).then((result) => ({ result, lines: readFileSync(path("scores"), "utf8") }));
}

describe("scorePaths() with threads", () => {
  test("gives the same bytes for any number of threads", async () => {
    const alone = await scored(0);
    expect(alone.result.malformed.count).toBe(3);
    expect(alone.result.missing).toBe(13);
    expect(alone.lines.trimEnd().split("\n")).toHaveLength(count - 3);
    for (const threads of [1, 3]) {
      const { result, lines } = await scored(threads);
      expect(lines).toBe(alone.lines);
      expect(JSON.stringify(result)).toBe(JSON.stringify(alone.result));
    }
  });

  test("refuses an answer without a sample with the same message", async () => {
    const lines = [...answers, JSON.stringify({ ...answer(1), id: "unknown" })];
    const refusal = (threads: number) =>
      scored(threads, lines).then(String, (error: Error) => error.message);
    const alone = await refusal(0);
    expect(alone).toContain('the dataset has no sample with the id "unknown"');
    expect(await refusal(2)).toBe(alone);
  });
});

test("threadsFor() returns 0 for small files", () => {
  expect(threadsFor(1_000_000)).toBe(0);
  expect(threadsFor(1e12)).toBeLessThanOrEqual(3);
});
