import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { rankBoard } from "../../api/boards/rank-board.ts";
import { publish } from "../../api/publication/publish.ts";
import { readSnapshot } from "../../shared/contracts/boards/read-snapshot.ts";
import { snapshotSchema } from "../../shared/contracts/boards/snapshot.ts";
import { runSchema } from "../../shared/contracts/run.ts";
import { highlightsSchema } from "../../shared/contracts/run-report.ts";
import { sweepSchema } from "../../shared/contracts/submissions/sweep.ts";
import { slugSchema } from "../../shared/contracts/text/slug.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { findModel } from "../../simulator/model-name.ts";
import { aBench } from "../simulator/support/evaluate.ts";
import { demoModels } from "./demo-models.ts";
import { finishedRun } from "./finished-run.ts";
import { makeOddRuns } from "./odd-runs.ts";
import { openService } from "./service.ts";
import { simulatedAnswers } from "./simulated-answers.ts";
import { writeSnapshot } from "./write-snapshot.ts";

it("demoModels() returns models with unique slugs that the simulator knows", () => {
  const models = demoModels(100);
  expect(new Set(models.map(({ slug }) => slug)).size).toBe(100);
  for (const { slug, simulated } of models) {
    expect(slugSchema.safeParse(slug).success, slug).toBe(true);
    for (const turn of [0, 1]) {
      expect(findModel(simulated("quality", turn)).ok, simulated("quality", turn)).toBe(true);
    }
  }
  const origins = Object.groupBy(models, ({ origin }) => origin);
  expect(Object.keys(origins).sort()).toEqual(["called", "self-reported", "undeclared"]);
  expect(models.filter(({ turns }) => turns > 1)).toHaveLength(1);
});

it("finishedRun() makes runs that the API returns, ranks and publishes", async () => {
  const suite = suiteById("quality");
  if (!suite) throw new Error("the test needs the suite quality");
  const [bench, service] = [aBench(suite), await openService()];
  const simulation = bench.simulation(1);
  const models = demoModels(100);
  const [called, reported] = [models[0], models.find(({ origin }) => origin === "self-reported")];
  for (const model of [called!, reported!]) {
    const answers = simulatedAnswers(bench, simulation, model, 0);
    const evaluation = { model, turn: 0, createdAt: Date.UTC(2026, 9, 1) };
    const { id } = await finishedRun(service, bench, evaluation, answers);
    const run = runSchema.parse(await service.read(`/v1/runs/${id}`));
    expect(run).toMatchObject({ status: "finished", model: { slug: model.slug, simulated: true } });
    highlightsSchema.parse(await service.read(`/v1/runs/${id}/highlights`));
  }
  for (const { id } of await service.platform.boards.all()) await rankBoard(service.platform, id);
  await publish(service.platform);
  const { boards, runs } = (await readSnapshot(service.read)).snapshot;
  expect(runs).toHaveLength(2);
  expect(boards).toHaveLength(1);
  expect(boards[0]).toMatchObject({ isDefault: true, simulated: true, comparedSamples: 50 });
  const kinds = boards[0]?.entries.map(({ rank, provenance }) => [rank, provenance.kind]);
  expect(kinds).toEqual([
    [1, "called"],
    [2, "self-reported"],
  ]);
});

it("makeOddRuns() makes failed, swept and hybrid runs, which the API publishes without boards", async () => {
  const service = await openService();
  const runs = await makeOddRuns(service);
  await publish(service.platform);
  const { snapshot } = await readSnapshot(service.read);
  expect(snapshot.runs.map(({ id }) => id).sort()).toEqual(runs.map(({ id }) => id).sort());
  expect(snapshot.boards.flatMap(({ entries }) => entries)).toEqual([]);
  expect(runs[0]).toMatchObject({ status: "failed", metrics: null });
  const [submission] = snapshot.sweeps.map((sweep) => sweep.submission);
  const sweep = sweepSchema.parse(await service.read(`/v1/submissions/${submission}/sweep`));
  const variants = sweep.models[0]?.variants.map(({ status }) => status) ?? [];
  expect(variants).toEqual([...Array(5).fill("finished"), "failed"]);
  const hybrid = runSchema.parse(await service.read(`/v1/runs/${runs.at(-1)?.id}`));
  expect(hybrid).toMatchObject({ status: "finished", breakdown: { hybrid: { n: 80 } } });
});

it("writeSnapshot() writes one run per model for a single suite, and also the state before the last run", async () => {
  const dir = await mkdtemp(join(tmpdir(), "assay-snapshot-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const written: string[][] = [];
  const note = async () => {
    const snapshot = snapshotSchema.parse(
      JSON.parse(await readFile(join(dir, "snapshot.json"), "utf8")),
    );
    written.push(snapshot.runs.map(({ suite }) => suite));
  };
  await writeSnapshot({ dir, models: 2, only: "slots" }, () => {}, note);
  await note();
  expect(written).toEqual([["slots"], ["slots", "slots"]]);
});
