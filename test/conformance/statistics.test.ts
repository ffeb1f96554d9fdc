import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectStatistics } from "./statistics-cases.ts";

test("every worked case of statistics matches in Node", () => {
  const path = new URL("cases/statistics.jsonl", import.meta.url);
  expect(expectStatistics(readFileSync(path, "utf8"))).toBe(33);
});
