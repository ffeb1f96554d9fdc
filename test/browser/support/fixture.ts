import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Comparison } from "../../../shared/contracts/comparison.ts";
import type { DatasetChange } from "../../../shared/contracts/dataset-change.ts";
import type { DriftNotice } from "../../../shared/contracts/drift-notice.ts";
import type { Run, RunModel } from "../../../shared/contracts/run.ts";
import type { Highlights } from "../../../shared/contracts/run-report.ts";
import type { Snapshot } from "../../../shared/contracts/snapshot.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import type { Sweep } from "../../../shared/contracts/sweep.ts";
import { aBoard } from "./fixture-boards.ts";
import { aComparison, type MadeRun } from "./fixture-comparisons.ts";
import { aRepublication, formerBoard } from "./fixture-republished.ts";
import { aFinishedRun, aModel, aRun, listedRun, usualOptions, versions } from "./fixture-runs.ts";
import { highlightsOfAnswers } from "./kept-answers.ts";
import { type Behaviour, keptAnswers, stockRows } from "./scored-summary.ts";

export interface Fixture {
  snapshot: Snapshot;
  runs: Run[];
  sweeps?: Sweep[];
  /** By board. */
  comparisons?: Record<string, Comparison>;
  /** By run. */
  highlights?: Record<string, Highlights>;
}

export const hostileName = `"><script>alert(1)</script>`;

const receipts = { name: "acme/receipts", version: versions.receipts, samples: 12 };
const sent = { kind: "self-reported", endpointHost: null } as const;

function stockRuns(suite: Suite): MadeRun[] {
  const large = aModel("acme/extract-large", "Extract Large", {
    url: "https://models.example/extract-large",
    license: "Apache-2.0",
    parameters: "70B",
    quantization: "FP8",
  });
  const careful = aModel("assay/sim-careful", "Sim Careful", { simulated: true });
  const made = (id: string, model: RunModel, behaviour: Behaviour, more: Partial<Run> = {}) => ({
    run: aFinishedRun(suite, id, model, behaviour, more),
    behaviour,
  });
  const [dear, cheap] = [prices(0.005, 0.015), prices(0.0002, 0.0004)];
  return [
    made(
      "run-large",
      large,
      { quality: 0.98, lostRate: 0, seed: 1, prices: dear },
      {
        notes: ["json_schema_strict was refused by the endpoint; json_schema was used instead"],
      },
    ),
    made(
      "run-parser",
      aModel("openlab/parser-7b", "Parser 7B"),
      { quality: 0.9, lostRate: 0, seed: 2, prices: cheap },
      { provenance: sent },
    ),
    made(
      "run-careful",
      careful,
      { quality: 0.85, lostRate: 0.02, seed: 3 },
      { options: { ...usualOptions, concurrency: 5 } },
    ),
    made("run-hostile", aModel("mallory/script", hostileName), {
      quality: 0.7,
      lostRate: 0,
      seed: 4,
      prices: dear,
    }),
    made("run-flaky", aModel("acme/flaky", "Flaky"), { quality: 0.95, lostRate: 0.3, seed: 5 }),
  ];
}

const prices = (inputPerMillion: number, outputPerMillion: number) => ({
  inputPerMillion,
  outputPerMillion,
});

const simulatedRuns = (suite: Suite): Run[] =>
  [0.95, 0.6].map((quality, index) =>
    aFinishedRun(
      suite,
      `run-sim-${index}`,
      aModel(`assay/sim-${index}`, `Sim ${index}`, { simulated: true }),
      { quality, lostRate: 0, seed: 10 + index },
      { dataset: receipts },
    ),
  );

/** Since then it has risen by more than chance allows. */
function aDrift([run]: readonly Run[]): DriftNotice[] {
  if (run === undefined) return [];
  const { slug, name, simulated } = run.model;
  return [
    {
      run: run.id,
      reference: "run-large-earlier",
      model: { slug, name, simulated },
      suite: run.suite,
      dataset: run.dataset,
      metric: run.headline,
      difference: 0.31,
      interval: [0.24, 0.38],
      n: run.dataset.samples,
      eValue: 4820.5,
      attribution: "model",
      observedAt: run.finishedAt ?? run.createdAt,
    },
  ];
}

/** It was asked the rows of another version before. */
function aDatasetChange([run]: readonly Run[]): DatasetChange[] {
  if (run === undefined) return [];
  const { id, suite, dataset, headline: metric, model } = run;
  return [
    {
      run: id,
      reference: "run-large-earlier",
      model: { slug: model.slug },
      suite,
      dataset,
      metric,
      difference: -0.1,
      unchanged: { n: 36, difference: 0, interval: [-0.02, 0.02] },
      isFlagged: false,
      observedAt: run.finishedAt ?? run.createdAt,
    },
  ];
}

/** What the first model did weeks before, a good deal worse: where its history begins. */
const earlierRun = (suite: Suite, [newest]: readonly Run[]): Run =>
  aFinishedRun(
    suite,
    "run-large-earlier",
    newest?.model ?? aModel("acme/extract-large", "Extract Large"),
    { quality: 0.4, lostRate: 0, seed: 6 },
    {
      createdAt: "2026-10-02T09:00:00Z",
      startedAt: "2026-10-02T09:00:01Z",
      finishedAt: "2026-10-02T09:00:52Z",
    },
  );

/** A site's worth of results: every kind of run and board that a reader can meet. */
export function aFixture(suite: Suite): Fixture {
  const made = stockRuns(suite);
  const stock = made.map(({ run }) => run);
  const simulated = simulatedRuns(suite);
  const failed = aRun(suite, "run-failed", aModel("acme/broken", "Broken"), {
    status: "failed",
    statusReason: "the endpoint answered 401 to every request",
  });
  const silent = aFinishedRun(suite, "run-silent", aModel("acme/silent", "Silent"), {
    quality: 1,
    lostRate: 1,
    seed: 8,
  });
  const runs = [...stock, ...simulated, failed, silent, earlierRun(suite, stock)];
  const dataset = {
    suite: suite.id,
    visibility: "public",
    createdAt: "2026-11-01T00:00:00Z",
  } as const;
  const board = aBoard("stock-main", stock);
  const former = formerBoard(board);
  const snapshot: Snapshot = {
    hash: "e".repeat(64),
    canaries: [],
    createdAt: "2026-11-20T10:00:00Z",
    boards: [
      board,
      former,
      aBoard("stock-strict", stock.slice(0, 1), { structuredOutput: "json_schema_strict" }),
      aBoard("receipts-main", simulated),
    ],
    datasets: [
      {
        ...dataset,
        name: "stock",
        version: versions.stock,
        samples: stock[0]?.dataset.samples ?? 0,
      },
      { ...dataset, ...receipts, license: "CC-BY-4.0", source: "https://data.example/receipts" },
    ],
    runs: runs.map(listedRun),
    sweeps: [],
    republications: [aRepublication(former, board)],
    drifts: aDrift(stock),
    datasetChanges: aDatasetChange(simulated),
  };
  const ranked = new Set(board.entries.flatMap(({ rank, run }) => (rank === null ? [] : [run])));
  const compared = made.filter(({ run }) => ranked.has(run.id));
  const highlights = made.map(({ run, behaviour }) => [
    run.id,
    highlightsOfAnswers(suite, keptAnswers(suite, stockRows, behaviour)),
  ]);
  return {
    snapshot,
    runs,
    comparisons: { [board.id]: aComparison(suite, compared) },
    highlights: Object.fromEntries(highlights),
  };
}

/** Writes a fixture as the folder that ASSAY_SNAPSHOT_DIR names. */
export async function writeFixture(dir: string, fixture: Fixture): Promise<void> {
  const { snapshot, runs, sweeps = [], comparisons = {}, highlights = {} } = fixture;
  await mkdir(join(dir, "runs"), { recursive: true });
  await mkdir(join(dir, "sweeps"), { recursive: true });
  await mkdir(join(dir, "comparisons"), { recursive: true });
  await mkdir(join(dir, "highlights"), { recursive: true });
  await writeFile(join(dir, "snapshot.json"), JSON.stringify(snapshot));
  await Promise.all(
    runs.map((run) => writeFile(join(dir, "runs", `${run.id}.json`), JSON.stringify(run))),
  );
  await Promise.all(
    sweeps.map((sweep) =>
      writeFile(join(dir, "sweeps", `${sweep.submission}.json`), JSON.stringify(sweep)),
    ),
  );
  await Promise.all(
    Object.entries(comparisons).map(([board, comparison]) =>
      writeFile(join(dir, "comparisons", `${board}.json`), JSON.stringify(comparison)),
    ),
  );
  await Promise.all(
    Object.entries(highlights).map(([run, its]) =>
      writeFile(join(dir, "highlights", `${run}.json`), JSON.stringify(its)),
    ),
  );
}
