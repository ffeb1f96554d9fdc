import { expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";

it.each([
  ["waits at least half the ceiling", 0, null, 0, 250],
  ["waits at most the ceiling", 0, null, 1, 500],
  ["doubles with every retry", 2, null, 0, 1000],
  ["stops growing at 10 s", 20, null, 1, 10_000],
  ["waits as long as the endpoint asks", 0, 1_234, 0.5, 1_234],
  ["never waits longer than 10 s for an endpoint", 0, 3_600_000, 0.5, 10_000],
])("backoffMs() %s", (_case, retry, asked, chance, expected) => {
  expect(backoffMs(retry, asked, () => chance)).toBe(expected);
});
