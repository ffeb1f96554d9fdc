import { expect, it } from "vitest";
import type { Metric } from "#shared/contracts/metric.ts";
import { suiteById } from "#shared/suites/registry.ts";
import type { BoardRecord } from "../boards/schema.ts";
import type { Platform } from "../platform/platform.ts";
import { badgeColor, badgeOf } from "./badge.ts";

const slug = "acme/m";

interface Place {
  suite?: string;
  value?: number | null;
  interval?: [number, number] | null;
  rank?: number | null;
  simulated?: boolean;
  kind?: "called" | "self-reported";
  /** Whether each judge is simulated. */
  judges?: boolean[];
}

/** A board and its entry with only the fields that a badge uses. */
const aBoard = ({ suite = "s", value = 0.95, interval = null, rank = 1, ...labels }: Place) => {
  const { simulated = false, kind = "called", judges } = labels;
  const other = { rank: 2, model: { slug: "acme/other", simulated: false } };
  const metrics = { wait: { value: 1200, interval: null }, lost: { value: null, interval: null } };
  return {
    suite,
    datasetName: "d",
    headline: "f1",
    pages: [],
    judging: judges && {
      judges: {
        tone: {
          routes: judges.map((isSimulated) => ({
            provider: "p",
            model: "j",
            simulated: isSimulated,
          })),
        },
      },
    },
    entries: [
      {
        rank,
        model: { slug, simulated },
        provenance: { kind },
        metrics,
        headline: { value, interval },
      },
      other,
    ],
  } as unknown as BoardRecord;
};

const suite = {
  headline: "f1",
  metrics: [
    { id: "f1", label: "F1", unit: "ratio", better: "higher", format: "score" },
    { id: "wait", label: "Wait", unit: "ms", better: "lower", format: "ms" },
    { id: "lost", label: "Lost", unit: "count", better: "lower", format: "count" },
  ],
};

const platformWith = (boards: readonly BoardRecord[]) =>
  ({
    boards: {
      ofModel: async (_: string, of: Record<"suite" | "dataset", string | null>, limit: number) =>
        boards
          .filter(
            ({ suite, datasetName }) =>
              [of.suite ?? suite, of.dataset ?? datasetName].join() === [suite, datasetName].join(),
          )
          .slice(0, limit),
    },
    suites: {
      all: [{ id: "first" }],
      byId: (id: string) => (["first", "s"].includes(id) ? suite : undefined),
    },
  }) as unknown as Platform;

it.each<[Place[], string, string]>([
  [[], "not evaluated", "lightgrey"],
  [[{}], "0.950 · #1/2", "brightgreen"],
  [[{ value: 0.5, kind: "self-reported" }], "0.500 · #1/2 · self-reported", "red"],
  [[{ simulated: true }], "0.950 · #1/2 · simulated model", "lightgrey"],
  [[{ judges: [false, false] }], "0.950 · #1/2", "brightgreen"],
  [[{ judges: [false, true] }], "0.950 · #1/2 · simulated judges", "lightgrey"],
  [
    [{ simulated: true, judges: [true], kind: "self-reported" }],
    "0.950 · #1/2 · simulated model and judges · self-reported",
    "lightgrey",
  ],
  [[{ rank: null }], "not ranked", "lightgrey"],
  [[{ rank: null, simulated: true }], "not ranked · simulated model", "lightgrey"],
  [[{ rank: null }, { value: 0.8 }], "0.800 · #1/2", "green"],
  [[{ value: null }], "not measured · #1/2", "lightgrey"],
  [[{ value: 0.8 }, { suite: "first", value: 0.7 }], "0.700 · #1/2", "yellow"],
  [[{ value: 0.8 }, { suite: "first", rank: null }], "0.800 · #1/2", "green"],
  [[{ suite: "first", rank: null }], "not ranked", "lightgrey"],
])("badgeOf() of a model with the board entries %j shows %s", async (places, message, color) => {
  const badge = await badgeOf(platformWith(places.map(aBoard)), slug);
  expect(badge).toMatchObject({ message, color });
});

it.each([
  ["extraction", "0.813 ±0.04 · #1/2"],
  ["memory", "81.3% ±4.1 · #1/2"],
  ["tools", "0.813 ±0.04 · #1/2"],
])("badgeOf() formats the headline of %s like its metric", async (suite, message) => {
  const place = { value: 0.8128, interval: [0.772, 0.854] } as const;
  const board = {
    ...aBoard({ ...place, interval: [...place.interval] }),
    suite,
    headline: suiteById(suite)?.headline,
  };
  const boards = { ofModel: async () => [board] };
  const platform = { boards, suites: { all: [], byId: suiteById } } as unknown as Platform;
  expect((await badgeOf(platform, slug, { suite })).message).toBe(message);
});

const flat = { style: "flat", label: "Assay", color: "lightgrey" };

it.each<[Record<string, string>, object]>([
  [{}, { ...flat, label: "Assay · s", message: "0.950 ±0.02 · #1/2", color: "brightgreen" }],
  [{ show: "value" }, { message: "0.950" }],
  [{ show: "interval" }, { message: "0.950 [0.930–0.970]" }],
  [{ show: "rank" }, { label: "Assay · s", message: "#1/2" }],
  [{ metric: "wait" }, { label: "Assay · s · Wait", message: "1,200\u202fms" }],
  [{ metric: "wait", show: "interval" }, { message: "1,200\u202fms" }],
  [{ metric: "wait" }, { color: "blue" }],
  [{ metric: "lost" }, { message: "not measured", color: "lightgrey" }],
  [{ metric: "f1", suite: "s" }, { message: "0.950 ±0.02 · #1/2" }],
  [
    { label: "my model", style: "plastic" },
    { label: "my model", style: "plastic" },
  ],
  [{ suite: "first" }, { ...flat, message: "not evaluated" }],
  [{ dataset: "d" }, { message: "0.950 ±0.02 · #1/2" }],
  [{ dataset: "other" }, { ...flat, message: "not evaluated" }],
  [{ suite: "none" }, { ...flat, message: "bad suite" }],
  [{ suite: "" }, { ...flat, message: "bad suite" }],
  [
    { metric: "none", label: "mine" },
    { ...flat, label: "mine", message: "bad metric" },
  ],
  [{ metric: "constructor" }, { ...flat, message: "bad metric" }],
  [
    { metric: "wait", show: "rank" },
    { ...flat, message: "bad metric" },
  ],
  [{ style: "round" }, { ...flat, message: "bad style" }],
  [{ show: "all" }, { ...flat, message: "bad show" }],
  [{ label: "" }, { ...flat, message: "bad label" }],
  [{ label: "x".repeat(61) }, { ...flat, message: "bad label" }],
  [{ label: "a\u0000b" }, { ...flat, message: "bad label" }],
])("badgeOf() of the query %j is %j", async (query, badge) => {
  const platform = platformWith([aBoard({ interval: [0.93, 0.97] })]);
  expect(await badgeOf(platform, slug, query)).toMatchObject(badge);
});

const aDrift = (rerun: number, more: object = {}, difference = 0) => ({
  rerun,
  isCovered: true,
  isFlagged: false,
  attribution: null,
  againstReference: rerun === 0 ? null : { difference },
  ...more,
  observedAt: "2026-11-22T10:00:00Z",
});
const flagged = { isFlagged: true };
const onDay = (observedAt: string) => ({ ...aDrift(3, flagged, -0.432), observedAt });
const lastWeek = onDay("2026-11-15T23:59:00Z");

it.each<[object | null, object | null, string, string]>([
  [null, null, "first run", "brightgreen"],
  [aDrift(0), null, "first run", "brightgreen"],
  [aDrift(1), null, "no drift found in 1 re-run", "brightgreen"],
  [aDrift(4, {}, -0.2), null, "no drift found in 4 re-runs", "brightgreen"],
  [aDrift(3, flagged, -0.043), lastWeek, "drift \u22120.043", "orange"],
  [aDrift(3, flagged, 0.043), null, "drift +0.043", "brightgreen"],
  [aDrift(0), lastWeek, "drift \u22120.432 on 15 Nov, first run since", "brightgreen"],
  [aDrift(2), lastWeek, "drift \u22120.432 on 15 Nov, none in 2 re-runs since", "brightgreen"],
  [
    aDrift(1),
    onDay("2025-09-02T10:00:00Z"),
    "drift \u22120.432 on 2 Sep 2025, none in 1 re-run since",
    "brightgreen",
  ],
  [
    aDrift(0, { attribution: "dataset" }),
    null,
    "first run on a new dataset version",
    "brightgreen",
  ],
  [
    aDrift(0, { attribution: "dataset" }),
    lastWeek,
    "drift \u22120.432 on 15 Nov, new dataset version since",
    "brightgreen",
  ],
  [aDrift(0, { isCovered: false }), lastWeek, "coverage too low for a trend", "brightgreen"],
])(
  "badgeOf() shows the trend of %j after the flagged drift %j as %s",
  async (drift, last, text, color) => {
    const drifts = {
      get: async () => drift && { series: "s", position: 7, drift },
      lastFlagged: async (series: string, position: number) =>
        series === "s" && position === 7 && last ? { record: { drift: last } } : null,
    };
    const platform = { ...platformWith([aBoard({})]), drifts } as never;
    const message = `0.950 · ${text}`;
    expect(await badgeOf(platform, slug, { show: "trend" })).toMatchObject({ message, color });
  },
);

it("badgeOf() gives a narrow interval one more decimal instead of ±0", async () => {
  const board = aBoard({ value: 0.9512, interval: [0.949, 0.953] });
  expect((await badgeOf(platformWith([board]), slug)).message).toBe("0.951 ±0.002 · #1/2");
});

it("badgeOf() has a trend only for the headline metric", async () => {
  const badge = await badgeOf(platformWith([aBoard({})]), slug, { show: "trend", metric: "wait" });
  expect(badge.message).toBe("bad metric");
});

it.each<[Pick<Metric, "unit" | "better">, number, string]>([
  [{ unit: "ratio", better: "higher" }, 0.9, "brightgreen"],
  [{ unit: "ratio", better: "higher" }, 0.75, "green"],
  [{ unit: "ratio", better: "higher" }, 0.6, "yellow"],
  [{ unit: "ratio", better: "higher" }, 0.59, "red"],
  [{ unit: "ratio", better: "lower" }, 0.99, "blue"],
  [{ unit: "level", better: "higher" }, 4.5, "blue"],
  [{ unit: "ms", better: "lower" }, 0.5, "blue"],
])("badgeColor() of a metric %j without limits at %s is %s", (metric, value, color) => {
  expect(badgeColor({}, { id: "m", ...metric }, value)).toBe(color);
});

it.each([
  ["latencyP95", 900, "brightgreen"],
  ["latencyP95", 1500, "green"],
  ["latencyP95", 5000, "yellow"],
  ["latencyP95", 5001, "red"],
  ["hallucinationRate", 0.01, "brightgreen"],
  ["hallucinationRate", 0.5, "red"],
  ["validity", 0.94, "red"],
  ["eqs", 0.91, "brightgreen"],
])("badgeColor() uses the limits of the extraction suite: %s of %s is %s", (id, value, color) => {
  const suite = suiteById("extraction");
  expect(
    badgeColor(
      suite,
      suite?.metrics.find((metric) => metric.id === id),
      value,
    ),
  ).toBe(color);
});

it("badgeColor() is neutral for a suite that only describes answers", () => {
  const quality = suiteById("quality");
  const metrics = quality?.metrics.filter(({ unit }) => unit === "ratio") ?? [];
  for (const metric of metrics) {
    for (const value of [0.05, 0.65, 0.95]) expect(badgeColor(quality, metric, value)).toBe("blue");
  }
  expect(metrics.length).toBeGreaterThan(5);
});

it("badgeColor() is neutral for a metric that the suite no longer has", () => {
  expect(badgeColor(undefined, undefined, 0.99)).toBe("blue");
});
