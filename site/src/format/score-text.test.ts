import { expect, it } from "vitest";
import { scoreText } from "./score-text.ts";

it.each([
  [0.967, [0.93, 0.99], "EQS 0.967 (95% interval 0.930–0.990)"],
  [0.967, null, "EQS 0.967"],
  [null, null, "EQS not measured"],
] as const)("scoreText() of %j with %j is %s", (value, interval, text) => {
  const estimate = { value, interval: interval && ([...interval] as [number, number]) };
  expect(scoreText({ label: "EQS", format: "score" }, estimate)).toBe(text);
});
