import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../cli/local/root.ts";
import type { Comparison } from "../../../shared/contracts/boards/comparison.ts";
import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import type { Sweep } from "../../../shared/contracts/submissions/sweep.ts";
import { ran } from "../ran.ts";
import { api, finished, folder, servedAt, stack, stock, until } from "./served.ts";

const port = 9850;
servedAt(port);

/** The service's comparison of runs, when it is ready. */
async function comparison(ids: readonly string[]): Promise<Comparison> {
  return until(async () => {
    const response = await fetch(`${stack.origin}/v1/compare?runs=${ids.join()}`);
    return response.status === 200 ? ((await response.json()) as Comparison) : null;
  });
}

describe("a CI job", () => {
  /** Runs the command line like a step of a workflow, in its checkout. */
  const job = (args: readonly string[]) => {
    const launcher = join(root, "cli", "assay.mjs");
    const env = { ...process.env, ASSAY_URL: stack.origin, MODEL_KEY: "sk-job", NO_COLOR: "1" };
    return ran(process.execPath, [launcher, ...args], { cwd: checkout, env });
  };
  const checkout = join(folder, "checkout");
  const limited = (least: number) =>
    job(["run", "--config", "assay.yaml", "--fail-under", `eqs=${least}`, "--junit", "out.xml"]);

  it("runs a config file, and passes or fails according to --fail-under", async () => {
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

describe("assay run with variants", () => {
  it("evaluates a program with two prompts as runs of one submission", async () => {
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
  it("run as written, and their submissions get the documented results", async () => {
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
      return found?.entries.length === 1 ? found : null;
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

describe("the examples", () => {
  const env = () => ({
    ...process.env,
    ASSAY_URL: stack.origin,
    ENDPOINT_URL: stack.simulator,
    MODEL: "sim-small",
  });

  beforeAll(() => api.uploadDataset("extraction", "stock", stock));

  // Concurrent, because they mostly wait.
  it.concurrent.for<[program: string, file: string]>([
    ["sh", "submit.sh"],
    ["python3", "submit.py"],
    [process.execPath, "submit.mjs"],
  ])("submit a model and print its run: %s %s", async ([program, file], context) => {
    if (spawnSync(program, ["--version"]).error) {
      const reason = `${program} is not installed: ${file} was not run`;
      // The reporter does not print the reasons of skipped tests.
      console.warn(reason);
      return context.skip(reason);
    }
    const { stdout: printed } = await ran(program, [join(root, "examples", file)], { env: env() });
    const run = await api.run(/run_[\w-]+/.exec(printed)?.[0] ?? "");
    expect(run).toMatchObject({ status: "finished", progress: { total: 10, done: 10, failed: 0 } });
    expect(printed).toContain(String(run.metrics?.["eqs"]?.value));
  });

  it("compute the service's figures from exports", async (context) => {
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
    for (const [program, file, inputs] of [
      [process.execPath, "analyse.mjs", exports],
      ["python3", "analyse.py", exports],
      ["python3", "analyse.py", [files.csv, exports[1] ?? ""]],
    ] as const) {
      if (spawnSync(program, ["--version"]).error) {
        return context.skip(`${program} is not installed: ${file} was not run`);
      }
      const args = [join(root, "examples/analysis", file), files.dataset, ...inputs, "--json"];
      const { stdout, stderr } = await ran(program, args);
      expect(stderr).toBe("");
      const found = JSON.parse(stdout);
      const eqs = runs[0]?.metrics?.["eqs"];
      expect(found).toMatchObject({ samples: 10, notCovered: 0 });
      expect(found.score).toBeCloseTo(eqs?.value ?? Number.NaN, 12);
      expect(found.paired.value).toBeCloseTo(sign * (pair?.difference.value ?? Number.NaN), 12);
      const [low = 0, high = 0] = eqs?.interval ?? [];
      // Means of ten samples have coarse steps, and each bootstrap has its own seed.
      expect(Math.abs(found.interval[0] - low)).toBeLessThan(0.25 * (high - low));
      expect(Math.abs(found.interval[1] - high)).toBeLessThan(0.25 * (high - low));
    }
  });
});

const local = (command: string) =>
  command.replaceAll("localhost:8787", `localhost:${port}`).replaceAll("8790", `${port + 3}`);

/** The shell blocks of the README and the guides that call the service; later commands use results of earlier ones. */
function readmeCommands(): string[] {
  const texts = ["README.md", "docs/submitting.md", "docs/judging.md", "docs/schedules.md"];
  return texts.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
    return blocks.filter((block) => block.startsWith("curl"));
  });
}
