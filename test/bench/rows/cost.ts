import type { Bench } from "../bench.ts";
import { costUsd, pricesReadOn } from "../cost/prices.ts";
import { usageEach, usageSince } from "../cost/usage.ts";
import { BenchService } from "../support/bench-service.ts";
import { cpuByPart } from "../support/cpu-by-part.ts";
import { connectInspector } from "../support/inspector.ts";

const words = "per unjudged sample of a 1,000-sample run";

/** What a sample asks of the platform, and what a million of them would cost. */
export const cost: Bench = {
  rows: [
    {
      ...{ name: "cost/d1-rows-written", what: "rows written to D1, indexes included", unit: "" },
      target: { atMost: 1.3, words: `≤ 1.3 ${words}` },
    },
    { name: "cost/d1-rows-read", what: "rows that D1 read", unit: "" },
    {
      ...{ name: "cost/queue-operations", what: "messages written, read and deleted", unit: "" },
      target: { atMost: 0.2, words: `≤ 0.2 ${words}` },
    },
    {
      ...{ name: "cost/r2-writes", what: "objects written to R2, or listed", unit: "" },
      target: { atMost: 0.1, words: `≤ 0.1 ${words}` },
    },
    { name: "cost/r2-reads", what: "objects read from R2", unit: "" },
    { name: "cost/invocations", what: "invocations of the Worker", unit: "" },
    { name: "cost/d1-bytes", what: "room taken in D1", unit: "bytes" },
    { name: "cost/r2-bytes", what: "room taken in R2", unit: "bytes" },
    { name: "cost/cpu", what: "CPU time of the Worker's JavaScript", unit: "ms" },
    {
      ...{ name: "cost/million", what: `a million samples, at prices of ${pricesReadOn}` },
      unit: "USD",
      target: { atMost: 3, words: "under $3 per million samples" },
    },
  ],
  async prepare({ scale }, onEnd) {
    const samples = Math.max(10, Math.round(1_000 * Math.min(1, scale)));
    const service = await BenchService.start(samples, { metered: true });
    onEnd(() => service.stop());
    const inspector = await connectInspector(service.inspectorPort);
    onEnd(() => inspector.close());
    return async () => {
      const asked = { model: "sim-medium?latency=0", samples, concurrency: 60 };
      const before = await service.usage();
      const cpu = await cpuByPart(inspector, async () => void (await service.evaluate(asked)));
      const used = usageEach(usageSince(before, await service.usage()), samples);
      const cpuMs = Object.values(cpu).reduce((sum, ms) => sum + ms, 0) / samples;
      return [
        ...[used.d1RowsWritten, used.d1RowsRead, used.queueOperations],
        ...[used.r2ClassA, used.r2ClassB, used.invocations, used.d1Bytes, used.r2Bytes, cpuMs],
        costUsd({ ...used, cpuMs }) * 1e6,
      ];
    };
  },
};
