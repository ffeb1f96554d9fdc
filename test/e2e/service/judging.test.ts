import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../cli/local/root.ts";
import type { JudgingStudy } from "../../../shared/contracts/boards/judging-study.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { ran } from "../ran.ts";
import { api, finished, folder, servedAt, stack, stockOf } from "./served.ts";

servedAt(9840);

describe("judges", () => {
  /** Number of requests to a judge so far. */
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

  it("that fail permanently leave values out; a second run requests only these again", async () => {
    const rows = stockOf("memory");
    await api.uploadDataset("memory", "stock", rows);
    const failing = "sim-judge-a?latency=0&faults=401:0.1!";
    const judge = `simulated:${failing}`;
    const run = await judged(judge);
    expect(run).toMatchObject({ status: "finished", progress: { failed: 0 } });
    const { mcs, unjudgedRate } = run.metrics ?? {};
    expect(unjudgedRate?.value).toBeGreaterThan(0.04);
    expect(unjudgedRate?.value).toBeLessThan(0.15);
    // The score needs three metrics, so about one sample in four lacks one of them.
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

  it("are not called again for the same answers, and other judges can judge stored answers", async () => {
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

  it("judge files once with assay judge, and their judgments can be submitted", async () => {
    const cwd = mkdtempSync(join(folder, "judged-"));
    const launcher = join(root, "cli", "assay.mjs");
    const env = { ...process.env, ASSAY_URL: stack.origin, NO_COLOR: "1" };
    const job = (...args: string[]) => ran(process.execPath, [launcher, ...args], { cwd, env });
    const rows = stockOf("memory");
    const samples = rows.split("\n").slice(0, 6);
    const ids = samples.map((row) => (JSON.parse(row) as { id: string }).id);
    const answers = ids.map((id) => ({
      id,
      output: "I am glad that you ask. Rest, and walk a bit.",
    }));
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(cwd, name), lines.map((line) => `${line}\n`).join(""));
    write("samples.jsonl", samples);
    write(
      "answers.jsonl",
      answers.map((row) => JSON.stringify(row)),
    );
    const model = "sim-judge-a?latency=0&faults=429:0.1&retryAfter=0";
    const judging = (file: string) =>
      `judge memory --dataset samples.jsonl --answers ${file} --judge simulated:${model} --output judged.jsonl --json`.split(
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

  it("can be compared with assay rescore --judgings, which judges the same answers several times", async () => {
    const rows = stockOf("memory");
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

describe("judges of pairs", () => {
  it("reveal position bias through their verdicts, despite faults", async () => {
    await api.uploadDataset("pairs", "stock", stockOf("pairs"));
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

  it("compare the stored answers of runs with assay pairs, and find the better model", async () => {
    await api.uploadDataset("quality", "stock", stockOf("quality"));
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
