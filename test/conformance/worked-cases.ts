import { expect } from "vitest";

/** A worked case: a sample, a model's output and the expected score. */
export interface WorkedCase {
  sample: { id: string } & Record<string, unknown>;
  output: string;
  expected: Record<string, unknown>;
}

/** Largest accepted difference of a number. */
const TOLERANCE = 1e-9;

/** Expects every key of `expected` in `actual`: numbers within 1e-9, everything else equal. */
function expectClose(actual: unknown, expected: object): void {
  for (const [key, value] of Object.entries(expected)) {
    const found = (actual as Record<string, unknown>)[key];
    if (typeof value === "number") {
      expect(typeof found, key).toBe("number");
      expect(Math.abs((found as number) - value), key).toBeLessThan(TOLERANCE);
    } else if (typeof value === "object" && value !== null) expectClose(found, value);
    else expect(found, key).toBe(value);
  }
}

/** Expects the scores of the case, and salvage only if the case has it. */
export function expectScored(detail: unknown, { expected }: WorkedCase): void {
  expectClose(detail, expected);
  const { salvage } = detail as { salvage?: unknown };
  expect(salvage === undefined).toBe(expected["salvage"] === undefined);
}
