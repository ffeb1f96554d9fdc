import { expect, test } from "vitest";
import { xoshiro128 } from "../xoshiro128.ts";
import { columnSums } from "./column-sums.ts";
import { vectorSums } from "./vector-sums.ts";

const units = 1_001;
const random = xoshiro128("vectors");
const column = () => Float64Array.from({ length: units }, () => random() / 3);
const weights = Array.from({ length: 4 }, () =>
  Float64Array.from({ length: units }, () => Math.floor(4 * random())),
);
const sumOf = (values: Float64Array, times: Float64Array) =>
  values.reduce((sum, value, i) => sum + value * times[i]!, 0);

test("vectorSums() runs here, so that the tests of its sums are of it", () => {
  expect(vectorSums(units, 1)).not.toBeNull();
});

test.each([1, 2, 3, 4, 5, 9])("columnSums() of %d columns has the bits of a loop", (count) => {
  const columns = Array.from({ length: count }, column);
  const sums = columnSums(columns)(weights);
  expect(sums.map((its) => [...its])).toEqual(
    weights.map((times) => columns.map((values) => sumOf(values, times))),
  );
});

test("columnSums() of few units, which a loop adds up, has the bits of many, which vectors do", () => {
  const columns = Array.from({ length: 3 }, column);
  const few = columns.map((values) => values.slice(0, 20));
  const times = weights.map((its) => its.slice(0, 20));
  const padded = columns.map((values) => values.map((value, i) => (i < 20 ? value : 0)));
  expect(columnSums(few)(times)).toEqual(columnSums(padded)(weights));
});
