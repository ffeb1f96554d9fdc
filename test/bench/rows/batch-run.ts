import type { Bench } from "../bench.ts";
import { costUsd } from "../cost/prices.ts";
import { usageEach, usageSince } from "../cost/usage.ts";
import { BenchService } from "../support/bench-service.ts";

const SAMPLES = 1_000;

/** Cost on Cloudflare of a run in a provider's batches. It uses no resources while it waits. */
export const batchRun: Bench = {
  repeats: 1,
  rows: [
    {
      name: "service/batch-cost",
      what: "1,000 samples in a provider's batches, which end at once: Cloudflare's cost per million, without CPU time",
      unit: "USD",
      target: { atMost: 3 },
    },
    {
      name: "service/batch-rows",
      what: "the same: rows written to D1 per sample",
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
      const used = usageEach(usageSince(before, await service.usage()), samples);
      const usd = costUsd({ ...used, logEvents: used.invocations, cpuMs: 0 });
      return [usd * 1e6, used.d1RowsWritten];
    };
  },
};
