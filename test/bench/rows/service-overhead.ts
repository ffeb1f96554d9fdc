import type { Bench } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { cpuByPart } from "../support/cpu-by-part.ts";
import { connectInspector } from "../support/inspector.ts";

/** Answers at once, so that the time is the service's own; its mistakes give the scoring something to do. */
const model = "sim-medium?latency=0";
const CONCURRENCY = 60;

const target = {
  atMost: 1500,
  words: "1,000 samples through everything in ≤ 1.5 s on 2 cores",
};

/** Whole runs by the local runtime, from the submission to the finished run. */
export const serviceOverhead: readonly Bench[] = [1_000, 10_000].map((size) => ({
  ...(size > 1_000 && { repeats: 3 }),
  rows: [
    {
      name: `service/run-${size}`,
      what: `${size.toLocaleString("en")} samples through API, queue, endpoint, scoring, D1, R2 and finalize; latency 0`,
      unit: "ms",
      ...(size === 1_000 && { target }),
    },
  ],
  async prepare({ scale }, onEnd) {
    const samples = Math.max(10, Math.round(size * Math.min(1, scale)));
    const service = await BenchService.start(samples);
    onEnd(() => service.stop());
    return async () => [
      (await service.evaluate({ model, samples, concurrency: CONCURRENCY })).wallMs,
    ];
  },
}));

/** What the run of 1,000 samples spends on what. */
export const overheadByPart: Bench = {
  rows: [
    row("cpu-scoring", "scoring, and summing up with intervals: CPU a sample", "ms"),
    row("cpu-endpoint", "the endpoint's client: CPU a sample", "ms"),
    row("cpu-d1", "queries and rows for D1: CPU a sample", "ms"),
    row("cpu-r2", "objects for R2: CPU a sample", "ms"),
    row("cpu-rest", "lanes, messages, HTTP, collecting garbage: CPU a sample", "ms"),
    row("wait-d1", "waiting for D1 a sample, lanes side by side", "ms"),
    row("wait-r2", "waiting for R2 a sample, lanes side by side", "ms"),
    row("wait-queue", "waiting for Queues to take messages, a sample", "ms"),
  ],
  async prepare({ scale }, onEnd) {
    const samples = Math.max(10, Math.round(1_000 * Math.min(1, scale)));
    const service = await BenchService.start(samples, { metered: true });
    onEnd(() => service.stop());
    const inspector = await connectInspector(service.inspectorPort);
    onEnd(() => inspector.close());
    return async () => {
      const before = await service.usage();
      const cpu = await cpuByPart(inspector, async () => {
        await service.evaluate({ model, samples, concurrency: CONCURRENCY });
      });
      const after = await service.usage();
      return [
        cpu.scoring,
        cpu.endpoint,
        cpu.d1,
        cpu.r2,
        cpu.rest,
        after.d1WaitMs - before.d1WaitMs,
        after.r2WaitMs - before.r2WaitMs,
        after.queueWaitMs - before.queueWaitMs,
      ].map((ms) => ms / samples);
    };
  },
};

function row(name: string, what: string, unit: string) {
  return { name: `service/${name}`, what, unit };
}
