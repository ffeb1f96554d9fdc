import type { DatabaseSync } from "node:sqlite";
import { GCProfiler } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { rankBoard } from "../../../api/boards/rank-board.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { copyRuns } from "../../demo-snapshot/copy-runs.ts";
import { demoModels } from "../../demo-snapshot/demo-models.ts";
import { finishedRun } from "../../demo-snapshot/finished-run.ts";
import { openService, type Service } from "../../demo-snapshot/service.ts";
import { simulatedAnswers } from "../../demo-snapshot/simulated-answers.ts";
import { aBench } from "../../simulator/support/evaluate.ts";
import type { Pair } from "../bench.ts";
import { cpuMs } from "./cpu-ms.ts";
import { plainRanking } from "./plain-work.ts";
import type { PublicationCost, PublicationCosts, PublicationSize } from "./publication.ts";

/** Keys of a copy's reports and scores, which are read from the original. */
const SUMS = /^runs\/([^/]+?)-\d+\/(sums-.*)$/;

/** Objects outside the heap, like R2. Published objects of runs are counted but not kept. */
class CountedObjects extends Map<string, string> {
  readonly #database: DatabaseSync;
  writes = 0;
  reads = 0;
  bytes = 0;

  constructor(database: DatabaseSync) {
    super();
    this.#database = database;
    database.exec("CREATE TABLE objects (key TEXT PRIMARY KEY, text TEXT)");
  }

  override get(key: string): string | undefined {
    this.reads += 1;
    const [, run, sums] = SUMS.exec(key) ?? [];
    const stored = run === undefined ? key : `runs/${run}/${sums}`;
    const row = this.#database.prepare("SELECT text FROM objects WHERE key = ?").get(stored);
    return row === undefined ? undefined : `${row["text"]}`;
  }

  override set(key: string, text: string): this {
    this.writes += 1;
    this.bytes += text.length;
    if (key.includes("/published/")) return this;
    this.#database.prepare("INSERT OR REPLACE INTO objects VALUES (?, ?)").run(key, text);
    return this;
  }

  override keys(): MapIterator<string> {
    const rows = this.#database.prepare("SELECT key FROM objects").iterate();
    return (function* () {
      for (const { key } of rows) yield `${key}`;
    })() as MapIterator<string>;
  }

  override delete(key: string): boolean {
    this.#database.prepare("DELETE FROM objects WHERE key = ?").run(key);
    return true;
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
  const publishAll = await measured(() => publishAllOf(service));
  const ranked: Pair[] = [];
  const published: PublicationCost[] = [];
  let before = plainRankingMs();
  for (let round = 0; round < rounds; round++) {
    await finishOne(runs + round);
    const { cpuMs: measuredMs } = await measured(rank);
    const after = plainRankingMs();
    ranked.push({ measured: measuredMs, yardstick: (before + after) / 2 });
    before = after;
    published.push(await measured(() => publishAllOf(service)));
  }
  await service.platform.runs.hide(`${first.id}-1`, "spam", 2e12);
  const changeOne = await measured(() => publishAllOf(service));
  const rankOne = medianBy(ranked, (pair) => pair.measured / pair.yardstick);
  const most = (of: (cost: PublicationCost) => number) => Math.max(...published.map(of));
  const publishOne = {
    ...medianBy(published, (cost) => cost.cpuMs),
    peakMb: most((cost) => cost.peakMb),
    d1Calls: most((cost) => cost.d1Calls),
    r2Writes: most((cost) => cost.r2Writes),
  };
  return { rankAll, publishAll, rankOne, publishOne, changeOne };
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

async function publishAllOf({ platform }: Service): Promise<void> {
  for (;;) {
    await publish(platform);
    const { changes, published } = await platform.publications.state();
    if (published === changes) return;
  }
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
