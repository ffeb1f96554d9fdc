import { expect, it } from "vitest";
import { type Check, holds } from "../validation/check.ts";
import { coverage } from "../validation/coverage.ts";
import { detectedDrops, falseAlarms, foundDrifts } from "../validation/drift.ts";
import { falsePositives, marginLevel } from "../validation/false-positives.ts";
import { hostLevel } from "../validation/hosts.ts";
import { correctedMeans } from "../validation/people.ts";

/**
 * Small versions of the simulations of npm run validate, with a tolerance in standard errors: small enough to detect
 * the plain bootstrap, whose intervals of 15 samples cover 84 to 90%, and a detector that finds half as many changes.
 */
const quick: readonly [what: string, make: () => Generator<Check>, errors: number][] = [
  ["coverage", () => coverage(0.02, 0.1, 2_000), 2],
  ["means corrected by people", () => correctedMeans(0.2), 2],
  ["false positives", () => falsePositives(0.02), 3],
  ["tests against a margin", () => marginLevel(0.02), 3],
  ["verdicts on hosts", () => hostLevel(0.05), 3],
  ["false alarms", () => falseAlarms(0.02), 3],
  ["found drifts", () => foundDrifts(0.15), 2],
  ["drops as shown", () => detectedDrops(0.15), 2],
];

it.each(quick)(
  "%s are within the bounds of npm run validate in a few simulations",
  (_, make, errors) => {
    const missed: Check[] = [];
    for (const check of make()) if (!holds(check, errors)) missed.push(check);
    expect(missed).toEqual([]);
  },
);

it("holds() checks the share against its bounds with a tolerance in standard errors", () => {
  const check = { group: "", what: "", of: 100, happened: 90 };
  expect(holds({ ...check, least: 0.95 }, 1)).toBe(false);
  expect(holds({ ...check, least: 0.95 }, 3)).toBe(true);
  expect(holds({ ...check, most: 0.85 }, 1)).toBe(false);
  expect(holds(check, 0)).toBe(true);
});
