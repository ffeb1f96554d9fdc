import { expect, it } from "vitest";
import { runAxis } from "./run-axis.ts";

const on = (day: string, time = "10:00") => `2026-11-${day}T${time}:00Z`;
const none = (ended: string[]) => ended.map(() => false);

it("runAxis() places runs by time where they have room", () => {
  const ended = [on("01"), on("10"), on("20")];
  const { isByOrder, at, ticks } = runAxis(ended, none(ended));
  expect(isByOrder).toBe(false);
  expect(at).toEqual(ended.map((iso) => Date.parse(iso)));
  expect(ticks.map(({ text }) => text)).toEqual(["1 Nov 2026", "10 Nov 2026", "20 Nov 2026"]);
});

it("runAxis() places runs in order where some are minutes apart, and tells their time", () => {
  const ended = [on("01"), on("20"), on("20", "10:04"), on("20", "10:09")];
  const axis = runAxis(ended, none(ended));
  expect(axis).toMatchObject({ isByOrder: true, at: [0, 1, 2, 3], domain: [-0.5, 3.5] });
  expect(axis.ticks[0]).toEqual({ at: 0, text: "1 Nov 2026\n10:00 UTC" });
  expect(axis.ticks.at(-1)).toEqual({ at: 3, text: "20 Nov 2026\n10:09 UTC" });
  for (const [i, tick] of axis.ticks.entries()) {
    if (i > 0) expect(tick.at - axis.ticks[i - 1]!.at).toBeGreaterThanOrEqual(0.27 * 4);
  }
});

it("runAxis() wants more room between runs with words above them", () => {
  const ended = [on("01"), on("18"), on("20")];
  expect(runAxis(ended, [false, false, true]).isByOrder).toBe(false);
  expect(runAxis(ended, [false, true, true]).isByOrder).toBe(true);
});

it("runAxis() keeps to time where runs are many and evenly spread", () => {
  const ended = Array.from({ length: 90 }, (_, i) =>
    new Date(Date.UTC(2026, 0, 1) + i * 7 * 86_400_000).toISOString(),
  );
  expect(runAxis(ended, none(ended)).isByOrder).toBe(false);
});

it("runAxis() of no run and of one has no tick too many", () => {
  expect(runAxis([], []).ticks).toEqual([]);
  expect(runAxis([on("01")], [true]).ticks).toHaveLength(1);
});
