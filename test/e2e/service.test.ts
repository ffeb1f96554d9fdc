import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { type Stack, startStack } from "../../cli/local/stack.ts";
import type { Comparison } from "../../shared/contracts/boards/comparison.ts";
import type { JudgingStudy } from "../../shared/contracts/boards/judging-study.ts";
import { readSnapshot } from "../../shared/contracts/boards/read-snapshot.ts";
import type { DatasetTimeline } from "../../shared/contracts/drift/drift.ts";
import type { Run } from "../../shared/contracts/run.ts";
import type { Submission } from "../../shared/contracts/submissions/submission.ts";
import type { Sweep } from "../../shared/contracts/submissions/sweep.ts";
import type { WebhookWithSecret } from "../../shared/contracts/webhooks/webhook.ts";
import { freePort } from "../faults/support/free-port.ts";
import { serviceApi } from "../support/service-api.ts";
import { ran } from "./ran.ts";
import { readmeCommands } from "./readme-commands.ts";

const port = 9860;
const folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
const stock = readFileSync(join(root, "shared/suites/extraction/stock.jsonl"), "utf8");

let stack: Stack;
let api: ReturnType<typeof serviceApi>;

beforeAll(async () => {
  stack = await startStack({ port, folder, fresh: true, site: false, print: console.error });
  api = serviceApi(stack.origin);
});

afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function finished(id: string): Promise<Run> {
  for (;;) {
    const run = await api.run(id);
    if (run.finishedAt !== null) return run;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What the service says of runs side by side, once it is worked out. */
async function comparison(ids: readonly string[]): Promise<Comparison> {
  return until(async () => {
    const response = await fetch(`${stack.origin}/v1/compare?runs=${ids.join()}`);
    return response.status === 200 ? ((await response.json()) as Comparison) : null;
  });
}

/** All rows of a run, page by page. */
async function sampleRows(id: string) {
  const rows: { seq: number; id: string }[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const response = await fetch(`${stack.origin}/v1/runs/${id}/samples?limit=90${query}`);
    const page = (await response.json()) as { samples: typeof rows; nextCursor: string | null };
    rows.push(...page.samples);
    cursor = page.nextCursor;
  }
  return rows;
}

describe("a run of 200 samples with 10% transient faults", () => {
  it("ends complete, every sample in one row", async () => {
    const rows = stock.trim().split("\n");
    const many = Array.from({ length: 200 }, (_, i) => {
      const row = JSON.parse(rows[i % rows.length] ?? "");
      return JSON.stringify({ ...row, id: `${row.id}-${i}` });
    });
    await api.uploadDataset("extraction", "many", many.join("\n"));
    const model = "sim-perfect?latency=20&faults=transient:0.1&retryAfter=0";
    const submission = await api.submit({
      suite: "extraction",
      dataset: "many",
      models: [{ name: "Faulty", endpoint: { baseUrl: stack.simulator, model } }],
      options: { maxRetries: 6, timeoutMs: 5_000 },
    });
    const run = await finished(submission.runs[0]?.id ?? "");
    expect(run).toMatchObject({
      status: "finished",
      progress: { total: 200, done: 200, failed: 0 },
    });
    expect(run.metrics?.["eqs"]).toMatchObject({ value: 1, n: 200, coverage: 1 });
    const seqs = (await sampleRows(run.id)).map((row) => row.seq);
    expect(seqs).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });
});

describe("an endpoint", () => {
  it("that refuses the key leaves every sample failed, the run finished and unranked", async () => {
    await api.uploadDataset("extraction", "stock", stock);
    const submission = await api.submit({
      suite: "extraction",
      dataset: "stock",
      models: [
        {
          name: "Refused",
          endpoint: { baseUrl: stack.simulator, model: "sim-instant", apiKey: "sk-wrong" },
        },
      ],
      options: { sample: { n: 10 } },
    });
    const run = await finished(submission.runs[0]?.id ?? "");
    expect(run).toMatchObject({ status: "finished", progress: { total: 10, failed: 10 } });
    expect(run.metrics?.["eqs"]).toMatchObject({ value: 0, coverage: 0 });
  });
});

describe("judges", () => {
  /** Requests that the simulator had for judges so far. */
  async function judgeCalls(name: string): Promise<number> {
    const log = await (await fetch(stack.simulator.replace("/v1", "/__log"))).json();
    const { entries } = log as { entries: { model: string }[] };
    return entries.filter(({ model }) => model === name).length;
  }

  const count = 20;
  const judged = async (judge: string) => {
    const submission = await api.submit({
      suite: "memory",
      dataset: "stock",
      options: { judge, sample: { n: count } },
      models: [
        {
          name: "Advisor",
          slug: "local/advisor",
          endpoint: { baseUrl: stack.simulator, model: "sim-medium?latency=0" },
        },
      ],
    });
    return finished(submission.runs[0]?.id ?? "");
  };

  it("that fail for good leave values out, and are asked again for these alone", async () => {
    const rows = readFileSync(join(root, "shared/suites/memory/stock.jsonl"), "utf8");
    await api.uploadDataset("memory", "stock", rows);
    const failing = "sim-judge-a?latency=0&faults=401:0.1!";
    const judge = `simulated:${failing}`;
    const run = await judged(judge);
    expect(run).toMatchObject({ status: "finished", progress: { failed: 0 } });
    const { mcs, unjudgedRate } = run.metrics ?? {};
    expect(unjudgedRate?.value).toBeGreaterThan(0.04);
    expect(unjudgedRate?.value).toBeLessThan(0.15);
    // Three metrics are needed for it, so about one sample in four lacks one.
    expect(mcs?.coverage).toBeLessThan(0.9);
    expect(mcs?.coverage).toBeGreaterThan(0.5);
    const { unjudged } = run.breakdown as { unjudged: { metric: string; reason: string }[] };
    expect(unjudged.length).toBeGreaterThan(6);
    expect(new Set(unjudged.map(({ reason }) => reason))).toEqual(new Set(["judge_failed"]));

    const before = await judgeCalls(failing);
    const again = await judged(judge);
    const missing = Math.round((unjudgedRate?.value ?? 0) * count * 12);
    expect((await judgeCalls(failing)) - before).toBe(missing);
    expect(again.metrics?.["mcs"]).toMatchObject({ value: mcs?.value, coverage: mcs?.coverage });
  });

  it("are not asked again for the same answers, and others judge stored ones", async () => {
    const model = "sim-judge-b?latency=0";
    const judge = `simulated:${model}`;
    const first = await judged(judge);
    expect(first.metrics?.["mcs"]).toMatchObject({ coverage: 1 });
    const asked = await judgeCalls(model);
    expect(asked).toBeGreaterThanOrEqual(11 * count);
    const second = await judged(judge);
    expect(await judgeCalls(model)).toBe(asked);
    expect(second.metrics?.["mcs"]?.value).toBe(first.metrics?.["mcs"]?.value);

    const before = await judgeCalls("sim-medium?latency=0");
    const other = "sim-judge-c?latency=0";
    const response = await fetch(`${stack.origin}/v1/runs/${first.id}/rescore`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ options: { judge: `simulated:${other}` } }),
    });
    const { runs } = (await response.json()) as Submission;
    const child = await finished(runs[0]?.id ?? "");
    expect(child).toMatchObject({ status: "finished", parent: first.id });
    expect(await judgeCalls(other)).toBeGreaterThanOrEqual(11 * count);
    expect(await judgeCalls("sim-medium?latency=0")).toBe(before);
    expect(child.scoringVersion).not.toBe(first.scoringVersion);
  });

  it("judge files from the terminal, once, and their judgments can be submitted", async () => {
    const cwd = mkdtempSync(join(folder, "judged-"));
    const launcher = join(root, "cli", "assay.mjs");
    const env = { ...process.env, ASSAY_URL: stack.origin, NO_COLOR: "1" };
    const job = (...args: string[]) => ran(process.execPath, [launcher, ...args], { cwd, env });
    const rows = readFileSync(join(root, "shared/suites/memory/stock.jsonl"), "utf8");
    const samples = rows.split("\n").slice(0, 6);
    const ids = samples.map((row) => (JSON.parse(row) as { id: string }).id);
    const given = ids.map((id) => ({
      id,
      output: "I am glad that you ask. Rest, and walk a bit.",
    }));
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(cwd, name), lines.map((line) => `${line}\n`).join(""));
    write("samples.jsonl", samples);
    write(
      "answers.jsonl",
      given.map((row) => JSON.stringify(row)),
    );
    const model = "sim-judge-a?latency=0&faults=429:0.1&retryAfter=0";
    const judging = (answers: string) =>
      `judge memory --dataset samples.jsonl --answers ${answers} --judge simulated:${model} --output judged.jsonl --json`.split(
        " ",
      );
    const first = await job(...judging("answers.jsonl"));
    expect(first).toMatchObject({ status: 0, stderr: "judges: simulated\n" });
    const run = JSON.parse(first.stdout) as Run;
    expect(run.metrics?.["mcs"]).toMatchObject({ n: 6, coverage: 1 });
    const asked = await judgeCalls(model);
    expect(asked).toBeGreaterThanOrEqual(11 * 6);
    const again = JSON.parse((await job(...judging("judged.jsonl"))).stdout) as Run;
    expect(await judgeCalls(model)).toBe(asked);
    const { value } = run.metrics?.["mcs"] ?? {};
    expect(again.metrics?.["mcs"]?.value).toBe(value);

    const files = ["--dataset", "samples.jsonl", "--answers", "judged.jsonl"];
    const offline = JSON.parse((await job("score", "memory", ...files, "--json")).stdout);
    expect(offline.metrics.mcs.value).toBeCloseTo(value ?? Number.NaN, 9);
    const judged = readFileSync(join(cwd, "judged.jsonl"), "utf8").trim().split("\n");
    const submission = await api.submit({
      suite: "memory",
      dataset: `${run.dataset.name}@${run.dataset.version}`,
      options: { judge: "recorded" },
      models: [{ name: "Recorded", answers: judged.map((line) => JSON.parse(line)) }],
    });
    const recorded = await finished(submission.runs[0]?.id ?? "");
    expect(recorded.metrics?.["mcs"]?.value).toBeCloseTo(value ?? Number.NaN, 9);
    expect(await judgeCalls(model)).toBe(asked);

    const other = "sim-judge-b?latency=1";
    const rescored = await job("rescore", run.id, "--judge", `simulated:${other}`, "--json");
    expect(rescored.status).toBe(0);
    expect(JSON.parse(rescored.stdout)).toMatchObject([{ parent: run.id, status: "finished" }]);
    expect(await judgeCalls(other)).toBeGreaterThanOrEqual(11 * 6);
  });

  it("decide some ranks: several judgings of the same answers, from the terminal", async () => {
    const rows = readFileSync(join(root, "shared/suites/memory/stock.jsonl"), "utf8");
    await api.uploadDataset("memory", "stock", rows);
    const models = ["sim-large", "sim-tiny"].map((model) => ({
      name: model,
      endpoint: { baseUrl: stack.simulator, model: `${model}?latency=0` },
    }));
    const options = { judge: "simulated:sim-judge-a?latency=0", sample: { n: 4 } };
    const { runs } = await api.submit({ suite: "memory", dataset: "stock", models, options });
    for (const { id } of runs) await finished(id);
    const launcher = join(root, "cli", "assay.mjs");
    const env = { ...process.env, ASSAY_URL: stack.origin, NO_COLOR: "1" };
    const ids = runs.map(({ id }) => id);
    const judge = "simulated:sim-judge-b?latency=0&faults=429:0.1&retryAfter=0";
    const judgings = ["lenient", "strict"].map((strictness) => ({ judge, strictness }));
    const file = join(folder, "judgings.json");
    writeFileSync(file, JSON.stringify(judgings));
    const args = ["rescore", ...ids, "--judgings", file];
    const shown = await ran(process.execPath, [launcher, ...args], { env });
    expect(shown).toMatchObject({ status: 0, stderr: "" });
    expect(shown.stdout).toMatch(/sim-large +\d of 3 /);
    expect(shown.stdout).toMatch(/models +\d+\.\d%/);
    const [, submissions = ""] = /submissions=(\S+)/.exec(shown.stdout) ?? [];
    const read = await fetch(`${stack.origin}/v1/judgings?submissions=${submissions}`);
    const study = (await read.json()) as JudgingStudy;
    expect(study.models.map(({ model }) => model.name)).toEqual(["sim-large", "sim-tiny"]);
    const meanOf = (strict: string) => {
      const values = study.models.flatMap(({ results }) =>
        results.filter((_, j) => study.judgings[j]?.options["strictness"] === strict),
      );
      return values.reduce((sum, { value }) => sum + value, 0) / values.length;
    };
    expect(meanOf("lenient")).toBeGreaterThan(meanOf("strict"));
  });
});

describe("a stream", () => {
  it("is drawn from a file of a server at each run, and shown with its scores over time", async () => {
    const rows = stock.trim().split("\n");
    const logs = { day: 1, conditions: [] as (string | undefined)[] };
    const server = createServer((request, response) => {
      const known = request.headers["if-none-match"];
      logs.conditions.push(known);
      const etag = `"day-${logs.day}"`;
      const ofDay = rows.map((row, i) =>
        JSON.stringify({ ...JSON.parse(row), id: `${logs.day}-${i}` }),
      );
      if (known === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(gzipSync(ofDay.join("\n")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port: logsPort } = server.address() as AddressInfo;
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${stack.origin}${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    const made = await call("POST", "/v1/schedules", {
      suite: "extraction",
      dataset: "requests",
      everyHours: 24,
      visibility: "unlisted",
      model: { name: "Streamed", endpoint: { baseUrl: stack.simulator, model: "sim-large" } },
      stream: { url: `http://127.0.0.1:${logsPort}/day.gz`, samplesPerVersion: 10, anchor: 20 },
    });
    expect(made.status).toBe(201);
    const path = `/v1/schedules/${(made.body as { id: string }).id}`;
    const runNow = async () => {
      const started = await call("POST", `${path}/run-now`);
      const { lastRun, detail } = started.body as { lastRun: { id: string }; detail: string };
      return started.status === 200 ? (await finished(lastRun.id)).id : detail;
    };
    const first = await runNow();
    logs.day = 2;
    const second = await runNow();
    expect(await runNow()).toContain("nothing is new: the file is unchanged");
    expect(logs.conditions).toEqual([undefined, '"day-1"', '"day-1"', '"day-2"']);
    const timeline = await until(async () => {
      const query = "suite=extraction&dataset=requests";
      const { body } = await call("GET", `/v1/dataset-timeline?${query}`);
      const its = body as DatasetTimeline;
      return its.histories[0]?.points.every(({ drift }) => drift) ? its : null;
    });
    server.close();
    expect(timeline.versions.map(({ samples, stream }) => [samples, stream?.drawn])).toEqual([
      [30, 30],
      [30, 10],
    ]);
    const points = timeline.histories[0]?.points ?? [];
    expect(points.map(({ run }) => run)).toEqual([first, second]);
    expect(points[1]?.drift).toMatchObject({
      reference: first,
      againstReference: { n: 20 },
      traffic: { runs: [first], n: 10, difference: expect.any(Number) },
    });
  });
});

describe("judges of pairs", () => {
  const rowsOf = (suite: string) =>
    readFileSync(join(root, `shared/suites/${suite}/stock.jsonl`), "utf8");

  it("show by their labels how much position decides, despite faults", async () => {
    await api.uploadDataset("pairs", "stock", rowsOf("pairs"));
    const model =
      "sim-judge-a?latency=0&mistakes=first_place:0.5&faults=transient:0.1&retryAfter=0";
    const submission = await api.submit({
      suite: "pairs",
      dataset: "stock",
      models: [{ name: "First", endpoint: { baseUrl: stack.simulator, model } }],
      options: { maxRetries: 6, timeoutMs: 5_000 },
    });
    const run = await finished(submission.runs[0]?.id ?? "");
    expect([run.status, run.headline, run.progress.failed]).toEqual(["finished", "accuracy", 0]);
    const { firstShare, firstTwice, secondTwice, unjudgedRate } = run.metrics ?? {};
    expect(firstShare?.interval?.[0]).toBeGreaterThan(0.5);
    expect(firstTwice?.interval?.[0]).toBeGreaterThan(0.1);
    expect([secondTwice?.value, unjudgedRate?.value]).toEqual([0, 0]);
  });

  it("compare the stored answers of runs from the terminal, and find the better model", async () => {
    await api.uploadDataset("quality", "stock", rowsOf("quality"));
    const models = ["sim-large", "sim-tiny"].map((model) => ({
      name: model,
      slug: `local/${model}`,
      endpoint: { baseUrl: stack.simulator, model: `${model}?latency=0` },
    }));
    const options = { sample: { n: 24 } };
    const { id, runs } = await api.submit({ suite: "quality", dataset: "stock", models, options });
    for (const run of runs) await finished(run.id);
    const launcher = join(root, "cli", "assay.mjs");
    const env = { ...process.env, ASSAY_URL: stack.origin, NO_COLOR: "1" };
    const judge = "sim-judge-a?latency=0&mistakes=first_place:0.1,wrong_verdict:0.1";
    const args = ["pairs", id, "--judge", judge, "--base-url", stack.simulator];
    const { status, stdout, stderr } = await ran(process.execPath, [launcher, ...args], { env });
    expect([status, stderr]).toEqual([0, `24 pairs, 2 requests each, to ${judge}\n`]);
    const scores = [...stdout.matchAll(/^local\/(sim-\w+) +(\S+) +(\S+ to \S+) .* 24$/gm)];
    expect(scores.map(([, model]) => model)).toEqual(["sim-large", "sim-tiny"]);
    const [run = ""] = /run_\w+/.exec(stdout) ?? [];
    const report = await (await fetch(`${stack.origin}/v1/runs/${run}/report`)).text();
    expect(report).toContain("Bradley–Terry scores");
  });
});

describe("a job of continuous integration", () => {
  /** The launcher as a workflow's step runs it, in its checkout. */
  const job = (args: readonly string[]) => {
    const launcher = join(root, "cli", "assay.mjs");
    const env = { ...process.env, ASSAY_URL: stack.origin, MODEL_KEY: "sk-job", NO_COLOR: "1" };
    return ran(process.execPath, [launcher, ...args], { cwd: checkout, env });
  };
  const checkout = join(folder, "checkout");
  const limited = (least: number) =>
    job(["run", "--config", "assay.yaml", "--fail-under", `eqs=${least}`, "--junit", "out.xml"]);

  it("runs a config file, and passes or fails by its limit", async () => {
    await api.uploadDataset("extraction", "stock", stock);
    mkdirSync(checkout);
    writeFileSync(
      join(checkout, "assay.yaml"),
      `model:
  name: Job
  model: sim-perfect?latency=0
  base_url: ${stack.simulator}
  api_key_env: MODEL_KEY
dataset: { name: stock, sample_size: 12, random_seed: 42 }
metrics: { enabled: [exact_match] }
output: { results_dir: results }
`,
    );
    const passed = await limited(0.8);
    expect(passed).toMatchObject({ status: 0, stderr: "" });
    expect(passed.stdout).toMatch(/local\/job .* finished +12\/12 +0 +EQS +1\.000/);
    const report = () => readFileSync(join(checkout, "out.xml"), "utf8");
    expect(report()).toContain('tests="2" failures="0" errors="0" skipped="0"');
    const [run = ""] = readdirSync(join(checkout, "results"));
    const samples = readFileSync(join(checkout, "results", run, "samples.jsonl"), "utf8");
    expect(samples.trimEnd().split("\n")).toHaveLength(12);

    const file = join(checkout, "assay.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("sim-perfect", "sim-tiny"));
    const failed = await limited(0.999);
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(/local\/job\): EQS is 0\.\d+ .*wanted EQS ≥ 0\.999\n$/);
    expect(report()).toContain('tests="2" failures="1" errors="0" skipped="0"');
  });
});

describe("a program", () => {
  it("is evaluated with two prompts side by side, as runs of one submission", async () => {
    await api.uploadDataset("extraction", "stock", stock);
    const cwd = mkdtempSync(join(folder, "program-"));
    writeFileSync(
      join(cwd, "program.yaml"),
      `model: { name: Program, exec: "node ${join(root, "examples/program/answer.mjs")}", processes: 1 }
dataset: { name: stock, sample_size: 12 }
variants:
  short: { system: Answer with JSON. }
  long: { system: Read the text. Answer with JSON that fits the schema. }
`,
    );
    const env = {
      ...process.env,
      ASSAY_URL: stack.origin,
      MODEL_URL: stack.simulator,
      MODEL_NAME: "sim-perfect?latency=0",
      NO_COLOR: "1",
    };
    const launcher = join(root, "cli", "assay.mjs");
    const args = [launcher, "run", "--config", "program.yaml", "--json"];
    const { status, stdout, stderr } = await ran(process.execPath, args, { cwd, env });
    expect([status, stderr]).toEqual([0, ""]);
    const { runs, verdicts } = JSON.parse(stdout) as { runs: Run[]; verdicts: object[] };
    expect(runs.map(({ variant, metrics }) => [variant, metrics?.["eqs"]?.value])).toEqual([
      [{ prompt: "short" }, 1],
      [{ prompt: "long" }, 1],
    ]);
    expect(runs[0]).toMatchObject({
      provenance: { kind: "self-reported", relay: "program" },
      options: { systemPrompt: "Answer with JSON.", concurrency: 2 },
      progress: { failed: 0 },
    });
    expect(verdicts).toEqual([
      { model: "local/program", verdict: expect.stringMatching(/^No variant can be named best/) },
    ]);
  });
});

describe("the commands of README and guides", () => {
  it("run as written, and the three answers get a report, a place and a badge", async () => {
    const outputs: string[] = [];
    for (const command of readmeCommands()) {
      outputs.push((await ran("bash", ["-c", local(command)])).stdout);
    }
    expect(outputs).toHaveLength(15);
    expect(JSON.parse(outputs[13] ?? "")).toMatchObject({ status: "active", everyHours: 24 });
    const [dataset, answers, endpoint, batched, ...others] = [0, 1, 3, 4, 5, 6, 11, 12, 10].map(
      (at) => JSON.parse(outputs[at] ?? ""),
    );
    expect(dataset).toMatchObject({ name: "first-steps", samples: 3, malformed: [] });
    const run = await finished((answers as Submission).runs[0]?.id ?? "");
    expect(run.progress).toEqual({ total: 3, done: 3, failed: 0 });
    expect(run.metrics?.["exactMatch"]?.value).toBeCloseTo(2 / 3);
    await finished((endpoint as Submission).runs[0]?.id ?? "");
    const sample = await fetch(`${stack.origin}${run.links.samples}/trip`);
    expect(await sample.json()).toMatchObject({
      answer: { output: '{"from": "Lisbon", "to": "Bergen"}' },
      detail: { exact: 1, incorrect: 1 },
    });
    const board = await until(async () => {
      const found = await api.leaderboard("extraction", "first-steps");
      return found?.entries.length === 2 ? found : null;
    });
    const own = board.entries.find((entry) => entry.model.slug === "local/my-model");
    expect(own).toMatchObject({
      provenance: { kind: "self-reported" },
      rank: null,
      unrankedReason: "the answers' prompt was not declared, or is not the suite's (promptHash)",
    });
    const more = (others as Submission[]).flatMap((submission) => submission.runs);
    const [slots, calls, pair, advice, judge, rubric] = await Promise.all(
      more.map(({ id }) => finished(id)),
    );
    expect(slots?.metrics).toMatchObject({ f1: { value: 1 }, valueF1: { value: 0.5 } });
    expect(calls?.metrics?.["total"]?.value).toBeCloseTo(0.6 + 0.15 * (1 - 90 / 500) + 0.25);
    expect(pair).toMatchObject({ progress: { failed: 0 }, breakdown: { hybrid: { n: 1 } } });
    expect(advice).toMatchObject({ status: "finished", phase: "judging", progress: { failed: 0 } });
    expect(advice?.judging?.judges["empathy"]).toMatchObject({
      routes: [{ model: "sim-judge-a" }, { model: "sim-judge-b", simulated: true }],
      by: "run",
    });
    expect(advice?.metrics?.["memory_utilization"]?.value).toBe(1);
    expect(judge?.metrics?.["accuracy"]).toMatchObject({ n: 2, coverage: 1 });
    expect(rubric?.metrics?.["kind"]).toMatchObject({ coverage: 1 });
    const read = async (path: string) => (await fetch(`${stack.origin}${path}`)).json();
    const { snapshot } = await readSnapshot(read);
    expect(snapshot.runs.map(({ id }) => id)).toContain(run.id);
    const { runs, links } = JSON.parse(outputs[8] ?? "") as Submission;
    for (const { id } of runs) await finished(id);
    const sweep = (await (await fetch(`${stack.origin}${links.sweep}`)).json()) as Sweep;
    expect(sweep.models[0]?.variants.map(({ variant, leftOut }) => [variant, leftOut])).toEqual([
      [{ temperature: 0 }, null],
      [{ temperature: 0.7 }, null],
    ]);
    expect(sweep.models[0]?.tests[0]).toMatchObject({ metric: "overall", samples: 3 });
    const halved = await finished((batched as Submission).runs[0]?.id ?? "");
    expect(halved).toMatchObject({
      status: "finished",
      progress: { failed: 0 },
      prices: { inputPerMillion: 0.075, outputPerMillion: 0.3 },
      timeline: null,
    });
  });
});

it("a webhook is notified of a finished run through the queue, and its receiver accepts the signature", async () => {
  const receiverPort = await freePort();
  const created = await fetch(`${stack.origin}/v1/webhooks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `http://127.0.0.1:${receiverPort}/`, events: ["run.finished"] }),
  });
  const { id, secret } = (await created.json()) as WebhookWithSecret;
  const env = { ...process.env, SECRET: secret, PORT: `${receiverPort}` };
  const receiver = spawn(process.execPath, [join(root, "examples/webhook.mjs")], { env });
  let printed = "";
  receiver.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  try {
    await until(async () => (printed.includes("listening") ? true : null));
    await api.uploadDataset("extraction", "stock", stock);
    const endpoint = { baseUrl: stack.simulator, model: "sim-instant" };
    const submission = await api.submit({
      suite: "extraction",
      dataset: "stock",
      models: [{ name: "Told", endpoint }],
      options: { sample: { n: 2 } },
    });
    const run = submission.runs[0]?.id ?? "";
    await until(async () => (printed.includes(`run.finished ${run}`) ? true : null));
  } finally {
    receiver.kill();
    await fetch(`${stack.origin}/v1/webhooks/${id}`, { method: "DELETE" });
  }
});

describe("the examples", () => {
  const env = () => ({
    ...process.env,
    ASSAY_URL: stack.origin,
    ENDPOINT_URL: stack.simulator,
    MODEL: "sim-small",
  });

  beforeAll(() => api.uploadDataset("extraction", "stock", stock));

  // They wait most of the time.
  it.concurrent.for<[program: string, file: string]>([
    ["sh", "submit.sh"],
    ["python3", "submit.py"],
    [process.execPath, "submit.mjs"],
  ])("submit a model and print its run: %s %s", async ([program, file], context) => {
    if (spawnSync(program, ["--version"]).error) {
      const reason = `there is no ${program} here: ${file} was not run`;
      // The reporter keeps reasons to itself.
      console.warn(reason);
      return context.skip(reason);
    }
    const { stdout: printed } = await ran(program, [join(root, "examples", file)], { env: env() });
    const run = await api.run(/run_[\w-]+/.exec(printed)?.[0] ?? "");
    expect(run).toMatchObject({ status: "finished", progress: { total: 10, done: 10, failed: 0 } });
    expect(printed).toContain(String(run.metrics?.["eqs"]?.value));
  });

  it("analyse exports to the figures that the service has", async (context) => {
    await api.uploadDataset("extraction", "stock", stock);
    const submit = async (model: string) => {
      const more = { env: { ...env(), MODEL: model } };
      const { stdout } = await ran(process.execPath, [join(root, "examples/submit.mjs")], more);
      return finished(/run_[\w-]+/.exec(stdout)?.[0] ?? "");
    };
    const runs = [await submit("sim-tiny"), await submit("sim-large")];
    const files = { dataset: join(folder, "stock.jsonl"), csv: join(folder, "samples.csv") };
    const exports = runs.map(({ id }) => join(folder, `${id}.jsonl`));
    const text = async (path: string) => (await fetch(`${stack.origin}${path}`)).text();
    writeFileSync(files.dataset, stock);
    for (const [i, { links }] of runs.entries()) {
      writeFileSync(exports[i] ?? "", await text(`${links.samples}.jsonl?fields=true`));
    }
    writeFileSync(files.csv, await text(`${runs[0]?.links.samples}.csv`));
    const compared = await comparison(runs.map(({ id }) => id));
    const [pair] = compared.metrics[0]?.pairs ?? [];
    const sign = pair?.a === runs[0]?.id ? 1 : -1;
    for (const [program, file, given] of [
      [process.execPath, "analyse.mjs", exports],
      ["python3", "analyse.py", exports],
      ["python3", "analyse.py", [files.csv, exports[1] ?? ""]],
    ] as const) {
      if (spawnSync(program, ["--version"]).error) {
        return context.skip(`there is no ${program} here: ${file} was not run`);
      }
      const args = [join(root, "examples/analysis", file), files.dataset, ...given, "--json"];
      const { stdout, stderr } = await ran(program, args);
      expect(stderr).toBe("");
      const found = JSON.parse(stdout);
      const eqs = runs[0]?.metrics?.["eqs"];
      expect(found).toMatchObject({ samples: 10, notCovered: 0 });
      expect(found.score).toBeCloseTo(eqs?.value ?? Number.NaN, 12);
      expect(found.paired.value).toBeCloseTo(sign * (pair?.difference.value ?? Number.NaN), 12);
      const [low = 0, high = 0] = eqs?.interval ?? [];
      // Means of ten samples lie in steps, and each run draws by its own seed.
      expect(Math.abs(found.interval[0] - low)).toBeLessThan(0.25 * (high - low));
      expect(Math.abs(found.interval[1] - high)).toBeLessThan(0.25 * (high - low));
    }
  });
});

const local = (command: string) =>
  command.replaceAll("localhost:8787", `localhost:${port}`).replaceAll("8790", `${port + 3}`);

async function until<T>(probe: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await probe();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
