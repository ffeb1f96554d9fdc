import { expect, test } from "vitest";
import type { PairedTest } from "../../contracts/boards/comparison.ts";
import type { SweepTest } from "../../contracts/submissions/sweep.ts";
import { sweepVerdict } from "./sweep-verdict.ts";

const metric = { label: "Overall quality", better: "higher" as const, format: "score" as const };

const variants = (count: number, leftOut = 0) =>
  Array.from({ length: count }, (_, i) => ({
    run: `r${i}`,
    variant: { temperature: i / 10 },
    leftOut: i >= count - leftOut ? "cancelled" : null,
  }));

/** The first of `count` variants leads; the next `tied` ones do not differ significantly from it. */
function aTest(count: number, tied: number, pHolm = 0.0123): SweepTest {
  const runs = Array.from({ length: count }, (_, i) => `r${i}`);
  return {
    metric: "overall",
    better: "higher",
    samples: 50,
    units: { kind: "samples", count: 50 },
    leader: "r0",
    best: tied === 0 ? "r0" : null,
    tied: runs.slice(1, 1 + tied),
    variants: runs.map((run, i) => ({
      run,
      value: 0.8123 - i / 100,
      interval: null,
      versusLeader: i === 0 ? null : ({ pHolm } as PairedTest),
    })),
  };
}

test.each([
  [
    aTest(3, 0),
    "temperature 0 is best: Overall quality 0.812, significantly higher than each of the 2 other variants (corrected p ≤ 0.012).",
  ],
  [
    aTest(2, 0, 1e-5),
    "temperature 0 is best: Overall quality 0.812, significantly higher than the other variant (corrected p < 0.001).",
  ],
  [
    aTest(3, 2),
    "No variant can be named best: temperature 0 has the highest Overall quality 0.812, but is not significantly different from any of the other 2.",
  ],
  [
    aTest(2, 1),
    "No variant can be named best: temperature 0 has the highest Overall quality 0.812, but is not significantly different from the other.",
  ],
  [
    aTest(9, 7),
    "No variant can be named best: temperature 0 has the highest Overall quality 0.812, but is not significantly different from 7 of the other 8: temperature 0.1; temperature 0.2; temperature 0.3; temperature 0.4; temperature 0.5; and 2 more.",
  ],
  [
    { ...aTest(2, 1), variants: aTest(2, 1).variants.map((one) => ({ ...one, value: 0.5 })) },
    "No variant can be named best: all have the same Overall quality 0.500.",
  ],
  [
    { ...aTest(2, 0), best: null },
    "No variant can be named best: temperature 0 has the highest Overall quality 0.812, but a difference that is the same on every sample can't be tested.",
  ],
])("sweepVerdict() %#", (found, verdict) => {
  expect(sweepVerdict(variants(found.variants.length), found, metric, null)).toBe(verdict);
});

test("sweepVerdict() says why nothing was tested, and how many variants are omitted", () => {
  expect(sweepVerdict(variants(3, 2), null, metric, "only one variant has scores")).toBe(
    "No variant can be named best: only one variant has scores. 2 of 3 variants are left out.",
  );
  expect(sweepVerdict(variants(3, 1), aTest(2, 0), metric, null)).toMatch(
    / 1 of 3 variants is left out\.$/,
  );
});
