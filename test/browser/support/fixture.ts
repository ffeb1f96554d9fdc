import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Snapshot } from "../../../shared/contracts/snapshot.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import type { Sweep } from "../../../shared/contracts/sweep.ts";
import { aBoard } from "./fixture-boards.ts";
import { aFinishedRun, aModel, aRun, versions } from "./fixture-runs.ts";

export interface Fixture {
  snapshot: Snapshot;
  runs: Run[];
  sweeps?: Sweep[];
}

export const hostileName = `"><script>alert(1)</script>`;

const receipts = { name: "acme/receipts", version: versions.receipts, samples: 12 };
const sent = { kind: "self-reported", endpointHost: null } as const;

function stockRuns(suite: Suite): Run[] {
  const large = aModel("acme/extract-large", "Extract Large", {
    url: "https://models.example/extract-large",
    license: "Apache-2.0",
    parameters: "70B",
    quantization: "FP8",
  });
  const careful = aModel("assay/sim-careful", "Sim Careful", { simulated: true });
  return [
    aFinishedRun(
      suite,
      "run-large",
      large,
      { quality: 0.98, lostRate: 0, seed: 1 },
      {
        notes: ["json_schema_strict was refused by the endpoint; json_schema was used instead"],
      },
    ),
    aFinishedRun(
      suite,
      "run-parser",
      aModel("openlab/parser-7b", "Parser 7B"),
      {
        quality: 0.9,
        lostRate: 0,
        seed: 2,
      },
      { provenance: sent },
    ),
    aFinishedRun(suite, "run-careful", careful, { quality: 0.85, lostRate: 0.02, seed: 3 }),
    aFinishedRun(suite, "run-hostile", aModel("mallory/script", hostileName), {
      quality: 0.7,
      lostRate: 0,
      seed: 4,
    }),
    aFinishedRun(suite, "run-flaky", aModel("acme/flaky", "Flaky"), {
      quality: 0.95,
      lostRate: 0.3,
      seed: 5,
    }),
  ];
}

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

/** A site's worth of results: every kind of run and board that a reader can meet. */
export function aFixture(suite: Suite): Fixture {
  const stock = stockRuns(suite);
  const simulated = simulatedRuns(suite);
  const failed = aRun(suite, "run-failed", aModel("acme/broken", "Broken"), {
    status: "failed",
    statusReason: "the endpoint answered 401 to every request",
  });
  const runs = [...stock, ...simulated, failed];
  const dataset = {
    suite: suite.id,
    visibility: "public",
    createdAt: "2026-11-01T00:00:00Z",
  } as const;
  const snapshot: Snapshot = {
    version: 1,
    hash: "e".repeat(64),
    canaries: [],
    createdAt: "2026-11-20T10:00:00Z",
    boards: [
      aBoard("stock-main", stock),
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
      { ...dataset, ...receipts },
    ],
    runs: runs.map(({ breakdown: _, timeline: __, ...listed }) => listed),
    sweeps: [],
  };
  return { snapshot, runs };
}

/** Writes a fixture as the folder that ASSAY_SNAPSHOT_DIR names. */
export async function writeFixture(dir: string, fixture: Fixture): Promise<void> {
  const { snapshot, runs, sweeps = [] } = fixture;
  await mkdir(join(dir, "runs"), { recursive: true });
  await mkdir(join(dir, "sweeps"), { recursive: true });
  await writeFile(join(dir, "snapshot.json"), JSON.stringify(snapshot));
  await Promise.all(
    runs.map((run) => writeFile(join(dir, "runs", `${run.id}.json`), JSON.stringify(run))),
  );
  await Promise.all(
    sweeps.map((sweep) =>
      writeFile(join(dir, "sweeps", `${sweep.submission}.json`), JSON.stringify(sweep)),
    ),
  );
}
