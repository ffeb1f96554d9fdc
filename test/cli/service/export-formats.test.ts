import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parquetRows } from "../../../cli/files/read-parquet.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { evaluationRecord } from "../../../shared/measures/every-eval-ever/evaluation-record.ts";
import { instanceRecord } from "../../../shared/measures/every-eval-ever/instance-record.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { jsonLines } from "../../support/json-lines.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { aFolder, jsonl } from "../support/folder-with.ts";

const suite = suiteById("extraction")!;
const model = aModel("acme/a-model", "A model");
const finished = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
const hub = `https://huggingface.co/datasets/acme/invoices/tree/${"a".repeat(40)}`;
const dataset = {
  suite: "extraction",
  name: finished.dataset.name,
  version: finished.dataset.version,
  samples: 2,
  malformed: [],
  warnings: [],
  visibility: "public",
  source: hub,
  createdAt: "2026-01-01T00:00:00Z",
};
const answered = (id: string, output: string) =>
  instanceRecord(finished, {
    id,
    repeat: 0,
    tags: {},
    text: { input: "a\u2028b\u0085c", references: ["{}"] },
    answer: { ...emptyAnswer, output },
    score: 1,
  });
const lines = [
  { id: "fee", outcome: "scored", covered: true, score: 1, eqs: 1, validity: 1, valid: true },
  { id: "trip", outcome: "scored", covered: false, errorClass: "timeout", score: 0 },
];

interface Served {
  run?: Partial<Run>;
  /** The status with which the service refuses the samples. */
  refused?: number;
  source?: string | null;
}

const service = ({ run: more = {}, refused, source = hub }: Served = {}) => {
  const run = { ...finished, ...more };
  return fakeService(({ call }) => {
    const path = call.split(" ")[1]?.replace("/v1/runs/run_1", "");
    if (path === "") return { body: run };
    if (path === "/samples.jsonl") return { body: jsonl(lines) };
    if (path === "/every-eval-ever.json") {
      return {
        body: evaluationRecord(run, suite, {
          origin: "https://assay.example",
          judged: new Map(),
          source: null,
        }),
      };
    }
    if (path === "/every-eval-ever.jsonl" && refused === undefined) {
      return { body: jsonl([answered("fee", "\ud800é"), answered("trip", "x")]) };
    }
    if (refused !== undefined) return problemReply(refused, "the answers are gone");
    if (path?.startsWith("/v1/datasets/extraction/stock@") && source !== null)
      return { body: { ...dataset, source } };
    return problemReply(404, `there is no ${path}`);
  });
};

const exported = async (served: Served, ...args: string[]) => {
  await using there = await service(served);
  return await assay("/none", ["export", "run_1", ...args, "--server", there.url]);
};

/** Paths that the datastore accepts. Source: evaleval/every_eval_ever, validation_core.py at 9bce413. */
const path =
  /^data\/[^/]+\/[^/]+\/[^/]+\/([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})(\.json|_samples\.jsonl)$/;

describe("assay export --format bundle", () => {
  const known = ["--deployment", "externally_managed", "--weights", "closed_weights"];
  const bundle = async (served: Served, ...args: string[]) => {
    const folder = aFolder();
    const outcome = await exported(
      served,
      "--format",
      "bundle",
      "--output",
      folder,
      "--json",
      ...args,
    );
    expect(outcome.code, outcome.stderr).toBe(0);
    const { files, samples } = JSON.parse(outcome.stdout) as { files: string[]; samples: number };
    const text = (i: number) => readFileSync(join(folder, files[i] ?? ""), "utf8");
    return { folder, files, samples, text, record: JSON.parse(text(0)), stderr: outcome.stderr };
  };

  it("writes valid paths, and samples that match the record and its checksum", async () => {
    const { files, samples, text, record } = await bundle(
      {},
      ...known,
      "--model-id",
      "openai/azure/a:model",
    );
    const [aggregate, companion] = files.map((file) => path.exec(file));
    expect(files[0]).toMatch(/^data\/assay-stock\/openai\/azure_a_model\//);
    expect([aggregate?.[2], companion?.[2]]).toEqual([".json", "_samples.jsonl"]);
    expect(companion?.[1]).toBe(aggregate?.[1]);
    expect(record.model_info).toMatchObject({
      id: "openai/azure/a:model",
      additional_details: {
        deployment_type: "externally_managed",
        model_availability: "closed_weights",
      },
    });
    expect(record.detailed_evaluation_results).toEqual({
      format: "jsonl",
      file_path: files[1],
      hash_algorithm: "sha256",
      checksum: createHash("sha256").update(text(1)).digest("hex"),
      total_rows: 2,
    });
    expect(samples).toBe(2);
    // Splits like Python's str.splitlines().
    const rows = text(1)
      .split(/[\n\u0085\u2028\u2029]/)
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    for (const row of rows) {
      expect([row.evaluation_id, row.model_id]).toEqual([
        record.evaluation_id,
        record.model_info.id,
      ]);
    }
    expect(rows.map(({ output }) => output.raw)).toEqual([["\ufffdé"], ["x"]]);
    expect(rows[0].input.raw).toBe("a\u2028b\u0085c");
  });

  it("replaces an earlier bundle of the run and deletes its samples if the record has none", async () => {
    const first = await bundle({}, ...known);
    const again = await exported(
      { refused: 410 },
      "--format",
      "bundle",
      "--output",
      first.folder,
      ...known,
    );
    expect(again.stderr).toContain("without samples: ");
    expect(again.stdout.trim()).toBe(join(first.folder, first.files[0]!));
    expect(existsSync(join(first.folder, first.files[1]!))).toBe(false);
    const record = JSON.parse(readFileSync(join(first.folder, first.files[0]!), "utf8"));
    expect(record).not.toHaveProperty("detailed_evaluation_results");
  });

  it("infers deployment and weights from the run, and warns of a simulated model", async () => {
    const url = "https://huggingface.co/acme-labs/A-Model";
    const served = {
      run: {
        model: { ...model, url, simulated: true },
        provenance: { kind: "called" as const, endpointHost: "localhost:8000" },
      },
    };
    const { files, record, stderr } = await bundle(served);
    expect(files[0]).toMatch(/^data\/assay-stock\/acme-labs\/A-Model\//);
    expect(record.model_info.additional_details).toMatchObject({
      deployment_type: "self_deployed",
      model_availability: "open_weights",
    });
    expect(stderr).toContain("the model is simulated");
  });

  it.each<[args: string[], message: string]>([
    [
      ["--format", "bundle", "--output", "b"],
      "add --deployment self_deployed or externally_managed",
    ],
    [
      ["--format", "bundle", "--output", "b", "--deployment", "unknown"],
      "add --weights open_weights or closed_weights",
    ],
    [
      ["--format", "bundle", "--output", "b", ...known, "--model-id", "large"],
      '"large" is not a model of a developer',
    ],
    [["--format", "bundle", ...known], "a bundle is a folder of files: add --output FOLDER"],
    [["--weights", "unknown"], "--weights applies only to --format bundle"],
    [["--metric", "eqs"], "--metric applies only to --what eval-results and eval-yaml"],
    [["--format", "parquet"], "Parquet is written to a file"],
  ])("fails for %j and says what to do", async (args, message) => {
    const { code, stderr } = await exported({}, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

it("assay export --output samples.parquet writes the rows of the samples", async () => {
  const out = join(aFolder(), "samples.parquet");
  const { code, stdout } = await exported({}, "--output", out, "--json");
  expect([code, JSON.parse(stdout)]).toEqual([0, { run: "run_1", file: out, rows: 2 }]);
  expect(await Array.fromAsync(parquetRows(out))).toMatchObject(lines);
});

describe("assay export for Hugging Face", () => {
  it("writes the result with the dataset's commit and the interval as a note", async () => {
    const { stdout } = await exported({}, "--what", "eval-results");
    const { value, interval } = finished.metrics!["eqs"]!;
    expect(parse(stdout)).toEqual([
      {
        dataset: { id: "acme/invoices", task_id: "extraction", revision: "a".repeat(40) },
        value,
        date: finished.finishedAt,
        notes: expect.stringMatching(
          /^EQS, 95% interval 0\.\d+ to 0\.\d+, n \d+, called by Assay$/,
        ),
      },
    ]);
    expect(interval).not.toBeNull();
    // Quoted, because Python's YAML parses a plain date.
    expect(stdout).toContain(`date: "${finished.finishedAt}"`);
  });

  it("takes another benchmark, task and metric from flags, without a commit", async () => {
    const args = ["--hub-dataset", "b/c", "--task", "main", "--metric", "validity"];
    const { stdout } = await exported({}, "--what", "eval-results", ...args);
    expect(parse(stdout)).toMatchObject([
      { dataset: { id: "b/c", task_id: "main" }, value: finished.metrics!["validity"]!.value },
    ]);
    expect(stdout).not.toContain("revision");
  });

  it("fails without a benchmark or a known metric", async () => {
    const without = await exported({ source: null }, "--what", "eval-results");
    expect(without.stderr).toContain(
      "stock is not from Hugging Face: name the benchmark's dataset there",
    );
    const metric = await exported({}, "--what", "eval-results", "--metric", "f1x");
    expect(metric.stderr).toMatch(/run run_1 has no value of f1x; its metrics: eqs, /);
  });

  it("writes eval.yaml for the dataset", async () => {
    const { stdout } = await exported({}, "--what", "eval-yaml", "--split", "no");
    expect(parse(stdout, { version: "1.1" })).toEqual({
      name: "stock",
      description: `${suite.label}: ${suite.question}`,
      evaluation_framework: "assay",
      tasks: [{ id: "extraction", split: "no" }],
    });
  });
});

it("assay export --what otel-events writes one event per metric of a sample, with the error class", async () => {
  const { stdout } = await exported({}, "--what", "otel-events");
  const [logs, ...others] = jsonLines(stdout);
  expect(others).toEqual([]);
  const { logRecords } = logs.resourceLogs[0].scopeLogs[0];
  const plain = (record: { attributes: { key: string; value: object }[] }) =>
    Object.fromEntries(record.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(
    logRecords.every(
      ({ eventName }: { eventName: string }) => eventName === "gen_ai.evaluation.result",
    ),
  ).toBe(true);
  expect(logRecords.map(plain)).toEqual([
    {
      "gen_ai.evaluation.name": "assay.extraction.eqs",
      "gen_ai.evaluation.score.value": 1,
      "assay.sample.id": "fee",
      "assay.sample.repeat": 0,
    },
    {
      "gen_ai.evaluation.name": "assay.extraction.validity",
      "gen_ai.evaluation.score.value": 1,
      "assay.sample.id": "fee",
      "assay.sample.repeat": 0,
    },
    {
      "gen_ai.evaluation.name": "assay.extraction.eqs",
      "gen_ai.evaluation.score.value": 0,
      "error.type": "timeout",
      "assay.sample.id": "trip",
      "assay.sample.repeat": 0,
    },
  ]);
  expect(logRecords[0].timeUnixNano).toBe(`${Date.parse(finished.finishedAt!)}000000`);
});
