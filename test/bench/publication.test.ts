import { expect, test } from "vitest";
import { publicationCosts } from "./support/publication.ts";

/** Of 10,000 runs `npm run bench -- publication` says the same. */
const RUNS = 1_500;

test(`${RUNS} runs on one board are published in a heap of 64 MB, and one more costs what changed`, async () => {
  const { rankAll, publishAll, publishOne, changeOne } = await publicationCosts({
    runs: RUNS,
    rounds: 1,
  });
  // An object a run, 128 pages, the board, datasets by page.
  expect(publishAll.r2Writes).toBeGreaterThan(RUNS);
  expect(publishAll.r2Writes).toBeLessThan(RUNS + 160);
  expect(rankAll.r2Reads).toBe(100);
  // The run and its page, the board and its page.
  expect(publishOne.r2Writes).toBe(4);
  expect(publishOne.r2Bytes).toBeLessThan(500_000);
  expect(publishOne.d1RowsReturned).toBeLessThan(100);
  expect(publishOne.d1Calls).toBeLessThan(40);
  // A page without it.
  expect(changeOne.r2Writes).toBe(1);
}, 240_000);
