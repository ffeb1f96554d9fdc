import { expect, it } from "vitest";
import { firstOf, roomFor } from "./page-files.ts";

const runs = ["newest", "newer", "ranked", "old"].map((id) => ({ id }));
const first = (count: number) =>
  firstOf(runs, new Set(["ranked", "unlisted"]), count).map(({ id }) => id);

it("firstOf() takes what boards show, then the newest, and no more than there are files", () => {
  expect(first(2)).toEqual(["ranked", "newest"]);
  expect(first(9)).toEqual(["ranked", "newest", "newer", "old"]);
  expect(first(0)).toEqual([]);
});

it("roomFor() says how many pages are too many, and what to do", () => {
  expect([roomFor(0, 500), roomFor(100, 700)]).toEqual([0, 100]);
  expect(() => roomFor(201, 700)).toThrow(
    /have 201 pages, and the site has room for 200 .*assay dataset delete/,
  );
});
