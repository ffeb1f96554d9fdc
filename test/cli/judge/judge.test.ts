import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "../../../shared/contracts/run.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { aRow, recorded } from "../../../shared/suites/memory/__fixtures__/build.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { hurriedWaits } from "../../support/hurried-waits.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { anEstimate } from "../support/run-service.ts";

const model = aModel("acme/answers", "Answers");
const behaviour = { quality: 0.8, lostRate: 0, seed: 3 };
const made = aFinishedRun(suiteById("extraction")!, "run_2", model, behaviour);
const estimate = made.metrics!["eqs"]!;
const metrics = { mcs: estimate, safety: estimate };
const whole: Run = { ...made, suite: "memory", headline: "mcs", metrics, parent: "run_1" };
const withCoverage = (coverage: number): Run => ({
  ...whole,
  judging: { judges: {}, stages: {} },
  notes: ["2 judgments are missing"],
  metrics: { ...metrics, mcs: { ...estimate, coverage } },
});
const answers = [
  { id: "a", output: "Walk." },
  { id: "b", output: "Rest.", judgments: recorded },
];
const judged = `${answers.map((row) => JSON.stringify({ ...row, judgments: recorded })).join("\n")}\n`;
const folder = folderWith({
  "samples.jsonl": [aRow({ id: "a" }), aRow({ id: "b" })],
  "answers.jsonl": answers,
  "empty.jsonl": "",
  "queries.jsonl": [{ id: "a", query: "How do I brake?" }],
  "rubric.json": JSON.stringify({ criteria: [{ id: "kind", question: "Is it kind?" }] }),
  "options.json": JSON.stringify({ panelRule: "majority" }),
  "list.json": "[]",
});

beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", join(folder.path, "state"));
  hurriedWaits();
});
afterAll(folder.dispose);

const judging = { judges: {}, stages: {} };
const links = { self: "/v1/runs/run_2", samples: "x", report: null };
const started: Reply = {
  status: 202,
  body: {
    id: "sub_2",
    runs: [{ id: "run_2", model: model.slug, variant: null, status: "queued", links }],
  },
};
const dataset = {
  suite: "memory",
  name: "acme/judged-files",
  version: "a".repeat(64),
  samples: 2,
  malformed: [],
  warnings: [],
  malformedCount: 0,
  warningCount: 0,
  visibility: "unlisted",
  createdAt: "2026-11-20T09:30:00.000Z",
};

/** A service whose new run ends as `run`; `first` are its replies to the first submissions. */
const aService = (run: Run = whole, first: Reply[] = []) =>
  fakeService(({ call }): Reply => {
    const known: Record<string, Reply> = {
      "GET /v1/usage": { body: { owner: "acme" } },
      "POST /v1/submissions?dryRun=true": { body: { ...anEstimate, judging } },
      "GET /v1/runs/run_2": { body: run },
      "GET /v1/runs/run_2/answers.jsonl?judgments=true": { body: judged },
    };
    if (call.startsWith("POST /v1/datasets?")) return { status: 201, body: dataset };
    if (/^POST \/v1\/(submissions|runs\/run_\d\/rescore)$/.test(call)) {
      return first.shift() ?? started;
    }
    return known[call] ?? problemReply(404, `there is no ${call}`);
  });

const judge = (url: string, ...args: string[]) =>
  assay(folder.path, [
    "judge",
    "memory",
    "--dataset",
    "samples.jsonl",
    "--answers",
    "answers.jsonl",
    "--server",
    url,
    ...args,
  ]);

describe("assay judge", () => {
  it("submits the files as unlisted, prints the scores and writes the judgments", async () => {
    await using service = await aService();
    const more = ["--judge", "openai:gpt-5", "--options", "options.json"];
    const { code, stdout, stderr } = await judge(service.url, ...more, "--output", "judged.jsonl");
    expect([code, stderr]).toEqual([0, "judges: simulated\n"]);
    expect(stdout).toMatch(/acme\/answers .* finished/);
    expect(stdout).toMatch(/Memory citation score +\d/);
    expect(readFileSync(join(folder.path, "judged.jsonl"), "utf8")).toBe(judged);
    const [, upload] = service.asked;
    expect(upload?.call).toMatch(/suite=memory&name=acme%2Fjudged-files&visibility=unlisted/);
    const sent = service.asked.find(({ call }) => call === "POST /v1/submissions");
    expect(submissionRequestSchema.safeParse(sent?.body).success).toBe(true);
    expect(sent?.body).toEqual({
      suite: "memory",
      dataset: `${dataset.name}@${dataset.version}`,
      visibility: "unlisted",
      options: { panelRule: "majority", judge: "openai:gpt-5" },
      models: [{ name: "Answers", answers }],
    });
  });

  it("submits a panel, and prints the run as JSON or the answers to standard output", async () => {
    await using service = await aService();
    const panel = ["--judge", "a", "--judge", "b"];
    expect(JSON.parse((await judge(service.url, ...panel, "--json")).stdout)).toMatchObject({
      id: "run_2",
    });
    const sent = service.asked.find(({ call }) => call === "POST /v1/submissions");
    expect(sent?.body).toMatchObject({ options: { judges: ["a", "b"] } });
    const { stdout, stderr } = await judge(service.url, "--output", "-");
    expect(stdout).toBe(judged);
    expect(stderr).toContain("run_2");
  });

  it("sends the rubric of a file and prints each of its criteria", async () => {
    const metric = { ...suiteById("memory")!.metrics[0]!, id: "kind", label: "Kindness" };
    const judging = {
      judges: { kind: { routes: [], by: "run" as const, promptHash: "a1b2c3d4e5f6", metric } },
      stages: {},
    };
    const measured = { rubricScore: estimate, kind: estimate };
    const of = { suite: "rubric", headline: "rubricScore", judging, metrics: measured };
    await using service = await aService({ ...whole, ...of });
    const files = ["--rubric", "rubric.json", "--dataset", "queries.jsonl"];
    const args = ["judge", "rubric", ...files, "--answers", "answers.jsonl"];
    const asked = await assay(folder.path, [...args, "--server", service.url]);
    const { code, stdout, stderr } = asked;
    expect([code, stderr]).toEqual([0, "judges: simulated\n"]);
    expect(stdout).toMatch(/Kindness +\d/);
    const sent = service.asked.find(({ call }) => call === "POST /v1/submissions");
    expect(sent?.body).toMatchObject({
      options: { rubric: { criteria: [{ id: "kind", question: "Is it kind?" }] } },
    });
  });

  it("tries again while the service is unavailable", async () => {
    await using service = await aService(whole, [problemReply(503, "back soon")]);
    expect(await judge(service.url)).toMatchObject({ code: 0 });
    const tries = service.asked.filter(({ call }) => call === "POST /v1/submissions");
    const keys = tries.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it("fails if judgments are missing or the run failed", async () => {
    await using service = await aService(withCoverage(0.75));
    expect(await judge(service.url)).toMatchObject({
      code: 1,
      stderr:
        "judges: simulated\nrun_2 has no score for 25% of its answers: assay run --resume run_2 asks for missing judgments\n",
    });
    await using failing = await aService({ ...whole, status: "failed", metrics: null });
    expect(await judge(failing.url)).toMatchObject({
      code: 1,
      stderr: "judges: simulated\nrun_2 is failed\n",
    });
  });

  it.each([
    [["--judge", "a", "--judge", "a"], "--judge names a judge twice"],
    [["--options", "list.json"], "list.json: not a JSON object"],
    [["--answers", "empty.jsonl"], "empty.jsonl: no answers found"],
    [["--json", "--output", "-"], "--output - and --json both print to standard output"],
  ])("refuses %j", async (args, reason) => {
    const { code, stderr } = await judge("http://127.0.0.1:1", ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

const rescore = (url: string, ...args: string[]) =>
  assay(folder.path, ["rescore", "--server", url, ...args]);

describe("assay rescore", () => {
  it("submits stored answers to other judges and names the original run", async () => {
    await using service = await aService();
    const { code, stdout, stderr } = await rescore(service.url, "run_1", "--judge", "openai:gpt-5");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/run_2 +acme\/answers .* finished/);
    expect(stdout).toContain("run_2: the answers of run_1");
    const [sent] = service.asked;
    expect(sent).toMatchObject({
      call: "POST /v1/runs/run_1/rescore",
      body: { options: { judge: "openai:gpt-5" } },
      headers: { "idempotency-key": expect.any(String) },
    });
  });

  it("prints JSON, or only ids with --no-wait", async () => {
    await using service = await aService();
    const { stdout } = await rescore(service.url, "run_1", "--options", "options.json", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ id: "run_2", parent: "run_1" }]);
    expect(await rescore(service.url, "run_1", "--no-wait")).toMatchObject({ stdout: "sub_2\n" });
  });

  it("fails if the judges judged nothing", async () => {
    await using service = await aService(withCoverage(0));
    const { code, stdout, stderr } = await rescore(service.url, "run_1", "--judge", "a");
    expect([code, stderr]).toEqual([
      1,
      "run_2 has no score for 100% of its answers: assay run --resume run_2 asks for missing judgments\n",
    ]);
    expect(stdout).toContain("run_2: the answers of run_1");
  });

  it("names the submissions that it started before a refusal", async () => {
    const refused = problemReply(409, "it has already been scored with these options");
    await using service = await aService(whole, [started, refused]);
    expect(await rescore(service.url, "run_1", "run_3", "--judge", "a")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/already been scored.*; started before: sub_2\n$/),
    });
  });
});
