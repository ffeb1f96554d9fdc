import { expect, test } from "vitest";
import { sessionOrder } from "./session-order.ts";

test.each([
  [[], []],
  [
    [3, 1, 2],
    [1, 2, 0],
  ],
  [
    ["s10", "s9"],
    [1, 0],
  ],
  [
    ["2025-02-01", "2025-01-31"],
    [1, 0],
  ],
  [
    ["a", "a"],
    [0, 1],
  ],
  [
    ["1", 10, 9],
    [2, 1, 0],
  ],
])("sessionOrder() of %j is %j", (sessions: (string | number)[], order: number[]) => {
  expect(sessionOrder(sessions.map((session) => ({ session })))).toEqual(order);
});
