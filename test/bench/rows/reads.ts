import type { Run } from "../../../shared/contracts/run.ts";
import { percentile } from "../../../shared/stats/percentile.ts";
import type { Bench, BenchRow } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { steadyLoad } from "../support/steady-load.ts";

const PER_SECOND = 200;
const SECONDS = 30;
/** Of the same load before, in which connections open and code is compiled. */
const WARM_UP_SECONDS = 5;
const SAMPLES = 100;
/** Reads whose rows are counted, before those that are timed. */
const COUNTED = 20;
/** Runs stored, the last being what targets are for. */
const stored = [1, 100, 10_000] as const;

/** What readers ask for, by a run and the board that it stands on. */
const reads: Record<string, (run: Run) => string> = {
  leaderboard: ({ dataset }) => `/v1/leaderboard?suite=extraction&dataset=${dataset.name}`,
  badge: ({ model }) => `/badge/${model.slug}.svg`,
  run: ({ id }) => `/v1/runs/${id}`,
  samples: ({ id }) => `/v1/runs/${id}/samples`,
};

const words = "leaderboard, badge: 0 rows written, ≤ 3 read, p99 ≤ 20 ms under 200 requests/s";
const isPromised = (name: string) => name === "leaderboard" || name === "badge";

/** What readers wait for and what their reading costs, however much is stored. */
export const readsUnderLoad: Bench = {
  once: true,
  rows: stored.flatMap((runs) => Object.keys(reads).flatMap((name) => rowsOf(name, runs))),
  async prepare({ scale }, onEnd) {
    const service = await BenchService.start(SAMPLES, { metered: true });
    onEnd(() => service.stop());
    const { run } = await service.evaluate({
      ...{ model: "sim-medium?latency=0", samples: SAMPLES, concurrency: 60 },
    });
    return async () => {
      const figures: number[] = [];
      let there = 1;
      for (const runs of stored) {
        await service.copy(run.id, there, runs - 1);
        there = Math.max(there, runs);
        for (const path of Object.values(reads)) {
          figures.push(...(await measured(service, path(run), SECONDS * Math.min(1, scale))));
        }
      }
      return figures;
    };
  },
};

function rowsOf(name: string, runs: number): BenchRow[] {
  const full = `reads/${name}-${runs}`;
  const what = `${name}, ${runs.toLocaleString("en")} ${runs === 1 ? "run" : "runs"} stored`;
  const promised = (target: Omit<BenchRow["target"] & object, "words">) =>
    isPromised(name) && { target: { ...target, words } };
  return [
    { name: `${full}-p50`, what: `${what}: median`, unit: "ms" },
    { name: `${full}-p99`, what: `${what}: p99`, unit: "ms", ...promised({ atMost: 20 }) },
    { name: `${full}-rows`, what: `${what}: rows read`, unit: "", ...promised({ atMost: 3 }) },
    { name: `${full}-written`, what: `${what}: rows written`, unit: "" },
  ];
}

async function measured(service: BenchService, path: string, seconds: number): Promise<number[]> {
  const url = `${service.origin}${path}`;
  await service.count(true);
  const before = await service.usage();
  await steadyLoad({ url, perSecond: PER_SECOND, seconds: COUNTED / PER_SECOND });
  const after = await service.usage();
  await service.count(false);
  const warmUp = Math.min(WARM_UP_SECONDS, seconds);
  await steadyLoad({ url, perSecond: PER_SECOND, seconds: warmUp });
  const latencies = await steadyLoad({ url, perSecond: PER_SECOND, seconds });
  return [
    percentile(latencies, 0.5)!,
    percentile(latencies, 0.99)!,
    (after.d1RowsRead - before.d1RowsRead) / COUNTED,
    (after.d1RowsWritten - before.d1RowsWritten) / COUNTED,
  ];
}
