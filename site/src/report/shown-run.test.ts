import { expect, it } from "vitest";
import { isEstimated } from "./shown-run.ts";

it.each([
  ["f1", "ratio", true],
  ["empathy", "level", true],
  ["latencyP95", "ms", true],
  ["latencyMax", "ms", false],
  ["generationTime", "ms", false],
  ["costPer1kUsd", "usd", true],
  ["costUsd", "usd", false],
  ["inputTokens", "tokens", false],
] as const)("isEstimated() of %s, in %s, is %s", (id, unit, is) => {
  expect(isEstimated({ id, unit })).toBe(is);
});
