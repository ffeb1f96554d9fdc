import type { Run } from "../../../shared/contracts/run.ts";
import { percentile } from "../../../shared/stats/sums/percentile.ts";
import type { Bench, BenchRow, OnEnd } from "../bench.ts";
import { BenchService } from "../support/bench-service.ts";
import { constantRateLoad } from "../support/constant-rate-load.ts";

const PER_SECOND = 200;
const SECONDS = 30;
/** Of the same load before, in which connections open and code is compiled. */
const WARM_UP_SECONDS = 5;
const SAMPLES = 100;
/** Reads whose rows are counted, before those that are timed, and how far apart: none comes from memory. */
const COUNTED = 3;
const APART_MS = 2_000;
/** Models that they are of, and that the longest board lists, at the most. */
const MODELS = 100;
/** Runs stored. */
const stored = [1, 100, 10_000] as const;

/** What readers request, by a run and its board. */
const reads = {
  leaderboard: ({ dataset }: Run) => `/v1/leaderboard?suite=extraction&dataset=${dataset.name}`,
  badge: ({ model }: Run) => `/badge/${model.slug}.svg`,
  run: ({ id }: Run) => `/v1/runs/${id}`,
  samples: ({ id }: Run) => `/v1/runs/${id}/samples`,
};

type Read = keyof typeof reads;

const words = "leaderboard, badge: 0 rows written, ≤ 3 read, p99 ≤ 20 ms under 200 requests/s";
const promised: readonly Read[] = ["leaderboard", "badge"];

/** What readers wait for and what their reading costs, however much is stored. */
export const readsUnderLoad: readonly Bench[] = stored.flatMap((runs) => [
  bench(promised, runs),
  bench(["run", "samples"], runs),
]);

const board = "leaderboard of 100 models";

/**
 * A board as long as the site promises to show, and as many bytes that nobody works out: every answer passes proxies of
 * the local runtime, which deployments don't have.
 */
export const longBoard: Bench = {
  repeats: 3,
  rows: [
    { name: "reads/long-board-p50", what: `${board}: median`, unit: "ms" },
    {
      name: "reads/long-board-p99",
      what: `${board}: p99`,
      unit: "ms",
      // The local runtime's proxies alone take as long for as many bytes.
      target: { atMost: 20, words, isPromised: false },
    },
    {
      name: "reads/long-board-rows",
      unit: "",
      target: { atMost: 3, words },
      what: `${board}: rows read, where it is not in memory`,
    },
    {
      name: "reads/long-board-written",
      unit: "",
      target: { atMost: 0, words },
      what: `${board}: rows written`,
    },
    { name: "reads/constant-p50", what: "as many bytes of a constant: median", unit: "ms" },
    { name: "reads/constant-p99", what: "as many bytes of a constant: p99", unit: "ms" },
  ],
  async prepare({ scale }, onEnd) {
    const { service, run } = await withRuns(MODELS, onEnd);
    await service.list(run.id, MODELS - 1);
    const seconds = SECONDS * Math.min(1, scale);
    return async () => {
      const figures = await measured(service, reads.leaderboard(run), seconds);
      const answer = await fetch(`${service.origin}${reads.leaderboard(run)}`);
      const bytes = (await answer.arrayBuffer()).byteLength;
      const [p50, p99] = await measured(service, `/__constant?bytes=${bytes}`, seconds);
      return [...figures, p50!, p99!];
    };
  },
};

function bench(names: readonly Read[], runs: number): Bench {
  return {
    repeats: 3,
    rows: names.flatMap((name) => rowsOf(name, runs)),
    async prepare({ scale }, onEnd) {
      const { service, run } = await withRuns(runs, onEnd);
      return async () => {
        const figures: number[] = [];
        for (const name of names) {
          figures.push(
            ...(await measured(service, reads[name](run), SECONDS * Math.min(1, scale))),
          );
        }
        return figures;
      };
    },
  };
}

/** A service with so many runs, one of which was evaluated and the others are copies of it. */
async function withRuns(runs: number, onEnd: OnEnd) {
  const service = await BenchService.start(SAMPLES, { metered: true });
  onEnd(() => service.stop());
  const { run } = await service.evaluate({
    model: "sim-medium?latency=0",
    samples: SAMPLES,
    concurrency: 60,
  });
  await service.copy(run.id, runs - 1, MODELS);
  return { service, run };
}

function rowsOf(name: Read, runs: number): BenchRow[] {
  const full = `reads/${name}-${runs}`;
  const its = name === "leaderboard" ? "leaderboard of one model" : name;
  const what = `${its}, ${runs.toLocaleString("en")} ${runs === 1 ? "run" : "runs"} stored`;
  const isKept = promised.includes(name);
  const rowsRead = `${what}: rows read${isKept ? ", where it is not in memory" : ""}`;
  const held = (target: Omit<BenchRow["target"] & object, "words">) =>
    isKept && { target: { ...target, words } };
  return [
    { name: `${full}-p50`, what: `${what}: median`, unit: "ms" },
    { name: `${full}-p99`, what: `${what}: p99`, unit: "ms", ...held({ atMost: 20 }) },
    { name: `${full}-rows`, what: rowsRead, unit: "", ...held({ atMost: 3 }) },
    { name: `${full}-written`, what: `${what}: rows written`, unit: "", ...held({ atMost: 0 }) },
  ];
}

async function measured(service: BenchService, path: string, seconds: number): Promise<number[]> {
  const url = `${service.origin}${path}`;
  await service.count(true);
  const before = await service.usage();
  await constantRateLoad({
    url,
    perSecond: 1_000 / APART_MS,
    seconds: (COUNTED * APART_MS) / 1_000,
  });
  const after = await service.usage();
  await service.count(false);
  const warmUp = Math.min(WARM_UP_SECONDS, seconds);
  await constantRateLoad({ url, perSecond: PER_SECOND, seconds: warmUp });
  const latencies = await constantRateLoad({ url, perSecond: PER_SECOND, seconds });
  return [
    percentile(latencies, 0.5)!,
    percentile(latencies, 0.99)!,
    (after.d1RowsRead - before.d1RowsRead) / COUNTED,
    (after.d1RowsWritten - before.d1RowsWritten) / COUNTED,
  ];
}
