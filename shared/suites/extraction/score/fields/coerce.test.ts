import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { aField } from "../../__fixtures__/build.ts";
import { coercedPair } from "./coerce.ts";

test.each<[Json, Json, Json[] | undefined]>([
  ["5", 5, [5, 5]],
  [5, " -1.5e3 ", [5, -1500]],
  ["true", false, [true, false]],
  ["0x10", 16, undefined],
  ["", 0, undefined],
  ["yes", true, undefined],
  [1, true, undefined],
])("coercedPair(%j, %j) is %j", (expected, predicted, pair) => {
  expect(coercedPair(aField(expected), aField(predicted))?.map(({ value }) => value)).toEqual(pair);
});
