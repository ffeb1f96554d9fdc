import { GCProfiler } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { rankBoard } from "../../../api/boards/rank-board.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { copyRuns } from "../../demo-snapshot/copy-runs.ts";
import { demoModels } from "../../demo-snapshot/demo-models.ts";
import { finishedRun } from "../../demo-snapshot/finished-run.ts";
import { ObjectsOnDisk } from "../../demo-snapshot/memory-bucket.ts";
import { openService, publishAll } from "../../demo-snapshot/service.ts";
import { simulatedAnswers } from "../../demo-snapshot/simulated-answers.ts";
import { aBench } from "../../simulator/support/evaluate.ts";
import type { Pair } from "../bench.ts";
import { cpuMs } from "./cpu-ms.ts";
import { plainRanking } from "./plain-work.ts";
import type { PublicationCost, PublicationCosts, PublicationSize } from "./publication.ts";

/** Counts what the service reads and writes. Published objects of runs are not kept. */
class CountedObjects extends ObjectsOnDisk {
  writes = 0;
  reads = 0;
  bytes = 0;

  override get(key: string): string | undefined {
    this.reads += 1;
    return super.get(key);
  }

  override set(key: string, text: string): this {
    this.writes += 1;
    this.bytes += text.length;
    return key.includes("/published/") ? this : super.set(key, text);
  }
}

const { runs, rounds } = workerData as PublicationSize;
const bench = aBench(suiteById("slots")!);
const [model] = demoModels(1);
let objects: CountedObjects | undefined;
const service = await openService((database) => (objects = new CountedObjects(database)));
const answers = simulatedAnswers(bench, bench.simulation(1), model!, 0);
const first = await finishedRun(
  service,
  bench,
  { model: model!, turn: 0, createdAt: 1e12 },
  answers,
);
const board = first.boardId ?? "";
service.at(2e12);
copyRuns(service, first, 1, runs - 1);
parentPort?.postMessage(await costs());

async function costs(): Promise<PublicationCosts> {
  const rankAll = await measured(rank);
  await service.platform.publications.markChanged();
  const firstPublication = await measured(() => publishAll(service.platform));
  const ranked: Pair[] = [];
  const published: PublicationCost[] = [];
  let before = plainRankingMs();
  for (let round = 0; round < rounds; round++) {
    await finishOne(runs + round);
    const { cpuMs: measuredMs } = await measured(rank);
    const after = plainRankingMs();
    ranked.push({ measured: measuredMs, yardstick: (before + after) / 2 });
    before = after;
    published.push(await measured(() => publishAll(service.platform)));
  }
  await service.platform.runs.hide(`${first.id}-1`, "spam", 2e12);
  const changeOne = await measured(() => publishAll(service.platform));
  const rankOne = medianBy(ranked, (pair) => pair.measured / pair.yardstick);
  const most = (of: (cost: PublicationCost) => number) => Math.max(...published.map(of));
  const publishOne = {
    ...medianBy(published, (cost) => cost.cpuMs),
    peakMb: most((cost) => cost.peakMb),
    d1Calls: most((cost) => cost.d1Calls),
    r2Writes: most((cost) => cost.r2Writes),
  };
  return { rankAll, publishAll: firstPublication, rankOne, publishOne, changeOne };
}

function medianBy<Item>(items: readonly Item[], of: (item: Item) => number): Item {
  return items.toSorted((a, b) => of(a) - of(b))[items.length >> 1]!;
}

function plainRankingMs(): number {
  return cpuMs(0, () => plainRanking(runs, first.total));
}

async function rank(): Promise<void> {
  if (!(await rankBoard(service.platform, board))) throw new Error("the board's lease is held");
}

/** Adds one more run, which finishes like any run. */
async function finishOne(number: number): Promise<void> {
  copyRuns(service, first, number, number);
  const run = { id: `${first.id}-${number}`, retries: [] } as Pick<RunRecord, "id" | "retries">;
  service.database.prepare("UPDATE runs SET status = 'running' WHERE id = ?").run(run.id);
  const metrics = first.metrics ?? {};
  await service.platform.runs.finish(
    run,
    { metrics, served: [], codeRevision: null, storedBytes: 0 },
    2e12,
  );
}

/** Measures the cost of a step. */
async function measured(work: () => Promise<void>): Promise<PublicationCost> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const [writes, reads, bytes] = [objects!.writes, objects!.reads, objects!.bytes];
  const calls = { ...service.calls };
  const profiler = new GCProfiler();
  profiler.start();
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  const after = process.memoryUsage().heapUsed;
  const collections = profiler
    .stop()
    .statistics.map(({ beforeGC: { heapStatistics } }) => heapStatistics.usedHeapSize);
  return {
    cpuMs: (user + system) / 1000,
    peakMb: (Math.max(after, ...collections) - before) / 1e6,
    d1Calls: service.calls.count - calls.count,
    d1RowsReturned: service.calls.rows - calls.rows,
    r2Writes: objects!.writes - writes,
    r2Reads: objects!.reads - reads,
    r2Bytes: objects!.bytes - bytes,
  };
}
