import { expect, it, test } from "vitest";
import { intervalBasis, intervalNote, roughNote } from "./interval-basis.ts";

test.each([
  ["clusters", 3, true, /based on 3 clusters of samples .* fewer than 20 clusters/],
  ["clusters", 19, true, /fewer than 20 clusters/],
  [
    "clusters",
    20,
    false,
    /based on 20 clusters of samples .* With fewer than 30 they are rough\.$/,
  ],
  ["clusters", 30, false, /based on 30 clusters of samples [^.]*\.$/],
  ["clusters", 1, true, /1 cluster of samples .* So there are no intervals\.$/],
  ["blocks", 4096, false, /stored as 4,096 groups [^.]*0\.1%\.$/],
  ["blocks", 3, true, /3 groups .* fewer than 20 groups/],
] as const)("intervalBasis() of %s, %d of them", (kind, count, isFew, text) => {
  expect(intervalBasis({ kind, count })).toEqual({ isFew, text: expect.stringMatching(text) });
});

it("intervalBasis() is null for single samples", () => {
  expect(intervalBasis({ kind: "samples", count: 5 })).toBeNull();
  expect(intervalNote({ kind: "samples", count: 30 })).toBeNull();
});

it("intervalNote() warns of fewer than 30 samples", () => {
  const few = intervalNote({ kind: "samples", count: 29 });
  expect(JSON.stringify(few)).toContain("29 samples: with fewer than 30, intervals and tests");
});

it("roughNote() warns of fewer than 30 samples or clusters", () => {
  expect(roughNote({ kind: "samples", count: 29 })).toContain("compared on 29 samples");
  expect(roughNote({ kind: "samples", count: 30 })).toBeNull();
  expect(roughNote({ kind: "clusters", count: 25 })).toContain("based on 25 clusters");
  expect(roughNote({ kind: "clusters", count: 3 })).toContain("fewer than 20 clusters");
});

it("intervalNote() is highlighted if there are few clusters", () => {
  expect(intervalNote({ kind: "clusters", count: 3 })).toMatchObject({
    tone: "fair",
    brief: true,
  });
  expect(intervalNote({ kind: "clusters", count: 30 })?.tone).toBe("neutral");
});
