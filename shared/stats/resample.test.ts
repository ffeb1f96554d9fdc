import { expect, test } from "vitest";
import { forEachResample, resampleCount } from "./resample.ts";

test("forEachResample() draws as many units as there are, every time", () => {
  let visits = 0;
  forEachResample(7, "run", (times) => {
    visits++;
    if (times.reduce((sum, one) => sum + one, 0) !== 7) throw new Error("wrong total");
  });
  expect(visits).toBe(resampleCount);
});
