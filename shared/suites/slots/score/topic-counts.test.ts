import { expect, test } from "vitest";
import { noSlots } from "./slot-counts.ts";
import { topicCounts } from "./topic-counts.ts";

const extra = (topics: readonly string[]) =>
  new Map(topics.map((topic) => [topic, { ...noSlots(), fp: 1, extraValues: 2 }]));
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);
const plain = (topics: readonly string[], listed: readonly string[]) =>
  topicCounts(extra(topics), new Set(listed)).map(({ topic, listed, fp }) => [topic, listed, fp]);

test("topicCounts() has listed topics first, and made-up ones by name", () => {
  expect(plain(["x", "a"], ["a", "b"])).toEqual([
    ["a", true, 1],
    ["x", false, 1],
  ]);
});

test("topicCounts() names twenty made-up topics and counts the others as one", () => {
  const counts = plain(["a", ...numbered(25)], ["a"]);
  expect(counts).toHaveLength(22);
  expect(counts.slice(-2)).toEqual([
    ["t19", false, 1],
    [null, false, 5],
  ]);
});

test("topicCounts() keeps every listed topic, however many", () => {
  expect(plain(numbered(100), numbered(100))).toHaveLength(100);
});

test("topicCounts() cuts long made-up names, and counts together those the same by then", () => {
  const long = "x".repeat(100);
  expect(plain([`${long}1`, `${long}2`], [])).toEqual([[`${"x".repeat(99)}…`, false, 2]]);
});
