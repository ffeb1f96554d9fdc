import type { Bench } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { perfectPoolMs } from "../support/perfect-pool.ts";

const CONCURRENCY = 60;

const kinds = [
  { name: "wait-1200", samples: 1_200, atMost: 1.05, repeats: 3, model: "sim-perfect?latency=500" },
  {
    name: "wait-10000",
    samples: 10_000,
    atMost: 1.02,
    repeats: 1,
    model: "sim-perfect?latency=500",
  },
  {
    name: "wait-long-tail",
    samples: 10_000,
    atMost: 1.05,
    repeats: 1,
    model: "sim-perfect?latency=500&p95=2500",
  },
] as const;

/** Whole runs at an endpoint with latency, compared with a pool without overhead. */
export const endpointLatency: readonly Bench[] = kinds.map(
  ({ name, samples: most, atMost, repeats, model }) => ({
    repeats,
    rows: [
      {
        name: `service/${name}`,
        what: `${most.toLocaleString("en")} samples, 60 at once, answers after ${model.includes("p95") ? "500 ms in the median, 2.5 s at p95" : "500 ms"}`,
        unit: "s",
        yardstick: "a perfect pool",
        target: { atMost },
      },
    ],
    async prepare({ scale }, onEnd) {
      const samples = Math.max(CONCURRENCY, Math.round(most * scale));
      const service = await BenchService.start(samples);
      onEnd(() => service.stop());
      return async () => {
        const { wallMs } = await service.evaluate({ model, samples, concurrency: CONCURRENCY });
        const asked = service.simulator.log.entries.slice(-samples);
        const drawn = asked.map(({ latencyMs }) => latencyMs ?? 0);
        const perfectMs = perfectPoolMs(drawn, CONCURRENCY);
        return [{ measured: wallMs / 1_000, yardstick: perfectMs / 1_000 }];
      };
    },
  }),
);
