import type { Bench } from "../bench.ts";
import { costUsd } from "../cost/prices.ts";
import { BenchService } from "../support/bench-service.ts";

const SAMPLES = 1_000;
const target = {
  atMost: 3,
  words: "a million samples in batches: < $3 on Cloudflare",
};

/** What a run in batches of a provider costs on Cloudflare: it waits without holding anything. */
export const batchRun: Bench = {
  repeats: 1,
  rows: [
    {
      name: "service/batch-cost",
      what: "1,000 samples in batches of a provider, which end at once: Cloudflare's cost of a million, without CPU time",
      unit: "USD",
      target,
    },
    {
      name: "service/batch-rows",
      what: "the same: rows that it writes to D1 a sample",
      unit: "rows",
    },
  ],
  async prepare({ scale }, onEnd) {
    const samples = Math.max(10, Math.round(SAMPLES * Math.min(1, scale)));
    const service = await BenchService.start(samples, { metered: true });
    onEnd(() => service.stop());
    return async () => {
      const before = await service.usage();
      await service.evaluate({ model: "sim-medium", samples, concurrency: 20, mode: "batch" });
      const after = await service.usage();
      const used = (name: keyof typeof after) => (after[name] - before[name]) / samples;
      const usd = costUsd({
        invocations: used("invocations"),
        logEvents: used("invocations"),
        cpuMs: 0,
        d1RowsRead: used("d1RowsRead"),
        d1RowsWritten: used("d1RowsWritten"),
        queueOperations: used("queueOperations"),
        r2ClassA: used("r2ClassA"),
        r2ClassB: used("r2ClassB"),
      });
      return [usd * 1e6, used("d1RowsWritten")];
    };
  },
};
