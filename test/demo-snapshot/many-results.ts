import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { rankBoard } from "../../api/boards/rank-board.ts";
import type { RunRecord } from "../../api/runs/schema.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { aBench } from "../simulator/support/evaluate.ts";
import { copyRuns } from "./copy-runs.ts";
import { demoModels } from "./demo-models.ts";
import { finishedRun } from "./finished-run.ts";
import { ObjectsOnDisk } from "./memory-bucket.ts";
import { openService, publishAll, type Service } from "./service.ts";
import { simulatedAnswers } from "./simulated-answers.ts";

/** Amount of published results. */
export interface ManyResults {
  /** Public runs per suite, each of a different model; all suites have the same models. */
  runs: number;
  /** Default: slots. */
  suites?: readonly string[];
  datasets: number;
}

/** A service with many results, which listens on a port. */
export interface LargeService {
  origin: string;
  service: Service;
  /** Finishes one more run of the first suite, of a new model, ranks its board and publishes it. */
  finishOneMore(): Promise<void>;
  /** Ranks the board of the first suite and publishes all changes. */
  publishAll(): Promise<void>;
  /** The original of all copies. */
  first: RunRecord;
  close(): Promise<void>;
}

/** Opens a service with many published results. */
export async function openLargeService({
  runs,
  suites = ["slots"],
  datasets,
}: ManyResults): Promise<LargeService> {
  const service = await openService(() => new ObjectsOnDisk());
  const originals: RunRecord[] = [];
  for (const suite of suites) originals.push(await simulatedRun(service, suite));
  const [first] = originals as [RunRecord];
  service.at(2e12);
  for (const run of originals) copyRuns(service, run, 1, runs - 1);
  addDatasets(service, datasets);
  const rankAndPublish = async (changed: readonly RunRecord[] = [first]) => {
    for (const { boardId } of changed) {
      if (await rankBoard(service.platform, boardId ?? "")) continue;
      throw new Error("the board's lease is held");
    }
    await publishAll(service.platform);
  };
  await rankAndPublish(originals);
  const server = serve({ fetch: (request) => service.answer(request), port: 0 });
  await once(server, "listening");
  let added = runs - 1;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    service,
    first,
    publishAll: rankAndPublish,
    finishOneMore: async () => {
      added += 1;
      service.at(2e12 + added);
      copyRuns(service, first, added, added);
      await rankAndPublish();
    },
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

async function simulatedRun(service: Service, suite: string): Promise<RunRecord> {
  const bench = aBench(suiteById(suite)!);
  const [model] = demoModels(1);
  const answers = simulatedAnswers(bench, bench.simulation(1), model!, 0);
  return finishedRun(service, bench, { model: model!, turn: 0, createdAt: 1e12 }, answers);
}

/** Adds dataset versions without runs with SQL. */
function addDatasets({ database }: Service, count: number): void {
  const columns = database.prepare("PRAGMA table_info(datasets)").all();
  const names = columns.map(({ name }) => `${name}`);
  for (const statement of datasetsLike("slots", names, count)) database.exec(statement);
}

/** SQL statements that copy the stock dataset of a suite; `names`: columns of the table `datasets`. */
export function datasetsLike(suite: string, names: readonly string[], count: number): string[] {
  const changed: Record<string, string> = {
    name: "'set-' || n.i",
    version: "printf('%064x', n.i)",
  };
  const values = names.map((name) => changed[name] ?? name);
  const numbers = `WITH RECURSIVE n(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  return [
    `${numbers} INSERT INTO datasets (${names}) SELECT ${values} FROM datasets, n
      WHERE suite = '${suite}' AND name = 'stock'`,
    `${numbers} INSERT INTO snapshot_changes (kind, id)
      SELECT 'datasets', json_array('${suite}', 'set-' || i, printf('%064x', i)) FROM n`,
  ];
}
