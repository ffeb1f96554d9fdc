import { expect, test } from "vitest";
import { standingTone, toneBeside } from "./standing-tones.ts";

test.each([
  [[0.8, 0.9], 0.7, "above"],
  [[0.5, 0.6], 0.7, "below"],
  [[0.6, 0.8], 0.7, "neutral"],
  [null, 0.7, "neutral"],
  [[0.6, 0.8], null, "neutral"],
] as const)("toneBeside(%j, %j) is %s", (interval, whole, tone) => {
  expect(toneBeside(interval, whole)).toBe(tone);
});

test("standingTone() of a part that is level or unknown is neutral", () => {
  expect([standingTone("above"), standingTone("level"), standingTone(null)]).toEqual([
    "above",
    "neutral",
    "neutral",
  ]);
});
