import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectQuality } from "./quality-cases.ts";

test("every worked case of the quality suite matches in Node", () => {
  const path = new URL("cases/quality.jsonl", import.meta.url);
  expect(expectQuality(readFileSync(path, "utf8"))).toBe(63);
});
