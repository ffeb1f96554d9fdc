import { expect, it } from "vitest";
import { databaseGrowth } from "./database-growth.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const sizes = (...bytes: number[]) =>
  bytes.map((of, i) => ({ day: `2026-11-${10 + i}`, bytes: of }));

it("databaseGrowth() says on which day the database is full", () => {
  const growth = databaseGrowth(sizes(100, 110, 120, 130), 140, 200, now);
  expect(growth).toMatchObject({ bytesPerDay: 10, fullOn: "2026-11-27" });
});

it("databaseGrowth() takes the mean growth, also over missing days", () => {
  const days = sizes(100, 0, 120, 90, 140).filter(({ bytes }) => bytes > 95);
  expect(databaseGrowth(days, 140, 1_000, now).bytesPerDay).toBeCloseTo(10);
});

it.each([
  ["with less than three days", sizes(100, 110), 200, null],
  ["if it shrinks", sizes(130, 120, 110), 200, null],
  ["if it does not grow", sizes(130, 130, 130), 200, null],
  ["in more than ten years", sizes(100, 101, 102), 1e9, null],
  ["today if it is full already", sizes(100, 110, 120), 90, "2026-11-21"],
])("databaseGrowth() names a day only in sight: %s", (_, days, most, day) => {
  expect(databaseGrowth(days, 140, most, now).fullOn).toBe(day);
});
