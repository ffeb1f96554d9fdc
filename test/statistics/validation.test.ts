import { expect, it } from "vitest";
import { type Check, holds } from "../validation/check.ts";
import { coverage } from "../validation/coverage.ts";
import { falseAlarms, foundDrifts } from "../validation/drift.ts";
import { falsePositives } from "../validation/false-positives.ts";

/** A fiftieth of the simulations of npm run validate, with more slack. */
const SCALE = 0.02;

it.each([
  ["coverage", coverage],
  ["false positives", falsePositives],
  ["false alarms", falseAlarms],
  ["found drifts", foundDrifts],
] as const)("%s is as npm run validate shows it, in few simulations", (_, make) => {
  const missed: Check[] = [];
  for (const check of make(SCALE)) if (!holds(check, 3.5)) missed.push(check);
  expect(missed).toEqual([]);
});

it("holds() is a matter of the share, its bounds and its standard errors", () => {
  const check = { group: "", what: "", of: 100, happened: 90 };
  expect(holds({ ...check, least: 0.95 }, 1)).toBe(false);
  expect(holds({ ...check, least: 0.95 }, 3)).toBe(true);
  expect(holds({ ...check, most: 0.85 }, 1)).toBe(false);
  expect(holds(check, 0)).toBe(true);
});
