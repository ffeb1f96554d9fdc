import { expect, it } from "vitest";
import { datasetChangeText } from "./dataset-change-text.ts";

const metric = { label: "EQS", format: "score" } as const;
const unchanged = (difference: number, interval: [number, number] | null) => ({
  n: 1058,
  difference,
  interval,
});

it.each([
  [
    { difference: -0.1, unchanged: unchanged(0, [-0.02, 0.02]), isFlagged: false },
    "EQS \u22120.100, put to the dataset; 0.000 (95% interval \u22120.020 to +0.020) over the 1,058 samples that are the same in both",
  ],
  [
    { difference: -0.394, unchanged: unchanged(-0.4, null), isFlagged: true },
    "EQS \u22120.394; \u22120.400 over the 1,058 samples that are the same in both, which is flagged as a drift",
  ],
  [
    { difference: 0.25, unchanged: null, isFlagged: false },
    "EQS +0.250, put to the dataset: no sample is the same in both",
  ],
])("datasetChangeText() of %j", (change, text) => {
  expect(datasetChangeText(change, metric)).toBe(text);
});
