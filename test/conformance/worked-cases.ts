import { expect } from "vitest";

/** A worked case: a sample, a model's output, and what it must earn. */
export interface WorkedCase {
  sample: { id: string } & Record<string, unknown>;
  output: string;
  expected: Record<string, unknown>;
}

/** How far a number may be off. */
const TOLERANCE = 1e-9;

/** Every key of `expected` is in `actual`: numbers within 1e-9, everything else the same. */
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

/** Whether a scoring is what the case expects, salvage only where there is something to salvage. */
export function expectScored(detail: unknown, { expected }: WorkedCase): void {
  expectClose(detail, expected);
  const { salvage } = detail as { salvage?: unknown };
  expect(salvage === undefined).toBe(expected["salvage"] === undefined);
}
