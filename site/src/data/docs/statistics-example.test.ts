import { expect, it } from "vitest";
import { statisticsExample } from "./statistics-example.ts";

const { models, pairs } = statisticsExample();
const rounded = (values: readonly number[] | null) => values?.map((value) => value.toFixed(3));

// p: ttest_rel of SciPy 1.17.1; intervals and ranks are of this seed.
it("statisticsExample() has models whose intervals overlap", () => {
  expect(models.map(({ mean }) => mean.toFixed(3))).toEqual(["0.725", "0.646", "0.633"]);
  expect(rounded(models[0]?.interval ?? null)).toEqual(["0.575", "0.862"]);
  expect(rounded(models[1]?.interval ?? null)).toEqual(["0.513", "0.779"]);
});

it("statisticsExample() separates the first model from the others, which do not differ", () => {
  expect(rounded(pairs[0]?.interval ?? null)).toEqual(["0.037", "0.113"]);
  expect(pairs.map(({ p }) => p?.toFixed(4))).toEqual(["0.0010", "0.0009", "0.5715"]);
  expect(pairs.map(({ pHolm }) => pHolm?.toFixed(4))).toEqual(["0.0026", "0.0026", "0.5715"]);
  expect(models.map(({ tieGroup }) => tieGroup)).toEqual([1, 2, 2]);
  expect(models[0]?.rank).toEqual({ interval: [1, 1], best: expect.any(Number) });
});
