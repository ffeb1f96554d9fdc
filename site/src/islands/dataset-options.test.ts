import { expect, it } from "vitest";
import { datasetOptions, datasetRef } from "./dataset-options.ts";

const [newer, older] = ["a".repeat(64), "b".repeat(64)];
const visibility = "public" as const;
const options = datasetOptions([
  { name: "stock", version: newer, samples: 48, visibility },
  { name: "acme/one", version: newer, samples: 1, visibility },
  { name: "stock", version: older, samples: 40, visibility },
]);

it("datasetOptions() refers to the newest version of a dataset by name only", () => {
  expect(options.map(({ ref, label }) => [ref, label])).toEqual([
    ["stock", "stock (48 samples)"],
    ["acme/one", "acme/one (1 sample)"],
    ["stock@bbbbbbbbbbbb", "stock, version bbbbbbbbbbbb (40 samples)"],
  ]);
});

it("datasetOptions() refers to a private version by version, and to the newest public one by name", () => {
  const mixed = datasetOptions([
    { name: "a", version: newer, samples: 2, visibility: "private" },
    { name: "a", version: older, samples: 3, visibility },
  ]);
  expect(mixed.map(({ ref, label }) => [ref, label])).toEqual([
    ["a@aaaaaaaaaaaa", "a, version aaaaaaaaaaaa (2 hidden samples)"],
    ["a", "a (3 samples)"],
  ]);
});

it.each([
  [{ name: "stock", version: newer }, "stock"],
  [{ name: "stock", version: older }, "stock@bbbbbbbbbbbb"],
  [{ name: "unlisted", version: "c".repeat(64) }, "unlisted@cccccccccccc"],
])("datasetRef(%j) is %s", (dataset, ref) => {
  expect(datasetRef(options, dataset)).toBe(ref);
});
