import { expect, test } from "vitest";
import { boxesOf } from "./feature-boxes.ts";

const y = { label: "F1", format: "score" } as const;

test("boxesOf() gives quartiles by type 7", () => {
  const [boxes] = boxesOf("T", y, [{ label: "a", values: [6, 1, 3, 2, 4, 5] }]);
  // R 4.3: quantile(1:6, type = 7)
  expect(boxes).toMatchObject({
    kind: "boxes",
    groups: [{ label: "a", n: 6, min: 1, q1: 2.25, median: 3.5, q3: 4.75, max: 6 }],
  });
});

test("boxesOf() names groups of fewer than five values without drawing them", () => {
  const small = { label: "b", values: [1, 2, 3, 4] };
  const [boxes, note] = boxesOf("T", y, [{ label: "a", values: [1, 1, 1, 1, 1] }, small]);
  expect(boxes).toMatchObject({ groups: [{ label: "a" }] });
  expect(note).toMatchObject({ kind: "note", text: "With fewer than 5 values: b (4)." });
  expect(boxesOf("T", y, [small])).toMatchObject([{ kind: "note" }]);
  expect(boxesOf("T", y, [])).toEqual([]);
});
