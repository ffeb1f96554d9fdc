import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../../shared/contracts/run.ts";
import { percentile } from "../../../shared/stats/sums/percentile.ts";
import type { Bench, BenchRow, Measured } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { constantRateLoad } from "../support/constant-rate-load.ts";

/** Requests per second, for the read and for the constant response each. */
const PER_SECOND = 200;
const SECONDS = 15;
const SAMPLES = 100;
/** Number and interval of the reads whose rows are counted; far apart, so that none is answered from memory. */
const COUNTED = 3;
const APART_MS = 2_000;
/** Number of models, all listed on the board. */
const MODELS = 100;
const RUNS = 10_000;

/** Paths that readers request for a run and its board. */
const reads = {
  leaderboard: ({ dataset }: Run) => `/v1/leaderboard?suite=extraction&dataset=${dataset.name}`,
  badge: ({ model }: Run) => `/badge/${model.slug}.svg`,
};

/** Cloudflare's Free plan includes 5 million rows read per day; the cron job may use a tenth of them. */
const CRON_ROWS = 5e6 / (24 * 60) / 10;

/** Latency and cost of reads with many stored results. */
export const readsUnderLoad: Bench = {
  repeats: 3,
  rows: [
    ...Object.keys(reads).flatMap(rowsOf),
    {
      name: "reads/cron-rows",
      what: "one run of the cron job with 10,000 stored runs: rows read from D1",
      unit: "",
      target: { atMost: Math.floor(CRON_ROWS) },
    },
  ],
  async prepare({ scale }, onEnd) {
    const service = await BenchService.start(SAMPLES, { metered: true });
    onEnd(() => service.stop());
    const asked = { model: "sim-medium?latency=0", samples: SAMPLES, concurrency: 60 };
    const { run } = await service.evaluate(asked);
    await service.copy(run.id, RUNS - 1, MODELS);
    await service.list(run.id, MODELS - 1);
    return async () => {
      const measured: Measured[] = [];
      for (const path of Object.values(reads))
        measured.push(...(await roundOf(service, path(run), SECONDS * scale)));
      return [...measured, await cronRows(service)];
    };
  },
};

function rowsOf(read: string): BenchRow[] {
  const what = `${read}, with 10,000 stored runs of 100 models`;
  return [
    {
      name: `reads/${read}-p99`,
      what: `${what}: p99 at 200 requests per second`,
      unit: "ms",
      yardstick: "a constant response of the same size, requested at the same times",
      target: { atMost: 2 },
    },
    {
      name: `reads/${read}-rows`,
      what: `${what}: rows read from D1, if not in memory`,
      unit: "",
      target: { atMost: 3 },
    },
    {
      name: `reads/${read}-written`,
      what: `${what}: rows written`,
      unit: "",
      target: { atMost: 0 },
    },
  ];
}

async function cronRows(service: BenchService): Promise<number> {
  await service.count(true);
  const before = await service.usage("cron");
  await service.cron();
  const { d1RowsRead } = await service.usage("cron");
  await service.count(false);
  return d1RowsRead - before.d1RowsRead;
}

async function roundOf(service: BenchService, path: string, seconds: number): Promise<Measured[]> {
  const url = `${service.origin}${path}`;
  await service.count(true);
  const read: number[] = [];
  const written: number[] = [];
  for (let i = 0; i < COUNTED; i++) {
    await sleep(APART_MS);
    const before = await service.usage("others");
    await (await fetch(url)).arrayBuffer();
    const after = await service.usage("others");
    read.push(after.d1RowsRead - before.d1RowsRead);
    written.push(after.d1RowsWritten - before.d1RowsWritten);
  }
  await service.count(false);
  const bytes = (await (await fetch(url)).arrayBuffer()).byteLength;
  const constant = `${service.origin}/__constant?bytes=${bytes}`;
  const p99 = async (of: string) =>
    percentile(await constantRateLoad({ url: of, perSecond: PER_SECOND, seconds }), 0.99)!;
  const [measured, yardstick] = await Promise.all([p99(url), p99(constant)]);
  return [{ measured, yardstick }, percentile(read, 0.5)!, percentile(written, 0.5)!];
}
