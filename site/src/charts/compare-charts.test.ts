import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { differenceDomain, differenceDotsSvg } from "./difference-dots.ts";
import { mergePoints, sampleScatterSvg } from "./sample-scatter.ts";

const drawn = (svg: string) => new JSDOM(svg).window.document.querySelector("svg") as SVGElement;

const row = (value: number, interval: [number, number] | null = null, stars = "") => ({
  first: `Model ${value}`,
  second: "Other",
  value,
  interval,
  stars,
});

it.each([
  [[row(0.1, [0.05, 0.2])], [-0.008, 0.208]],
  [[row(-0.1, [-0.2, -0.05])], [-0.208, 0.008]],
  [[row(0)], [-1, 1]],
  [[], [-1, 1]],
])("differenceDomain() of %j contains every interval and zero", (rows, domain) => {
  differenceDomain(rows).forEach((end, i) => {
    expect(end).toBeCloseTo(domain[i] ?? Number.NaN, 9);
  });
});

it("differenceDotsSvg() fills the dots of significant pairs, and lists all in its text alternative", () => {
  const metric = { label: "EQS", format: "score", better: "higher" } as const;
  const rows = [row(0.1, [0.05, 0.2], "**"), row(0.01, null)];
  const svg = drawn(differenceDotsSvg({ metric, rows }));
  const fills = [...svg.querySelectorAll("circle")].map((dot) => dot.getAttribute("fill"));
  expect(fills).toEqual(["var(--accent)", "var(--paper)"]);
  expect(svg.getAttribute("aria-label")).toBe(
    "Differences in EQS: Model 0.1 − Other +0.100 (+0.050 to +0.200), significant; Model 0.01 − Other +0.010 (–)",
  );
  expect(svg.textContent).toContain("+0.100**");
});

it("differenceDotsSvg() says when lower is better", () => {
  const metric = { label: "Rate", format: "percent", better: "lower" } as const;
  const svg = drawn(differenceDotsSvg({ metric, rows: [row(-0.1)] }));
  expect(svg.textContent).toContain("difference in Rate, lower is better →");
});

it("differenceDotsSvg() draws the margin as a band, includes it in the domain, and names it", () => {
  const metric = { label: "EQS", format: "score", better: "higher" } as const;
  const svg = drawn(differenceDotsSvg({ metric, rows: [row(0.01, [0, 0.02])], margin: 0.05 }));
  expect(svg.querySelectorAll("rect")).toHaveLength(1);
  expect(svg.querySelectorAll('[stroke-dasharray="4 3"] line')).toHaveLength(2);
  expect(svg.getAttribute("aria-label")).toContain("Differences in EQS, margin +0.050: Model 0.01");
  expect(differenceDomain([row(0.01)], 0.05)).toEqual([
    expect.closeTo(-0.054, 9),
    expect.closeTo(0.054, 9),
  ]);
});

it("mergePoints() merges points at nearly the same position, and sorts them by count", () => {
  const points = [
    { x: 0, y: 1 },
    { x: 1, y: 1 },
    { x: 0.999, y: 1 },
  ];
  expect(mergePoints(points)).toEqual([
    { x: 1, y: 1, count: 2 },
    { x: 0, y: 1, count: 1 },
  ]);
});

it("sampleScatterSvg() states in words on how many samples each run is higher", () => {
  const points = [
    { x: 1, y: 0 },
    { x: 0.5, y: 0.5 },
    { x: 0, y: 1 },
    { x: 0.2, y: 1 },
  ];
  const svg = drawn(
    sampleScatterSvg({ metric: { label: "EQS" }, first: "A", second: "B", points }),
  );
  expect(svg.getAttribute("aria-label")).toBe(
    "EQS of 4 samples: A is higher on 1, B on 2, the same on 1",
  );
  expect(svg.querySelectorAll("circle")).toHaveLength(4);
});

it("sampleScatterSvg() links the dot of a single sample to that sample", () => {
  const points = [
    { id: "a", x: 1, y: 0.5 },
    { id: "b", x: 0, y: 1 },
    { id: "c", x: 0.001, y: 1 },
  ];
  const hrefOf = (id: string) => `/${id}`;
  const svg = sampleScatterSvg({
    metric: { label: "EQS" },
    first: "A",
    second: "B",
    points,
    hrefOf,
  });
  const { document } = new JSDOM(svg).window;
  const links = [...document.querySelectorAll("a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/a"]);
  // Only the dot of "a" has the smallest radius.
  const dot = document.querySelector('circle[r="3"]');
  const place = links[0]?.querySelector("path")?.getAttribute("d");
  expect(place).toBe(`M${dot?.getAttribute("cx")},${dot?.getAttribute("cy")}h0`);
});

it("sampleScatterSvg() draws its axes without samples", () => {
  const none = { metric: { label: "EQS" }, first: "A".repeat(60), second: "B", points: [] };
  expect(drawn(sampleScatterSvg(none)).textContent).toContain(
    `${"A".repeat(17)}…${"A".repeat(16)} →`,
  );
});
