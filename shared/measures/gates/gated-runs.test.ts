import { describe, expect, it } from "vitest";
import type { ScoredRun } from "../../contracts/boards/scored-run.ts";
import { extraction } from "../../suites/extraction/suite.ts";
import { scored } from "../comparison/__fixtures__/table-of.ts";
import {
  changesOf,
  differingOptions,
  differingSamples,
  gatedMetrics,
  gateRuns,
} from "./gated-runs.ts";

const options = { ...extraction.optionsSchema.parse({}), concurrency: 4 };
const run: ScoredRun["run"] = {
  id: "run_a",
  suite: "extraction",
  suiteVersion: "1.1.0",
  dataset: { name: "acme/receipts", version: "a".repeat(64), samples: 40 },
  model: {
    slug: "acme/small",
    name: "small",
    url: null,
    license: null,
    parameters: null,
    quantization: null,
    simulated: false,
  },
  variant: null,
  provenance: { kind: "called", endpointHost: "api.example", settings: { seed: 1 } },
  judging: null,
  options,
  scoringVersion: "v1",
  promptHash: "p".repeat(64),
  headline: "eqs",
  finishedAt: "2026-11-20T09:00:00Z",
};
const values = Array.from({ length: 40 }, (_, i) => (i % 5) / 5);
const aScoredRun = (more: Partial<ScoredRun["run"]> = {}, of = values): ScoredRun => ({
  run: { ...run, ...more },
  scores: scored("any", of).scores,
});
const rules = { margins: new Map([["eqs", 0.05]]), minSampleShare: 0.95 };
const errorOf = (more: Partial<ScoredRun["run"]>) => {
  const gated = gateRuns(extraction, aScoredRun(), aScoredRun(more), rules);
  return gated.ok ? null : gated.error;
};

describe("gateRuns()", () => {
  it("returns an outcome for each margin", () => {
    const worse = values.map((value) => Math.max(0, value - 0.2));
    const gated = gateRuns(extraction, aScoredRun(), aScoredRun({ id: "run_b" }, worse), rules);
    expect(gated).toMatchObject({
      ok: true,
      value: [{ metric: "eqs", margin: 0.05, verdict: "worse", samples: 40, fell: 32 }],
    });
  });

  it.each<[Partial<ScoredRun["run"]>, string | null]>([
    [{}, null],
    [{ dataset: { ...run.dataset, name: "acme/renamed" } }, null],
    [{ options: { ...options, sample: { n: 40, seed: 1 } } }, null],
    [{ options: { ...options, temperature: 0.7, systemPrompt: "You extract." } }, null],
    [{ suite: "slots" }, "suite (extraction, slots)"],
    [{ dataset: { ...run.dataset, version: "b" } }, "dataset version (aaaa"],
    [
      { options: { ...options, sample: { n: 20, seed: 1 } } },
      "samples drawn (all, 20 with the seed 1)",
    ],
    [{ options: { ...options, repeats: 3 } }, "repeats (1, 3)"],
    [{ scoringVersion: "v2" }, "scoring version (v1, v2)"],
    [
      { scoringVersion: "v2", suiteVersion: "1.2.0" },
      "scoring version (v1, v2); version of the suite (1.1.0, 1.2.0)",
    ],
  ])("names the difference to a run with %j: %s", (more, reason) => {
    if (reason === null) expect(errorOf(more)).toBeNull();
    else expect(errorOf(more)).toContain(reason);
  });

  it("names the scoring options that differ, if this version of the suite knows them", () => {
    const strict = extraction.optionsSchema.parse({ numericTolerance: 0.5 });
    expect(errorOf({ scoringVersion: "v2", options: strict })).toContain(
      "scoring version (v1, v2); option numericTolerance (0.001, 0.5)",
    );
    expect(errorOf({ scoringVersion: "v2", options: {} })).toContain("scoring version (v1, v2)");
  });

  it("rejects metrics that are not compared by sample, and runs without common samples", () => {
    const unknown = { ...rules, margins: new Map([["speed", 1]]) };
    expect(gateRuns(extraction, aScoredRun(), aScoredRun(), unknown)).toEqual({
      ok: false,
      error: '"speed" is not compared by sample; metrics are eqs',
    });
    const apart = aScoredRun(
      {},
      values.map(() => Number.NaN),
    );
    expect(gateRuns(extraction, aScoredRun(), apart, rules)).toEqual({
      ok: false,
      error: "no sample has a value of eqs in both",
    });
  });
});

it("gatedMetrics() starts with the run's headline", () => {
  expect(gatedMetrics(extraction, aScoredRun())[0]).toMatchObject({ id: "eqs", unit: "ratio" });
});

it("changesOf() lists differing models and options, except for the request rate", () => {
  const model = { ...run.model, slug: "acme/large", asked: ["large-2"] };
  const provenance = { ...run.provenance, settings: { seed: 2, extraBody: { top_k: 5 } } };
  const more = { model, provenance, options: { ...options, temperature: 0.7, concurrency: 20 } };
  expect(changesOf(run, { ...run, ...more })).toEqual([
    "model (acme/small, acme/large)",
    "model id (none, large-2)",
    "seed (1, 2)",
    "extraBody.top_k (none, 5)",
    "temperature (0, 0.7)",
  ]);
  expect(changesOf(run, run)).toEqual([]);
});

it("differingOptions() shows where long texts differ", () => {
  const weighed = (partialF1: number) => ({
    options: { ...options, weights: { schemaValidity: 0.2, typeAccuracy: 0.3, partialF1 } },
  });
  const [text = "", ...others] = differingOptions(extraction, weighed(0.25), weighed(0.75));
  expect(others).toEqual([]);
  expect(text).toMatch(/^option weights \(.*0\.25.*, .*0\.75.*\)$/);
});

it("differingSamples() treats a subset with all samples as the whole dataset", () => {
  const all = { ...run, options: { sample: { n: 99, seed: 3 }, repeats: 1 } };
  expect(differingSamples(run, all)).toEqual([]);
  const some = { ...run, options: { sample: { n: 1, seed: 3 }, repeats: 1 } };
  expect(differingSamples(run, some)).toEqual(["samples drawn (all, 1 with the seed 3)"]);
});
