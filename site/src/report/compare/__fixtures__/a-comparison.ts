import type { Comparison, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { Compared } from "../compared.ts";

type Pair = MetricComparison["pairs"][number];

const aMetric = (id: string, more: Partial<Metric> = {}): Metric => ({
  id,
  label: id.toUpperCase(),
  unit: "ratio",
  better: "higher",
  format: "score",
  definition: "",
  ...more,
});

const anEstimate = (value: number | null): Estimate => ({
  value,
  interval: value === null ? null : [value - 0.1, value + 0.1],
  n: 10,
  coverage: 1,
});

const aPair = (a: string, b: string, more: Partial<Pair> = {}): Pair => ({
  a,
  b,
  winRate: 0.3,
  t: -2,
  p: 0.04,
  pHolm: 0.04,
  wilcoxon: 3,
  wilcoxonP: 0.05,
  wilcoxonPHolm: 0.05,
  cohensD: -0.4,
  effectSize: "small",
  dz: -0.5,
  significantAt: null,
  difference: { value: -0.1, interval: [-0.3, 0.05] },
  detectableDifference: 0.2,
  samplesToSeparate: 30,
  ...more,
});

const aStanding = (run: string, value: number, tieGroup = 1) => ({
  run,
  value,
  best: 0.5,
  tieGroup,
  interval: [value - 0.1, value + 0.1] as [number, number],
  rankInterval: [1, 2] as [number, number],
});

const called = { kind: "called", endpointHost: "a.example" } as const;
const sent = { kind: "self-reported", endpointHost: null } as const;

const aRun = (run: string, name: string, isOdd: boolean): Comparison["runs"][number] => ({
  run,
  provenance: isOdd ? sent : called,
  headline: anEstimate(0.5),
  samples: 10,
  leftOut: 0,
  model: {
    slug: `acme/${run}`,
    name,
    simulated: isOdd,
    url: null,
    license: null,
    parameters: null,
    quantization: null,
  },
});

/** Runs b, a and c, in the order of the headline `main`; b differs from c. Latency is known for whole runs. */
export function aComparison(more: Partial<Comparison> = {}): Compared {
  const units = { kind: "samples", count: 10 } as const;
  const comparison: Comparison = {
    suite: "s",
    dataset: { name: "stock", version: "v" },
    scoringVersion: "sc",
    runs: [aRun("a", "Alpha", false), aRun("b", "Beta", false), aRun("c", "Gamma", true)],
    metrics: [
      {
        metric: "main",
        notes: [],
        better: "higher",
        samples: 10,
        units,
        standings: [aStanding("b", 0.9), aStanding("a", 0.8), aStanding("c", 0.5, 2)],
        pairs: [
          aPair("a", "b", { samplesToSeparate: 29_692_089 }),
          aPair("a", "c", { winRate: 0.8 }),
          aPair("b", "c", { significantAt: 0.01, winRate: 0.9 }),
        ],
      },
    ],
    frontiers: { latency: ["a", "b"], cost: null },
    bestBy: [],
    differing: [],
    ...more,
  };
  const latency = (value: number) => ({ main: anEstimate(0.5), p95: anEstimate(value) });
  return {
    comparison,
    suite: {
      id: "s",
      label: "Suite",
      headline: "main",
      metrics: [aMetric("main"), aMetric("p95", { better: "lower", format: "ms" }), aMetric("no")],
      views: [{ id: "cost", label: "Cost", purpose: "What?", metrics: ["p95", "no", "main"] }],
    },
    figures: new Map([
      ["a", latency(100)],
      ["b", latency(200)],
    ]),
  };
}
