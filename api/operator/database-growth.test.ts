import { expect, it } from "vitest";
import { databaseGrowth } from "./database-growth.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const sizes = (...bytes: number[]) =>
  bytes.map((of, i) => ({ day: `2026-11-${10 + i}`, bytes: of }));

it("databaseGrowth() estimates the day on which the database is full", () => {
  const growth = databaseGrowth(sizes(100, 110, 120, 130), 140, 200, now);
  expect(growth).toMatchObject({ bytesPerDay: 10, fullOn: "2026-11-27" });
});

it("databaseGrowth() uses the mean growth per day, also across missing days", () => {
  const days = sizes(100, 0, 120, 90, 140).filter(({ bytes }) => bytes > 95);
  expect(databaseGrowth(days, 140, 1_000, now).bytesPerDay).toBeCloseTo(10);
});

it.each([
  ["fewer than three days", sizes(100, 110), 200, null],
  ["shrinking", sizes(130, 120, 110), 200, null],
  ["not growing", sizes(130, 130, 130), 200, null],
  ["more than ten years", sizes(100, 101, 102), 1e9, null],
  ["already full", sizes(100, 110, 120), 90, "2026-11-21"],
])("databaseGrowth() gives a date only for the near future: %s", (_, days, most, day) => {
  expect(databaseGrowth(days, 140, most, now).fullOn).toBe(day);
});
