import { expect, it } from "vitest";
import type { Attempts } from "#shared/contracts/boards/leaderboard.ts";
import { attemptParts, attemptsText } from "./attempts.ts";

const none: Attempts = {
  total: 0,
  finished: 0,
  failed: 0,
  cancelled: 0,
  running: 0,
  unlisted: 0,
  hidden: 0,
  deleted: 0,
};

it.each([
  ["", { total: 1, finished: 1 }, "1 finished"],
  [
    "newest of 7",
    { total: 7, finished: 4, failed: 2, running: 1 },
    "4 finished, 2 failed, 1 running",
  ],
  ["newest listed of 3", { total: 3, finished: 1, unlisted: 2 }, "1 finished, 2 unlisted"],
  [
    "newest listed of 1,200",
    { total: 1200, finished: 1199, deleted: 1 },
    "1,199 finished, 1 deleted",
  ],
  ["newest listed of 2", { total: 2, finished: 1, hidden: 1 }, "1 finished, 1 hidden"],
])("attemptsText() is %j, and attemptParts() lists each outcome", (text, counts, parts) => {
  const attempts = { ...none, ...counts };
  expect(attemptsText(attempts)).toBe(text);
  expect(attemptParts(attempts)).toBe(parts);
});
