import { expect, it } from "vitest";
import { firstOf } from "./page-files.ts";

const runs = ["newest", "newer", "ranked", "old"].map((id) => ({ id }));
const first = (count: number) =>
  firstOf(runs, new Set(["ranked", "unlisted"]), count).map(({ id }) => id);

it("firstOf() takes what boards show, then the newest, and no more than there are files", () => {
  expect(first(2)).toEqual(["ranked", "newest"]);
  expect(first(9)).toEqual(["ranked", "newest", "newer", "old"]);
  expect(first(0)).toEqual([]);
});
