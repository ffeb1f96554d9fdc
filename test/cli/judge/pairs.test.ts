import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { scoredRun } from "../../../shared/suites/__fixtures__/scored-run.ts";
import { defaultOptions } from "../../../shared/suites/pairs/options.ts";
import { checkSample } from "../../../shared/suites/pairs/sample.ts";
import { pairs } from "../../../shared/suites/pairs/suite.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { hurriedWaits } from "../../support/hurried-waits.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { anEstimate } from "../support/run-service.ts";

const folder = folderWith({ "options.json": JSON.stringify({ ties: false }) });
afterAll(folder.dispose);
beforeEach(() => {
  vi.stubEnv("OPENAI_API_KEY", "sk-own");
  hurriedWaits();
});

const prompts = Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, prompt: `Say ${i}.` }));
const behaviour = { quality: 0.8, lostRate: 0, seed: 3 };
const compared = (id: string, name: string): Run => ({
  ...aFinishedRun(suiteById("extraction")!, id, aModel(`acme/${name}`, name), behaviour),
  suite: "quality",
});

/** The judge lets large win 20 of 30 pairs. */
const rows = prompts.map(({ id, prompt }, i) => {
  const models = { a: "acme/large", b: "acme/tiny" };
  const checked = checkSample({ id, query: prompt, a: "Hi.", b: "Ho.", models });
  if (!checked.ok) throw new Error(checked.error);
  const verdict = i < 20 ? "A" : "B";
  const output = JSON.stringify({ given: verdict, swapped: verdict });
  return [checked.value.sample, { output }] as const;
});

function judgedRun(): Run {
  const options = { ...defaultOptions, rankBy: "consistency" } as const;
  const answered = rows.map(([sample, said]) => [sample, { ...emptyAnswer, ...said }] as const);
  const { summary } = scoredRun(pairs, answered, options);
  return {
    ...compared("run_j", "gpt-5"),
    suite: "pairs",
    suiteVersion: pairs.version,
    headline: "consistency",
    options,
    metrics: summary.metrics,
    breakdown: summary.breakdown,
  };
}

const jsonl = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const dataset = {
  suite: "pairs",
  name: "acme/compared-answers",
  version: "a".repeat(64),
  samples: 30,
  malformed: [],
  warnings: [],
  malformedCount: 0,
  warningCount: 0,
  visibility: "unlisted",
  createdAt: "2026-11-20T09:30:00.000Z",
};

/** Shared by the tests, because each takes a quarter of a second. */
const runs = { run_a: compared("run_a", "large"), run_b: compared("run_b", "tiny") };
const usual = judgedRun();

/** A service whose run of the judge ends as `judged`. */
const aService = (judged: Run = usual) =>
  fakeService(({ call }): Reply => {
    const run = { ...runs, run_j: judged };
    const [, id] = /^GET \/v1\/runs\/(run_[abj])$/.exec(call) ?? [];
    if (id !== undefined) return { body: run[id as keyof typeof run] };
    if (call.startsWith("GET /v1/dataset.jsonl?suite=quality")) return { body: jsonl(prompts) };
    if (/run_[ab]\/answers.jsonl$/.test(call)) {
      return { body: jsonl(prompts.map(({ id }) => ({ id, output: `An answer to ${id}.` }))) };
    }
    if (call === "GET /v1/usage") return { body: { owner: "acme" } };
    if (call.startsWith("POST /v1/datasets?")) return { status: 201, body: dataset };
    if (call === "POST /v1/submissions?dryRun=true") return { body: anEstimate };
    if (call === "POST /v1/submissions") {
      const links = { self: "/v1/runs/run_j", samples: "x", report: null };
      const run = { id: "run_j", model: "acme/gpt-5", variant: null, status: "queued", links };
      return { status: 202, body: { id: "sub_j", runs: [run] } };
    }
    return problemReply(404, `there is no ${call}`);
  });

const run = (url: string, ...args: string[]) =>
  assay(folder.path, ["pairs", "--server", url, ...args]);

describe("assay pairs", () => {
  it("uploads pairs of stored answers, submits the judge and prints scores with intervals", async () => {
    await using service = await aService();
    const more = ["--judge", "openai:gpt-5", "--options", "options.json"];
    const { code, stdout, stderr } = await run(service.url, "run_a", "run_b", ...more);
    expect([code, stderr]).toEqual([0, "30 pairs, 2 requests each, to openai:gpt-5\n"]);
    expect(stdout).toMatch(
      /Bradley–Terry scores, by gpt-5\nmodel +score +95% interval +wins +pairs/,
    );
    // Half of ln(20.5 / 10.5).
    expect(stdout).toMatch(/acme\/large +0\.33 +\S+ to \S+ +66\.7% +30/);
    expect(stdout).toMatch(/acme\/tiny +−0\.33/);
    expect(stdout).toMatch(/Chose the first answer +50\.0%/);
    const sent = service.asked.find(({ call }) => call === "POST /v1/submissions");
    expect(submissionRequestSchema.safeParse(sent?.body).success).toBe(true);
    expect(sent?.body).toEqual({
      suite: "pairs",
      dataset: `${dataset.name}@${dataset.version}`,
      visibility: "unlisted",
      options: { rankBy: "consistency", ties: false },
      models: [
        { name: "gpt-5", endpoint: { provider: "openai", model: "gpt-5", apiKey: "sk-own" } },
      ],
    });
  });

  it("limits the pairs with --pairs, and submits several judges at one address", async () => {
    await using service = await aService();
    const judges = ["--judge", "one", "--judge", "two", "--base-url", "http://localhost:8000/v1"];
    const { stderr } = await run(service.url, "run_a", "run_b", ...judges, "--pairs", "7");
    expect(stderr).toBe("7 pairs, 2 requests each, to one, two\n");
    const sent = service.asked.find(({ call }) => call === "POST /v1/submissions");
    expect(sent?.body).toMatchObject({
      models: ["one", "two"].map((name) => ({
        name,
        endpoint: { baseUrl: "http://localhost:8000/v1", model: name },
      })),
    });
  });

  it("estimates the requests without asking a judge", async () => {
    await using service = await aService();
    const { code, stdout } = await run(
      service.url,
      "run_a",
      "run_b",
      "--judge",
      "openai:gpt-5",
      "--dry-run",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("nothing was submitted; estimate");
    expect(stdout).toMatch(/acme\/a-model +72 +72 /);
    expect(service.asked.map(({ call }) => call)).not.toContain("POST /v1/submissions");
  });

  it.each([
    [["run_a", "--judge", "openai:gpt-5"], "give two or more different runs"],
    [["run_a", "run_b", "--judge", "gpt-5"], "--judge gpt-5 names no provider"],
    [["run_a", "run_b", "--judge", "openai:x", "--pairs", "0"], "--pairs must be a whole number"],
    [["run_a", "run_j", "--judge", "openai:x"], "have different datasets"],
  ])("refuses %j", async (args, reason) => {
    await using service = await aService();
    const { code, stderr } = await run(service.url, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  it("fails if the judge's run failed", async () => {
    await using service = await aService({ ...usual, status: "failed", metrics: null });
    const { code, stderr } = await run(service.url, "run_a", "run_b", "--judge", "openai:gpt-5");
    expect(code).toBe(1);
    expect(stderr).toContain("run_j is failed");
  });
});
