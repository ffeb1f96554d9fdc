import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { loadsOf, readRehearsal } from "../rehearsal/record.ts";
import {
  type Deployment,
  demandOf,
  type SampleDemand,
  standardDeployment,
  usualLatencyMs,
  usualLoads,
} from "./demand.ts";
import type { MeasuredLoad } from "./measured-load.ts";
import { predict } from "./predict.ts";
import { simulate } from "./simulate.ts";

const demand: SampleDemand = {
  latencyMs: 1_000,
  cpuMs: 2,
  invocations: 0.05,
  d1RowsRead: 20,
  d1RowsWritten: 1.25,
  logEvents: 0.05,
  d1Calls: 0.1,
  d1Transactions: 0.1,
  d1Bytes: 250,
  queueOperations: 0.1,
  r2ClassA: 0.05,
  r2ClassB: 0.1,
  r2Bytes: 2_000,
};

const most = (demanded: SampleDemand, deployment: Deployment) =>
  predict(1e6, demanded, deployment).mostPerDay / 86_400;

describe("demandOf()", () => {
  const { latencyMs: _, ...asked } = demand;
  const load: MeasuredLoad = {
    d1Ms: 60,
    growth: 1,
    samples: 1_200,
    latencyMs: 0,
    atOnce: 60,
    isStreamed: true,
    judgeRequests: 0,
    wallMs: 1,
    poolMs: 1,
    messages: 1,
    asked,
    usd: 1,
  };
  const of = (change: Partial<MeasuredLoad>, r2ClassA: number): MeasuredLoad => ({
    ...load,
    ...change,
    asked: { ...asked, r2ClassA },
  });
  const loads = [
    of({ latencyMs: 2_000 }, 3),
    of({ latencyMs: 0 }, 1),
    of({ latencyMs: 500 }, 2),
    of({ latencyMs: 500, samples: 10_000 }, 99),
    of({ latencyMs: 500, d1Ms: 150 }, 99),
    of({ latencyMs: 500, growth: 5 }, 99),
    of({ latencyMs: 500, isStreamed: false }, 99),
    of({ latencyMs: 500, judgeRequests: 4 }, 99),
  ];

  test.each([
    [0, 1],
    [250, 1.5],
    [500, 2],
    [1_250, 2.5],
    [2_000, 3],
    [9_000, 3],
  ])("interpolates the demand at an endpoint of %d ms", (latencyMs, r2ClassA) => {
    expect(demandOf(loads, latencyMs)).toEqual({ ...demand, latencyMs, r2ClassA });
  });

  test("throws with the command to record when no such run is recorded", () => {
    expect(() => demandOf(loads.slice(3), 100)).toThrow("npm run rehearse -- --record");
  });
});

describe("predict()", () => {
  test.each([
    ["slow endpoints", demand, standardDeployment, "requests in flight"],
    ["a fast endpoint", { ...demand, latencyMs: 50 }, standardDeployment, "calls to D1"],
    [
      "a fast endpoint and many databases",
      { ...demand, latencyMs: 1, queueOperations: 3 },
      { ...standardDeployment, databases: 10_000 },
      "queue messages",
    ],
  ])("names the first limit of %s", (_, demanded, deployment, first) => {
    expect(predict(1e6, demanded, deployment).uses[0]?.name).toBe(first);
  });

  test("counts the database time of reads", () => {
    const share = (sample: SampleDemand) =>
      predict(1e6, sample, standardDeployment).uses.find(({ name }) => name === "calls to D1")
        ?.share;
    expect(share({ ...demand, d1Calls: 1.1 })).toBeCloseTo(2 * share(demand)!, 12);
  });

  test("predicts share, hours, storage and cost of a million samples of 1 s per day", () => {
    const { uses, hours, daysUntilFull, usdPerMonth } = predict(1e6, demand, standardDeployment);
    expect(uses[0]?.share).toBeCloseTo(1e6 / 86_400 / 240, 12);
    expect(hours).toBeCloseTo(1e6 / 240 / 3_600, 12);
    expect(daysUntilFull).toBeCloseTo(40, 9);
    // Only the written rows: 30 million × 1.25 × $1 per million.
    expect(usdPerMonth.running).toBeGreaterThan(37.5);
    expect(usdPerMonth.running).toBeLessThan(90);
    expect(usdPerMonth.storage).toBeCloseTo(30e6 * (2_000 * 0.015e-9 + 250 * 0.75e-9), 9);
  });
});

/** The prediction is the mean; the simulation starts and ends with partly filled lanes. */
describe("simulate()", () => {
  test.each([
    ["requests in flight are", demand, standardDeployment],
    ["a database is", { ...demand, latencyMs: 50 }, standardDeployment],
    ["two databases are", { ...demand, latencyMs: 50 }, { ...standardDeployment, databases: 2 }],
    ["only latency is", { ...demand, latencyMs: 5_000 }, { ...standardDeployment, consumers: 250 }],
  ])("reaches the predicted rate when %s the limit", (_, demanded, deployment) => {
    const simulated = simulate(60_000, demanded, deployment);
    expect(simulated / most(demanded, deployment)).toBeGreaterThan(0.9);
    expect(simulated / most(demanded, deployment)).toBeLessThan(1.05);
  });
});

describe("the recorded rehearsal, which the site shows,", () => {
  const { scenes, scale } = readRehearsal();
  const loads = loadsOf(scenes);

  test("has current predictions; update them with npm run rehearse -- --record", () => {
    const usual = demandOf(loads, usualLatencyMs);
    expect(scale).toEqual(usualLoads.map((load) => predict(load, usual, standardDeployment)));
  });

  test("agrees with the simulation of a run of 10,000 samples with 60 requests in flight", () => {
    const fast = demandOf(loads, 500);
    const { wallMs, poolMs } = loads.find((one) => one.samples === 10_000 && one.atOnce === 60)!;
    const measured = (60 * 1000) / fast.latencyMs / (wallMs / poolMs!);
    const simulated = simulate(10_000, fast, { ...standardDeployment, consumers: 12 });
    expect(simulated / measured).toBeGreaterThan(0.9);
    expect(simulated / measured).toBeLessThan(1.1);
  });
});

describe("npm run scale", () => {
  const scale = (...args: string[]) =>
    spawnSync(process.execPath, [`${import.meta.dirname}/main.ts`, ...args], { encoding: "utf8" });

  test("predicts from the recorded rehearsal, and warns about latencies beyond the measured ones", () => {
    const { status, stdout, stderr } = scale("--latency", "90000", "--samples-per-day", "1000");
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^1,000 samples per day/)]);
    expect(stderr).toContain("measured at endpoints of up to 60000 ms");
    expect(scale("--latency", "2000").stderr).toBe("");
  });

  test.each([
    ["--consumers", "251", "a whole number from 1 to 250"],
    ["--databases", "1.5", "a whole number"],
    ["--commit-ms", "0", "a number above 0"],
    ["--samples-per-day", "Infinity", "a number above 0"],
  ])("refuses %s %s", (option, value, reason) => {
    const { status, stderr } = scale(option, value);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${option} takes ${reason}`)]);
  });
});
