import { describe, expect, it } from "vitest";
import type { DriftNotice } from "#shared/contracts/drift/drift-notice.ts";
import type { Run } from "#shared/contracts/run.ts";

import { datasetChangeText, runHistories } from "./history.ts";

const aRun = (day: string, value: number, more: Partial<Run> = {}) =>
  ({
    id: `run-${day}`,
    suite: "extraction",
    headline: "eqs",
    status: "finished",
    parent: null,
    variant: null,
    scoringVersion: "s",
    promptHash: "p",
    dataset: { name: "stock", version: "v", samples: 72 },
    provenance: { kind: "called", endpointHost: "api.example.com" },
    options: { temperature: 0, concurrency: 20 },
    metrics: { eqs: { value, interval: [value - 0.05, value + 0.05], n: 72, coverage: 1 } },
    progress: { total: 72, done: 72, failed: 0 },
    finishedAt: `2026-11-${day}T10:00:00Z`,
    ...more,
  }) as Run;

const pointsOf = (runs: Run[]) => runHistories(runs)[0]?.points ?? [];

describe("runHistories()", () => {
  it("groups runs of one configuration, oldest first", () => {
    const [first, second] = [aRun("01", 0.8), aRun("02", 0.82)];
    expect(runHistories([second, first])).toMatchObject([
      { suite: "extraction", headline: "eqs", points: [{ run: first }, { run: second }] },
    ]);
  });

  it.each<[string, Partial<Run>]>([
    ["another dataset version", { dataset: { name: "stock", version: "w", samples: 72 } }],
    ["another scoring version", { scoringVersion: "t" }],
    ["another prompt", { promptHash: "q" }],
    ["no declared prompt", { promptHash: null }],
    ["part of the dataset", { options: { sample: { n: 10, seed: 0 } } }],
    ["repeats", { options: { repeats: 3 } }],
    ["rescored answers", { parent: "run-01" }],
    ["a variant of a sweep", { variant: { temperature: 1 } }],
    ["no answers", { progress: { total: 72, done: 72, failed: 72 } }],
    ["no result", { status: "failed", metrics: null }],
  ])("omits a run with %s", (_, more) => {
    expect(runHistories([aRun("01", 0.8), aRun("02", 0.8, more)])).toEqual([]);
  });

  it.each([
    [0.8, "overlapping"],
    [0.9, "overlapping"],
    [0.95, "above"],
    [0.65, "below"],
  ])("describes %d after 0.8 as %s", (value, standing) => {
    const points = pointsOf([aRun("01", 0.8), aRun("02", value)]);
    expect(points.map((point) => point.standing)).toEqual(["first", standing]);
  });

  it("compares runs with the first covered one, and gives no comparison for the others", () => {
    const lost = {
      eqs: { value: 0.2, interval: [0.1, 0.3] as [number, number], n: 72, coverage: 0.3 },
    };
    const runs = [aRun("01", 0, { metrics: lost }), aRun("02", 0.8), aRun("03", 0.95)];
    expect(pointsOf(runs).map(({ standing }) => standing)).toEqual([null, "first", "above"]);
  });

  it("groups runs on the versions of a stream, and states how many new rows were drawn", () => {
    const draw = { read: 4_300, known: 180, refused: 0, drawn: 200, anchor: 50, keepVersions: 30 };
    const draws = new Map([
      ["v", draw],
      ["w", { ...draw, known: 0 }],
    ]);
    const runs = ["v", "w", "x"].map((version, i) =>
      aRun(`0${i + 1}`, 0.8, { dataset: { name: "stock", version, samples: 250 } }),
    );
    const [history, ...rest] = runHistories(runs, [], draws);
    expect(rest).toEqual([]);
    expect(history?.isStream).toBe(true);
    expect(history?.points.map(({ changes }) => changes)).toEqual([
      ["200 of 4,120 new rows drawn"],
      ["200 of 4,300 new rows drawn"],
    ]);
  });

  it("attaches a drift to the run where it was flagged", () => {
    const drift = { run: "run-02" } as DriftNotice;
    const [history] = runHistories([aRun("01", 0.8), aRun("02", 0.7)], [drift]);
    expect(history?.points.map((point) => point.drift)).toEqual([null, drift]);
  });

  it("gives no comparison without an interval", () => {
    const alone = { eqs: { value: 0.2, interval: null, n: 1, coverage: 1 } };
    const points = pointsOf([aRun("01", 0.8), aRun("02", 0.2, { metrics: alone })]);
    expect(points.map(({ standing }) => standing)).toEqual(["first", null]);
  });

  it("lists what changed since the previous run, except how requests were sent", () => {
    const sent = { kind: "self-reported", endpointHost: null } as const;
    const runs = [
      aRun("01", 0.8),
      aRun("02", 0.8, { options: { temperature: 0.7, concurrency: 5 } }),
      aRun("03", 0.8, { options: { concurrency: 5 }, provenance: sent }),
    ];
    expect(pointsOf(runs).map(({ changes }) => changes)).toEqual([
      [],
      ["temperature: 0, now 0.7"],
      ["answers of: api.example.com, now self-reported", "temperature: 0.7, now not set"],
    ]);
  });
});

const metric = { label: "EQS", format: "score" } as const;
const unchanged = (difference: number, interval: [number, number] | null) => ({
  n: 1058,
  difference,
  interval,
});

it.each([
  [
    { difference: -0.1, unchanged: unchanged(0, [-0.02, 0.02]), isFlagged: false },
    "EQS \u22120.100, caused by the dataset; 0.000 (95% interval \u22120.020 to +0.020) over the 1,058 samples that are the same in both",
  ],
  [
    { difference: -0.394, unchanged: unchanged(-0.4, null), isFlagged: true },
    "EQS \u22120.394; \u22120.400 over the 1,058 samples that are the same in both, which is flagged as a drift",
  ],
  [
    { difference: 0.25, unchanged: null, isFlagged: false },
    "EQS +0.250, caused by the dataset: no sample is the same in both",
  ],
])("datasetChangeText() of %j", (change, text) => {
  expect(datasetChangeText(change, metric)).toBe(text);
});
