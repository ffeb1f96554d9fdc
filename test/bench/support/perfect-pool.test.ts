import { expect, test } from "vitest";
import { perfectPoolMs } from "./perfect-pool.ts";

test.each([
  [[], 3, 0],
  [[500, 500, 500, 500], 2, 1000],
  [[3, 1, 2], 2, 3],
  [[10, 1, 1, 1, 1], 2, 10],
  [[1, 1, 1, 10], 2, 11],
])("perfectPoolMs(%j, %i) is %i", (latencies, size, expected) => {
  expect(perfectPoolMs(latencies, size)).toBe(expected);
});
