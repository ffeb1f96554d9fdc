import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { DriftNotice } from "#shared/contracts/drift/drift-notice.ts";
import type { Standing } from "../data/runs/history.ts";
import { modelHistorySvg, runAxis, runMoments } from "./model-history.ts";

const metric = { label: "EQS", format: "score" } as const;

const aPoint = (day: string, value: number, standing: Standing, hasInterval = true) => ({
  finishedAt: `2026-11-${day}T10:00:00Z`,
  standing,
  estimate: {
    value,
    n: 72,
    coverage: 1,
    interval: hasInterval ? ([value - 0.05, value + 0.05] as [number, number]) : null,
  },
});

const drawn = (points: ReturnType<typeof aPoint>[]) => {
  const svg = modelHistorySvg({ points, metric });
  return new JSDOM(svg).window.document.querySelector("svg") as Element;
};

it("modelHistorySvg() lists each value, interval and comparison in its text alternative", () => {
  const svg = drawn([aPoint("01", 0.8, "first"), aPoint("20", 0.6, "below")]);
  expect(svg.getAttribute("aria-label")).toBe(
    "EQS by date: 1 Nov 2026 0.800 (0.750–0.850); 20 Nov 2026 0.600 (0.550–0.650), wholly below the first",
  );
  expect(svg.textContent).toContain("below");
});

it("modelHistorySvg() draws a dot for each run, and the interval of the first run as a band", () => {
  const points = [
    aPoint("01", 0.8, "first"),
    aPoint("02", 0.81, "overlapping"),
    aPoint("03", 0.9, null),
  ];
  const svg = drawn(points);
  expect(svg.querySelectorAll("circle")).toHaveLength(3);
  expect(svg.querySelectorAll("rect")).toHaveLength(1);
});

it("modelHistorySvg() draws the smallest detectable drop, from the first score downwards", () => {
  const points = [aPoint("01", 0.8, "first"), aPoint("20", 0.79, "overlapping")];
  const lines = (drop?: number) => {
    const svg = new JSDOM(modelHistorySvg({ points, metric, drop })).window.document;
    return [...svg.querySelectorAll("g[stroke='var(--warn-line)'] line")];
  };
  expect(lines()).toEqual([]);
  const [bar, top, foot] = lines(0.034);
  expect(Number(bar?.getAttribute("y2"))).toBeGreaterThan(Number(bar?.getAttribute("y1")));
  expect(top?.getAttribute("y1")).toBe(bar?.getAttribute("y1"));
  expect(foot?.getAttribute("y1")).toBe(bar?.getAttribute("y2"));
  expect(modelHistorySvg({ points, metric, drop: 0.034 })).toContain(
    "a drop of 0.034 would be found",
  );
});

it("modelHistorySvg() draws runs without an interval on the same day", () => {
  const svg = drawn([aPoint("01", 1, "first", false), aPoint("01", 1, null, false)]);
  expect(svg.querySelectorAll("circle")).toHaveLength(2);
  expect(svg.outerHTML).not.toMatch(/NaN|undefined/);
});

it("modelHistorySvg() spreads out runs of the same hour and labels them with their time", () => {
  const points = ["00", "04", "09"].map((minute) => ({
    ...aPoint("20", 0.6, "below"),
    finishedAt: `2026-11-20T10:${minute}:00Z`,
  }));
  const svg = drawn(points);
  const places = [...svg.querySelectorAll("circle")].map((dot) => Number(dot.getAttribute("cx")));
  expect(places[1]! - places[0]!).toBeGreaterThan(60);
  expect(places[2]! - places[1]!).toBeCloseTo(places[1]! - places[0]!, 0);
  expect(svg.getAttribute("aria-label")).toContain("20 Nov 2026, 10:04 UTC 0.600");
  expect(svg.textContent).toContain("10:09 UTC");
  expect(svg.outerHTML).not.toMatch(/NaN|undefined/);
});

it.each([
  [
    ["01", "02", "20"],
    ["1 Nov 2026", "20 Nov 2026"],
  ],
  [
    ["01", "10", "20"],
    ["1 Nov 2026", "10 Nov 2026", "20 Nov 2026"],
  ],
  [
    ["01", "19", "20"],
    ["1 Nov 2026", "20 Nov 2026"],
  ],
])("modelHistorySvg() of runs on %j labels the dates that have room: %j", (days, named) => {
  const svg = drawn(days.map((day) => aPoint(day, 0.8, "overlapping")));
  const texts = [...svg.querySelectorAll("text")].map(({ textContent }) => textContent);
  expect(texts.filter((text) => text?.endsWith("2026"))).toEqual(named);
});

it("modelHistorySvg() of many runs labels none, and counts those outside the first interval", () => {
  const days = Array.from({ length: 12 }, (_, i) => `${i + 10}`);
  const svg = drawn(days.map((day, i) => aPoint(day, 0.8, i === 0 ? "first" : "above")));
  expect(svg.getAttribute("aria-label")).toMatch(
    /^EQS by date: 12 runs, 11 wholly outside the first; first and last 10 Nov 2026 .*; 21 Nov 2026/,
  );
  expect(svg.textContent).not.toContain("above");
});

it("modelHistorySvg() marks a drift, even among many runs", () => {
  const drift = { run: "b" } as DriftNotice;
  const many = Array.from({ length: 12 }, (_, i) => aPoint(`${i + 10}`, 0.8, "overlapping"));
  const points = [...many, { ...aPoint("25", 0.6, "below"), drift }];
  const svg = drawn(points);
  expect(
    svg.querySelectorAll("path[stroke='var(--warn-line)'], g[stroke='var(--warn-line)'] path"),
  ).toHaveLength(1);
  expect(svg.textContent).toContain("drift");
  expect(svg.getAttribute("aria-label")).toContain("wholly below the first, drift flagged");
});

const on = (day: string, time = "10:00") => `2026-11-${day}T${time}:00Z`;
const none = (ended: string[]) => ended.map(() => false);

it("runAxis() places runs by time if there is room", () => {
  const ended = [on("01"), on("10"), on("20")];
  const { isByOrder, at, ticks } = runAxis(ended, none(ended));
  expect(isByOrder).toBe(false);
  expect(at).toEqual(ended.map((iso) => Date.parse(iso)));
  expect(ticks.map(({ text }) => text)).toEqual(["1 Nov 2026", "10 Nov 2026", "20 Nov 2026"]);
});

it("runAxis() places runs in order if some are minutes apart, and labels them with their time", () => {
  const ended = [on("01"), on("20"), on("20", "10:04"), on("20", "10:09")];
  const axis = runAxis(ended, none(ended));
  expect(axis).toMatchObject({ isByOrder: true, at: [0, 1, 2, 3], domain: [-0.5, 3.5] });
  expect(axis.ticks[0]).toEqual({ at: 0, text: "1 Nov 2026\n10:00 UTC" });
  expect(axis.ticks.at(-1)).toEqual({ at: 3, text: "20 Nov 2026\n10:09 UTC" });
  for (const [i, tick] of axis.ticks.entries()) {
    if (i > 0) expect(tick.at - axis.ticks[i - 1]!.at).toBeGreaterThanOrEqual(0.27 * 4);
  }
});

it("runAxis() needs more room between runs that have labels above", () => {
  const ended = [on("01"), on("18"), on("20")];
  expect(runAxis(ended, [false, false, true]).isByOrder).toBe(false);
  expect(runAxis(ended, [false, true, true]).isByOrder).toBe(true);
});

it("runAxis() places many evenly spread runs by time", () => {
  const ended = Array.from({ length: 90 }, (_, i) =>
    new Date(Date.UTC(2026, 0, 1) + i * 7 * 86_400_000).toISOString(),
  );
  expect(runAxis(ended, none(ended)).isByOrder).toBe(false);
});

it("runAxis() has one tick at most for no run or one run", () => {
  expect(runAxis([], []).ticks).toEqual([]);
  expect(runAxis([on("01")], [true]).ticks).toHaveLength(1);
});

it.each([
  [[], []],
  [["2026-11-20T08:36:54.120Z"], ["20 Nov 2026"]],
  [
    ["2026-11-20T08:36:54Z", "2026-11-21T08:36:54Z"],
    ["20 Nov 2026", "21 Nov 2026"],
  ],
  [
    ["2026-11-20T08:36:54Z", "2026-11-21T08:36:54Z", "2026-11-21T09:01:00Z"],
    ["20 Nov 2026", "21 Nov 2026, 08:36 UTC", "21 Nov 2026, 09:01 UTC"],
  ],
  [
    ["2026-11-21T08:36:04.001Z", "2026-11-21T08:36:54Z"],
    ["21 Nov 2026, 08:36:04 UTC", "21 Nov 2026, 08:36:54 UTC"],
  ],
])("runMoments() of %j is %j", (ended, moments) => {
  expect(runMoments(ended)).toEqual(moments);
});
