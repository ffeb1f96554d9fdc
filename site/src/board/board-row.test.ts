import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { metricOf } from "../data/metrics.ts";
import { BoardRow } from "./BoardRow.tsx";

const headline: Estimate = { value: 0.8, interval: [0.7, 0.9], n: 60, coverage: 1 };

const anEntry = (more: Partial<LeaderboardEntry> = {}) =>
  ({
    run: "run_1",
    rank: 2,
    rankInterval: [1, 3],
    best: 0.25,
    tieGroup: 1,
    n: 60,
    coverage: 1,
    model: { name: `"><b>Model</b>`, slug: "acme/a", simulated: false },
    provenance: { kind: "called", endpointHost: "api.example.com" },
    attempts: { total: 1, finished: 1, unlisted: 0, hidden: 0, deleted: 0 },
    headline,
    metrics: { eqs: headline, fuzzyMatchRate: { ...headline, interval: null } },
    finishedAt: "2026-11-20T10:11:12.345Z",
    unrankedReason: null,
    ...more,
  }) as LeaderboardEntry;

const columns = ["eqs", "fuzzyMatchRate", "exactMatch"].map((id, i) => ({
  metric: metricOf("extraction", id),
  isDrawn: i === 0,
  fold: i === 0 ? ("" as const) : ("x" as const),
}));

type Row = Parameters<typeof BoardRow>[0];

function rowOf(entry: LeaderboardEntry, more: Partial<Row> = {}): HTMLElement {
  const scale = { min: 0, max: 1, ticks: [0, 0.5, 1] };
  const place = { startsGroup: false, tiedWith: null, marksSimulated: true };
  const facts = {
    entry,
    columns,
    scale,
    step: undefined,
    load: undefined,
    owner: undefined,
    ...place,
  };
  const html = String(BoardRow({ ...facts, ...more }));
  const { document } = new JSDOM(`<table><tbody>${html}</tbody></table>`).window;
  return document.querySelector("tr") as HTMLElement;
}

const textsOf = (row: HTMLElement) =>
  [...row.children].map(({ textContent }) => textContent?.replace(/\s+/g, " ").trim());

it("BoardRow() shows each value with its interval, or says that there is none", () => {
  expect(textsOf(rowOf(anEntry()))).toEqual([
    "2 1–3 25.0%",
    `"><b>Model</b> acme/a ✓ calledReport`,
    "0.800 0.700–0.900",
    "0.800 no interval",
    "–",
    "60 100.0%",
    "20 Nov 2026 Report",
  ]);
});

it("BoardRow() draws the headline with its interval, hidden from screen readers", () => {
  const svg = rowOf(anEntry()).querySelector("svg");
  expect(svg?.getAttribute("aria-hidden")).toBe("true");
  const [, line] = [...(svg?.querySelectorAll("path") ?? [])];
  expect(line?.getAttribute("d")).toMatch(/^M117\.6 12H147\.2/);
  expect(svg?.querySelector("circle")?.getAttribute("cx")).toBe("132.4");
});

it("BoardRow() has the attributes by which the board sorts and filters", () => {
  const row = rowOf(anEntry(), { startsGroup: true });
  expect({ ...row.dataset }).toEqual({ tie: "1", provenance: "called" });
  expect(row.className).toBe("tier");
  expect(row.querySelector("time")?.dateTime).toBe("2026-11-20T10:11Z");
});

it("BoardRow() names the tied model, and marks a simulated one unless all are simulated", () => {
  const { model } = anEntry();
  const simulated = anEntry({ model: { ...model, simulated: true } });
  const tiedWith = { rank: 1, name: "First" };
  const mark = rowOf(simulated, { tiedWith }).querySelector("th i");
  expect(mark?.textContent).toBe("≈ with 1");
  expect(mark?.getAttribute("title")).toBe("not significantly different from rank 1, First");
  expect(rowOf(simulated).textContent).toContain("simulated");
  expect(rowOf(simulated, { marksSimulated: false }).textContent).not.toContain("simulated");
});

it("BoardRow() shows known cost and latency below the name, with a link to the report", () => {
  const costPer1kUsd = { ...headline, value: 0.07 };
  const latencyP95 = { ...headline, value: 1200 };
  const briefOf = (metrics: LeaderboardEntry["metrics"]) =>
    rowOf(anEntry({ metrics })).querySelector(".brief")?.textContent;
  expect(briefOf({ costPer1kUsd, latencyP95 })).toBe(
    "$0.07 per 1,000 · p95 1,200\u202fms · Report",
  );
  expect(briefOf({ latencyP95 })).toBe("p95 1,200\u202fms · Report");
  expect(briefOf({ eqs: headline })).toBe("Report");
});

it.each([
  [{ asked: ["m"], served: [{ model: "m", answers: 60 }] }, "id m"],
  [{ asked: ["m", "cloud"], served: [] }, "id m, cloud"],
  [{ asked: ["m"] }, "id m"],
  [
    { asked: ["m"], served: [{ model: "<b>m-2026-05-01", answers: 60 }] },
    "id m ≠ answered by <b>m-2026-05-01",
  ],
  [
    {
      asked: ["m"],
      served: [
        { model: "m", answers: 50 },
        { model: null, answers: 10 },
      ],
    },
    "id m ≠ answered by m, others",
  ],
  [{ served: [{ model: "x".repeat(200), answers: 60 }] }, `answered by ${"x".repeat(79)}…`],
  [{}, null],
])("BoardRow() of a model with %j shows %j below its name", (ids, text) => {
  const { model } = anEntry();
  const row = rowOf(anEntry({ model: { ...model, ...ids } as LeaderboardEntry["model"] }));
  const shown = row.querySelector("th .ids")?.textContent.replace(/\s+/g, " ").trim();
  expect(shown ?? null).toBe(text);
});

it("BoardRow() of a run without answers says that nothing was answered", () => {
  const silent = {
    headline: { ...headline, value: null, interval: null },
    metrics: {},
    coverage: 0,
  };
  const reason = { rank: null, rankInterval: null, best: null, tieGroup: null };
  const row = rowOf(anEntry({ ...silent, ...reason, unrankedReason: "coverage below 95%" }));
  expect(textsOf(row).slice(0, 5)).toEqual([
    "–",
    `"><b>Model</b> nothing answered acme/a ✓ calledReportNot ranked: coverage below 95%`,
    "– no answers",
    "–",
    "–",
  ]);
  expect(row.querySelector("svg")).toBeNull();
});

it("BoardRow() shows the submitter as text with verified domains, and links only to https", () => {
  const owner = { owner: "acme", name: `<b>Ac"me`, domains: ["acme.com", "xn--cme-7cd.com"] };
  const by = (url: string | null) =>
    rowOf(anEntry(), { owner: { ...owner, url } }).querySelector(".by") as HTMLElement;
  const shown = by("https://avatars.example/u/1?v=4");
  expect(shown.textContent?.replace(/\s+/g, " ")).toBe(
    `by < <b>Ac"me ✓ acme.com ✓ xn--cme-7cd.com`,
  );
  expect(shown.querySelector("a")?.getAttribute("href")).toBe("https://avatars.example/u/1?v=4");
  expect(shown.querySelectorAll("img, b b").length).toBe(0);
  const claims = { owner: { ...owner, name: "OpenAI ✓ openai.com", domains: [], url: null } };
  expect(rowOf(anEntry(), claims).querySelector(".by")?.textContent).not.toContain("✓");
  for (const url of [null, "javascript:alert(1)", "http://a.example"]) {
    expect(by(url).querySelector("a")).toBeNull();
  }
});
