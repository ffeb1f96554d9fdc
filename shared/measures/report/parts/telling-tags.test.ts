import { expect, test } from "vitest";
import { tellingTags } from "./telling-tags.ts";

const group = (tag: string, name: string) => ({ tag, name });

test("tellingTags() leaves out tags of one value and keeps the order", () => {
  const groups = [
    group("domain", "law"),
    group("lang", "en"),
    group("level", "easy"),
    group("domain", "food"),
    group("level", "hard"),
  ];
  expect(tellingTags(groups)).toEqual([
    ["domain", [groups[0], groups[3]]],
    ["level", [groups[2], groups[4]]],
  ]);
});

test("tellingTags() is empty without a tag that tells groups apart", () => {
  expect(tellingTags([])).toEqual([]);
  expect(tellingTags([group("lang", "en")])).toEqual([]);
});
