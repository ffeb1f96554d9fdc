import { expect, test } from "vitest";
import { aList } from "./__fixtures__/build.ts";
import { pairSame } from "./pair-same.ts";

test("pairSame() pairs same elements in order and lists the others", () => {
  const expected = aList([{ a: 1, b: 2 }, { a: 3 }, null, { a: 3 }]);
  const predicted = aList([{ a: 3 }, { b: 2, a: 1 }, { a: 4 }, null]);
  const { predictedOf, rows, columns } = pairSame(expected.elements, predicted.elements);
  expect([...predictedOf]).toEqual([1, 0, -1, -1]);
  expect([[...rows], [...columns]]).toEqual([
    [2, 3],
    [2, 3],
  ]);
});
