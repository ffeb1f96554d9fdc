import { expect, it } from "vitest";
import { newestRescoring } from "./republications.ts";

const runs = [
  { id: "third", parent: "second", republished: true },
  { id: "second", parent: "first", republished: true },
  { id: "before-the-retry", parent: "first", republished: true },
  { id: "by-hand", parent: "other" as string | null },
  { id: "first", parent: null },
];

it.each([
  ["first", "third"],
  ["second", "third"],
  ["third", undefined],
  ["other", undefined],
])("newestRescoring() of %s is %s", (run, newest) => {
  expect(newestRescoring(runs, run)).toBe(newest);
});
