import { expect, test } from "vitest";
import { aList, defaultRules } from "../../__fixtures__/build.ts";
import { pairSame, unpaired } from "./pair-same.ts";

test("pairSame() pairs elements that are the same after normalisation, in order", () => {
  const expected = aList([{ a: 1, b: "X y" }, { a: 3 }, null, { a: 3 }, { a: 3 }]);
  const predicted = aList([{ a: 3 }, { b: "x  Y", a: 1 }, { a: 4 }, null, { a: 3 }]);
  const { elements } = expected;
  expect([...pairSame(elements, predicted.elements, defaultRules)]).toEqual([1, 0, -1, 4, -1]);
});

test("unpaired() lists what an alignment leaves over on either side", () => {
  const { rows, columns } = unpaired(Int32Array.of(1, -1, 0, -1), 3);
  expect([[...rows], [...columns]]).toEqual([[1, 3], [2]]);
});
