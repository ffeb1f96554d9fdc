import { expect, it, test } from "vitest";
import type { BarsBlock } from "../../../contracts/report.ts";
import { barsOfParts, fewSamplesText, partInterval } from "./part-interval.ts";

test.each([
  [19, null],
  [20, [0.2, 0.9]],
] as const)("partInterval() of %d samples is %j", (n, shown) => {
  expect(partInterval(n, [0.2, 0.9])).toEqual(shown);
});

test.each([
  ["all parts are large enough", [{ n: 20, value: 0.5 }], null],
  ["the small part has no value", [{ n: 3, value: null }], null],
  ["there are no parts", [], null],
  [
    "one part is small",
    [
      { n: 40, value: 0.5 },
      { n: 3, value: 0 },
    ],
    /fewer than 20 samples/,
  ],
] as const)("fewSamplesText() where %s", (_what, parts, text) => {
  const found = fewSamplesText(parts);
  if (text === null) expect(found).toBeNull();
  else expect(found).toMatch(text);
});

it("barsOfParts() shows small parts with value and n, and says why, once", () => {
  const bar = (label: string, n: number): BarsBlock["bars"][number] => ({
    label,
    n,
    value: 0.5,
    interval: [0.4, 0.6],
    tone: "neutral",
  });
  const block = { kind: "bars" as const, title: "By topic", format: "score" as const, legend: [] };
  const shown = barsOfParts({ ...block, bars: [bar("large", 20), bar("small", 2)] });
  expect(shown.bars.map(({ value, n, interval }) => [value, n, interval])).toEqual([
    [0.5, 20, [0.4, 0.6]],
    [0.5, 2, null],
  ]);
  expect(shown.below).toMatch(/fewer than 20 samples/);
  expect(barsOfParts({ ...block, bars: [bar("large", 20)] })).not.toHaveProperty("below");
});

it("barsOfParts() does not grade small parts, and explains this in the key", () => {
  const bar = (label: string, n: number): BarsBlock["bars"][number] => ({
    label,
    n,
    value: 1,
    interval: null,
    tone: "excellent",
  });
  const legend: BarsBlock["legend"] = [{ tone: "excellent", label: "Excellent from 0.9" }];
  const block = { kind: "bars" as const, title: "By topic", format: "score" as const, legend };
  const mixed = barsOfParts({ ...block, bars: [bar("large", 20), bar("small", 1)] });
  expect(mixed.bars.map(({ tone }) => tone)).toEqual(["excellent", "neutral"]);
  expect(mixed.legend.map(({ tone }) => tone)).toEqual(["excellent", "neutral"]);
  const small = barsOfParts({ ...block, bars: [bar("small", 19)] });
  expect(small.legend).toEqual([{ tone: "neutral", label: "On fewer than 20 samples" }]);
  expect(barsOfParts({ ...block, bars: [bar("large", 20)] }).legend).toEqual(legend);
});
