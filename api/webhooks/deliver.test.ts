import { expect, it } from "vitest";
import { MAX_ATTEMPTS, nextAttemptAt } from "./deliver.ts";

const HOUR_MS = 3_600_000;

it("nextAttemptAt() follows the Standard Webhooks schedule for three days and some hours", () => {
  let at = 0;
  const seconds: number[] = [];
  for (let attempts = 1; ; attempts++) {
    const next = nextAttemptAt(attempts, at, null, 0);
    if (next === null) break;
    at = next;
    seconds.push(at / 1000);
  }
  expect(seconds).toEqual([5, 305, 2105, 9305, 27305, 63305, 113705, 185705, 272105]);
  expect(seconds).toHaveLength(MAX_ATTEMPTS - 1);
});

it.each([
  ["waits as long as the receiver asks", 1, 60_000, 0, 60_000],
  ["never waits less than the schedule", 2, 1_000, 0, 300_000],
  ["waits at most a day", 1, 99 * HOUR_MS, 0, 24 * HOUR_MS],
  ["adds up to a tenth at random", 2, null, 0.999, 329_970],
] as const)("nextAttemptAt() %s", (_case, attempts, retryAfterMs, random, expected) => {
  expect(nextAttemptAt(attempts, 0, retryAfterMs, random)).toBe(expected);
});
