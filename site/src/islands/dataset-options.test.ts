import { expect, it } from "vitest";
import { datasetOptions, datasetRef } from "./dataset-options.ts";

const [newer, older] = ["a".repeat(64), "b".repeat(64)];
const options = datasetOptions([
  { name: "stock", version: newer, samples: 48 },
  { name: "acme/one", version: newer, samples: 1 },
  { name: "stock", version: older, samples: 40 },
]);

it("datasetOptions() names the newest version of a dataset by its name alone", () => {
  expect(options.map(({ ref, label }) => [ref, label])).toEqual([
    ["stock", "stock (48 samples)"],
    ["acme/one", "acme/one (1 sample)"],
    ["stock@bbbbbbbbbbbb", "stock, version bbbbbbbbbbbb (40 samples)"],
  ]);
});

it.each([
  [{ name: "stock", version: newer }, "stock"],
  [{ name: "stock", version: older }, "stock@bbbbbbbbbbbb"],
  [{ name: "unlisted", version: "c".repeat(64) }, "unlisted@cccccccccccc"],
])("datasetRef(%j) is %s", (dataset, ref) => {
  expect(datasetRef(options, dataset)).toBe(ref);
});
