import { expect, test } from "vitest";
import { thresholdDigits, thresholdText } from "./hybrid-section.ts";

const curve = [0, 0.00281, 0.00284, 0.0034, 0.5, 1].map((threshold) => ({ threshold }));

test.each([
  [0, "0.000"],
  // 0.003 would be above this threshold, and 0.0028 below the previous one.
  [0.00284, "0.00284"],
  [0.0034, "0.003"],
  [0.5, "0.500"],
  [1, "1.000"],
  [0.57, "0.570"],
])("thresholdDigits(%d) is %s, with the same routing", (threshold, digits) => {
  expect(thresholdDigits(threshold, curve)).toBe(digits);
  const below = curve.filter((one) => one.threshold < threshold);
  expect(Number(digits)).toBeLessThanOrEqual(threshold);
  for (const one of below) expect(Number(digits)).toBeGreaterThan(one.threshold);
});

test("thresholdDigits() returns all digits if a dozen decimals can't distinguish a threshold", () => {
  const threshold = 0.1 + 2e-14;
  expect(thresholdDigits(threshold, [{ threshold: 0.1 }])).toBe(String(threshold));
});

test("thresholdText() names the cloud if the threshold is null", () => {
  expect(thresholdText({ threshold: null }, curve)).toBe("only the cloud");
  expect(thresholdText({ threshold: 0.5 }, curve)).toBe("a threshold of 0.500");
});
