import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { type Asked, fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const suite = suiteById("extraction")!;
const model = { ...aModel("local/a-model", "a-model"), license: "MIT" };
const made = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
const options = { temperature: 0, concurrency: 4, maxRetries: 3, timeoutMs: 60_000, maxCostUsd: 2 };
const prices = { inputPerMillion: 100, outputPerMillion: 200 };
const run = { ...made, options, prices, promptHash: "a".repeat(64) };
const { version } = run.dataset;
const folder = folderWith({});
const answers = ['{"id":"a","output":"{}","latencyMs":12.5}', '{"id":"b","error":"timeout"}'];

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "ak-secret");
  vi.stubEnv("ASSAY_URL", "https://elsewhere.example");
  vi.stubEnv("ASSAY_FOLDER", join(folder.path, "state"));
});
afterAll(folder.dispose);

const dataset = (name: string, datasetVersion = version) => ({
  suite: "extraction",
  name,
  version: datasetVersion,
  samples: 2,
  malformed: [],
  warnings: [],
  malformedCount: 0,
  warningCount: 0,
  visibility: "public",
  createdAt: "2026-11-20T09:30:00.000Z",
});
const submission = (id: string) => {
  const links = { self: `/v1/runs/run_${id}`, samples: "x", report: null };
  const runs = [{ id: `run_${id}`, model: model.slug, variant: null, status: "queued", links }];
  return { status: 202, body: { id: `sub_${id}`, runs } };
};
const datasets = "GET /v1/datasets?suite=extraction";

/** The local service and the one that is published to; `instead` overrides replies of the latter. */
async function services(instead: Record<string, Reply>) {
  const here = await fakeService(({ call }) => {
    if (call.split("&")[0] === datasets) return { body: { datasets: [dataset(run.dataset.name)] } };
    if (call === "POST /v1/submissions") return submission("1");
    if (call === "GET /v1/runs/run_1") return { body: run };
    if (call === "GET /v1/runs/run_1/answers.jsonl") return { body: `${answers.join("\n")}\n` };
    if (call.startsWith("GET /v1/dataset.jsonl?")) return { body: '{"id":"a"}\n{"id":"b"}\n' };
    return problemReply(404, `there is no ${call}`);
  });
  const there = await fakeService(({ call }) => {
    const reply = instead[call.split("&")[0]!];
    if (reply !== undefined) return reply;
    if (call.split("&")[0] === datasets)
      return { body: { datasets: [dataset("other"), dataset("theirs")] } };
    if (call === "GET /v1/usage") return { body: { owner: "acme" } };
    if (call === "POST /v1/submissions") return submission("2");
    if (call === "GET /v1/runs/run_2") return { body: { ...run, id: "run_2" } };
    return problemReply(404, `there is no ${call}`);
  });
  const args = ["--base-url", "http://localhost:11434/v1", "--dataset", run.dataset.name];
  const push = (...more: string[]) =>
    assay(folder.path, [
      "run",
      "--model",
      "a-model",
      ...args,
      "--server",
      here.url,
      "--push",
      there.url,
      ...more,
    ]);
  const dispose = async () => {
    await Promise.all([here.dispose(), there.dispose()]);
  };
  return { here, there, push, [Symbol.asyncDispose]: dispose };
}

const submitted = (asked: readonly Asked[]) =>
  asked.filter(({ call }) => call === "POST /v1/submissions");

describe("assay run --push", () => {
  it("publishes the unchanged answers on the dataset with the same content", async () => {
    await using both = await services({});
    const { code, stdout, stderr } = await both.push("--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      submission: "sub_1",
      passed: true,
      runs: [{ id: "run_1" }],
      pushed: [{ from: "run_1", run: { id: "run_2" } }],
    });
    const [sent, ...more] = submitted(both.there.asked);
    expect(more).toEqual([]);
    expect(submissionRequestSchema.safeParse(sent?.body).success).toBe(true);
    expect(sent?.body).toEqual({
      suite: "extraction",
      dataset: `other@${version}`,
      visibility: "unlisted",
      options: { temperature: 0 },
      models: [
        {
          name: "a-model",
          license: "MIT",
          promptHash: "a".repeat(64),
          prices,
          answers: answers.map((line) => JSON.parse(line)),
        },
      ],
    });
    expect(sent?.headers).toMatchObject({
      authorization: "Bearer ak-secret",
      "idempotency-key": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(both.here.asked.some(({ headers }) => "authorization" in headers)).toBe(false);
  });

  it("publishes a run with the same idempotency key at every attempt", async () => {
    await using both = await services({});
    await both.push();
    const again = await assay(
      folder.path,
      `run --resume run_1 --server ${both.here.url} --push ${both.there.url}`,
    );
    expect(again.stdout).toContain("run_2 has the answers of run_1");
    const keys = submitted(both.there.asked).map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it("submits nothing if the remote dataset is missing, unless --push-dataset uploads it", async () => {
    const name = `acme/${run.dataset.name}`;
    const uploaded = dataset(name);
    await using both = await services({
      [datasets]: { body: { datasets: [] } },
      "POST /v1/datasets?suite=extraction": { status: 201, body: uploaded },
    });
    const refused = await both.push();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/has no dataset with the samples of .* add --push-dataset/);
    expect(submitted(both.here.asked)).toEqual([]);
    const { code, stderr } = await both.push("--push-dataset");
    expect([code, stderr]).toEqual([
      0,
      `uploaded the dataset ${name} to ${both.there.url}, public\n`,
    ]);
    const upload = both.there.asked.find(({ call }) => call.startsWith("POST /v1/datasets"));
    expect(upload?.call).toContain(`name=${encodeURIComponent(name)}&visibility=unlisted`);
    expect(upload?.body).toBe('{"id":"a"}\n{"id":"b"}\n');
    expect(submitted(both.there.asked)[0]?.body).toMatchObject({
      dataset: `${name}@${version}`,
      visibility: "unlisted",
    });
  });

  it("passes on why the remote service refuses, and redacts the key", async () => {
    await using both = await services({
      "POST /v1/submissions": problemReply(401, "the key ak-secret has expired"),
    });
    const { code, stderr } = await both.push();
    expect(code).toBe(2);
    expect(stderr).toBe(
      `${both.there.url}: the key [redacted] has expired; set ASSAY_API_KEY to a key with the scope submit, or unset it for a service that requires none\n`,
    );
  });

  it.each([
    [["--push", "here"], /^--push must be the address of a service without a path/],
    [["--push", "http://assay.example"], /^ASSAY_API_KEY could be read in transit to/],
    [["--push-dataset"], /^--push-dataset needs --push URL/],
    [
      ["--push", "https://assay.example", "--server", "https://other.example"],
      /^--push evaluates on this machine, but --server/,
    ],
    [
      ["--push", "https://assay.example", "--no-wait"],
      /^--push needs the results; --no-wait does not wait for/,
    ],
  ])("refuses %j", async (args, message) => {
    const flags = ["--model", "m", "--base-url", "http://localhost:1/v1", "--dataset", "stock"];
    const { code, stderr } = await assay(folder.path, ["run", ...flags, ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
