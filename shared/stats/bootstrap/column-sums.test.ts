import { expect, test } from "vitest";
import { xoshiro128 } from "../xoshiro128.ts";
import { columnSums } from "./column-sums.ts";

const units = 1_001;
const random = xoshiro128("columns");
const column = () => Float64Array.from({ length: units }, () => random() / 3);
const weights = Array.from({ length: 4 }, () =>
  Float64Array.from({ length: units }, () => Math.floor(4 * random())),
);
const sumOf = (values: Float64Array, times: Float64Array) =>
  values.reduce((sum, value, i) => sum + value * times[i]!, 0);

test.each([1, 2, 3, 4, 5, 9])("columnSums() of %d columns has the same bits as a loop", (count) => {
  const columns = Array.from({ length: count }, column);
  const sums = columnSums(columns)(weights);
  expect(sums.map((batch) => [...batch])).toEqual(
    weights.map((times) => columns.map((values) => sumOf(values, times))),
  );
});
