import { expect, test } from "vitest";
import { publicationCosts } from "./support/publication.ts";

/** Fewer than the 10,000 of `npm run bench -- publication`, which gives the same results. */
const RUNS = 1_500;

test(`publishing ${RUNS} runs on one board needs 64 MB of heap, and one more run costs only its changes`, async () => {
  const { rankAll, publishAll, publishOne, changeOne } = await publicationCosts({
    runs: RUNS,
    rounds: 1,
  });
  // One object per run, 128 pages, the board, and pages of datasets.
  expect(publishAll.r2Writes).toBeGreaterThan(RUNS);
  expect(publishAll.r2Writes).toBeLessThan(RUNS + 160);
  expect(rankAll.r2Reads).toBe(100);
  // The run, its page, the board and the board's page.
  expect(publishOne.r2Writes).toBe(4);
  expect(publishOne.r2Bytes).toBeLessThan(500_000);
  expect(publishOne.d1RowsReturned).toBeLessThan(100);
  expect(publishOne.d1Calls).toBeLessThan(40);
  // The page without the hidden run.
  expect(changeOne.r2Writes).toBe(1);
}, 240_000);
