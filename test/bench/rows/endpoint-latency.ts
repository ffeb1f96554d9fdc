import type { Bench } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { perfectPoolMs } from "../support/perfect-pool.ts";

const CONCURRENCY = 60;
const words = "10,000 samples, concurrency 60: wall ≤ 1.05 × a perfect pool";

const latencies = [
  { name: "constant", model: "sim-perfect?latency=500", what: "every answer takes 500 ms" },
  {
    name: "long-tail",
    model: "sim-perfect?latency=500&p95=2500",
    what: "answers take 500 ms in the median, 2.5 s at p95 (lognormal)",
  },
] as const;

/**
 * The target is of runs whose length is their endpoint's: of one that takes ten seconds, the half second of start and
 * summing up is all that the target leaves.
 */
const sizes = [
  { most: 1_200, isHeld: false },
  { most: 10_000, isHeld: true },
];

const kinds = latencies.flatMap((kind) => sizes.map((size) => ({ ...kind, ...size })));

/** Whole runs against an endpoint that takes its time, held against a pool without overhead. */
export const endpointLatency: readonly Bench[] = kinds.map(
  ({ name, model, what, most, isHeld }) => ({
    repeats: 3,
    rows: [
      {
        name: `service/latency-${name}-${most}`,
        what: `${most.toLocaleString("en")} samples, ${what}: wall time by that of a perfect pool`,
        unit: "×",
        target: { atMost: 1.05, words, ...(!isHeld && { isPromised: false }) },
      },
    ],
    async prepare({ scale }, onEnd) {
      const samples = Math.max(CONCURRENCY, Math.round(most * Math.min(1, scale)));
      const service = await BenchService.start(samples);
      onEnd(() => service.stop());
      return async () => {
        const { wallMs } = await service.evaluate({ model, samples, concurrency: CONCURRENCY });
        const asked = service.simulator.log.entries.slice(-samples);
        const drawn = asked.map(({ latencyMs }) => latencyMs ?? 0);
        return [wallMs / perfectPoolMs(drawn, CONCURRENCY)];
      };
    },
  }),
);
