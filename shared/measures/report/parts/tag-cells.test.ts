import { expect, test } from "vitest";
import { tagCells } from "./tag-cells.ts";

test("tagCells() leaves out tags of a single value, which is the whole run or says nothing", () => {
  const part = (tag: string, name: string) => ({
    tag,
    name,
    n: 30,
    figures: { f1: { value: 0.5, interval: [0.4, 0.6] as const } },
  });
  const cells = tagCells([part("language", "en"), part("kind", "a"), part("kind", "b")], "f1");
  expect(cells).toEqual([
    { label: "kind a", value: 0.5, interval: [0.4, 0.6], n: 30 },
    { label: "kind b", value: 0.5, interval: [0.4, 0.6], n: 30 },
  ]);
  expect(tagCells([part("kind", "a"), part("kind", "b")], "recall")[0]).toMatchObject({
    value: null,
    interval: null,
  });
});
