import { expect, test } from "vitest";
import { answerAdvice, shareAdvice } from "./answer-advice.ts";

const rule = {
  ...({ tone: "poor", change: "mode", cell: "Unreadable", action: "Do." } as const),
  finding: "could not be read.",
  limit: 0.02,
};

test("shareAdvice() names the share, its interval and n", () => {
  expect(shareAdvice({ ...rule, count: 1_200, n: 4_000 })).toEqual({
    tone: "poor",
    change: "mode",
    cell: "Unreadable",
    action: "Do.",
    format: "percent",
    finding: "1,200 of 4,000 answers (30.0%) could not be read.",
    value: 0.3,
    n: 4_000,
    interval: [expect.closeTo(0.286, 3), expect.closeTo(0.314, 3)],
  });
  expect(shareAdvice({ ...rule, things: "calls", count: 9, n: 10 })?.finding).toMatch(
    /^9 of 10 calls/,
  );
});

test.each([
  [1, 100],
  [3, 100],
  [0, 10],
  [0, 0],
  [9, 9],
])("shareAdvice() of %d in %d gives no advice", (count, n) => {
  expect(shareAdvice({ ...rule, count, n })).toBeNull();
});

test("answerAdvice() looks at failed requests and at answers that were cut off", () => {
  expect(answerAdvice({}, 100, 512)).toEqual([]);
  const counts = { "status error": 20, truncated: 10 };
  expect(
    answerAdvice(counts, 100, 4_096).map(({ cell, value, action }) => [cell, value, action]),
  ).toEqual([
    ["Failed requests", 0.2, expect.stringContaining("concurrency")],
    ["Cut off answers", 0.1, expect.stringContaining("maxTokens above 4,096")],
  ]);
});
