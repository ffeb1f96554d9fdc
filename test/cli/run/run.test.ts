import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { estimateText } from "../../../cli/run/estimate.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { assay } from "../support/assay.ts";
import { problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { aService, estimateFor, finished, flags } from "../support/run-service.ts";

const folder = folderWith({});

afterAll(folder.dispose);
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", at("state"));
});

const at = (name: string) => join(folder.path, name);

describe("assay run", () => {
  it("submits a run from flags and prints its results with intervals", async () => {
    await using service = await aService();
    vi.stubEnv("MODEL_KEY", "sk-1");
    const { code, stdout, stderr } = await assay(folder.path, [
      "run",
      "extraction",
      ...flags,
      "--server",
      service.url,
      "--api-key-env",
      "MODEL_KEY",
      "--sample",
      "20",
      "--seed",
      "42",
      "--concurrency",
      "4",
      "--mode",
      "batch",
      "--visibility",
      "unlisted",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /run_1 +acme\/a-model .* finished .* EQS +0\.\d{3} +0\.\d{3} – 0\.\d{3}/,
    );
    const [asked] = service.asked;
    expect(asked?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(submissionRequestSchema.parse(asked?.body)).toMatchObject({
      suite: "extraction",
      dataset: "stock",
      visibility: "unlisted",
      models: [
        {
          name: "a-model",
          endpoint: { baseUrl: "https://api.example.com/v1", model: "a-model", apiKey: "sk-1" },
        },
      ],
      options: { sample: { n: 20, seed: 42 }, concurrency: 4, mode: "batch" },
    });
  });

  it("sends keys and headers from the file and the environment without printing them", async () => {
    await using service = await aService();
    vi.stubEnv("TEAM_TOKEN", "t-secret");
    writeFileSync(
      at("secrets.yaml"),
      `models:
  - { name: One, base_url: "https://a.example/v1", api_key: sk-a-secret, headers: { X-Team: "team $TEAM_TOKEN" } }
  - name: Two
    hybrid:
      local: { base_url: "http://localhost:1/v1", model: small }
      cloud: { provider: openai, model: large, api_key: "\${TEAM_TOKEN}" }
      confidence_threshold: 0.8
suite: tools
dataset: { name: stock }
`,
    );
    const { stdout, stderr } = await assay(
      folder.path,
      `run --config ${at("secrets.yaml")} --server ${service.url} --no-wait`,
    );
    expect(stderr).toContain(
      "secrets.yaml:2: warning: models[0].api_key: a key in the file is used",
    );
    expect(stdout + stderr).not.toMatch(/a-secret|t-secret/);
    const asked = service.asked.find(({ call }) => call === "POST /v1/submissions");
    expect(submissionRequestSchema.parse(asked?.body).models).toMatchObject([
      { endpoint: { apiKey: "sk-a-secret", headers: { "X-Team": "team t-secret" } } },
      {
        hybrid: {
          local: { baseUrl: "http://localhost:1/v1", model: "small" },
          cloud: { baseUrl: "https://api.openai.com/v1", model: "large", apiKey: "t-secret" },
          confidenceThreshold: 0.8,
        },
      },
    ]);
    const notes = readdirSync(at("state"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFileSync(join(at("state"), name), "utf8"));
    expect(notes.join()).not.toMatch(/a-secret|t-secret/);
    expect(notes.length).toBeGreaterThan(0);
  });

  it("evaluates each model in --models once", async () => {
    await using service = await aService();
    const args = ["--models", "a-model, b,a-model", "--base-url", "https://api.example.com/v1"];
    const more = ["--dataset", "stock", "--server", service.url, "--no-wait"];
    await assay(folder.path, ["run", ...args, ...more]);
    const asked = service.asked.find(({ call }) => call === "POST /v1/submissions");
    const { models } = submissionRequestSchema.parse(asked?.body);
    expect(models.map(({ name }) => name)).toEqual(["a-model", "b"]);
  });

  it("gives flags precedence over the environment and the environment over the file", async () => {
    await using service = await aService();
    vi.stubEnv("ASSAY_DATASET", "receipts");
    vi.stubEnv("ASSAY_CONCURRENCY", "7");
    writeFileSync(
      at("order.yaml"),
      `models:
  - { name: One, model: one, base_url: "https://a.example/v1", license: MIT, timeout: 5, temperature: null }
dataset: { name: stock, sample_size: 9 }
prompts: { system: Extract. }
metrics:
  weights: { validity: 0.25, partial_f1: 0.25, type_accuracy: 0.25, no_hallucination: 0.25 }
  field_matching: { case_sensitive: true }
  exact_match: { case_sensitive: false }
performance: { num_workers: 2 }
options: { repeats: 2 }
`,
    );
    const args = ["run", "--config", at("order.yaml"), "--server", service.url];
    await assay(folder.path, [...args, "--concurrency", "3"]);
    await assay(folder.path, [...args, "--model", "two", "--model", "three"]);
    const [first, second] = service.asked
      .filter(({ call }) => call === "POST /v1/submissions")
      .map(({ body }) => body as never);
    expect(first).toEqual({
      suite: "extraction",
      dataset: "receipts",
      models: [
        {
          name: "One",
          license: "MIT",
          endpoint: { baseUrl: "https://a.example/v1", model: "one" },
        },
      ],
      options: {
        temperature: null,
        timeoutMs: 5000,
        systemPrompt: "Extract.",
        repeats: 2,
        weights: { validity: 0.25, partialF1: 0.25, typeAccuracy: 0.25, noHallucination: 0.25 },
        fieldCaseSensitive: true,
        caseSensitive: false,
        concurrency: 3,
        sample: { n: 9 },
      },
    });
    expect(second).toMatchObject({
      models: ["two", "three"].map((name) => ({
        name,
        endpoint: { baseUrl: "https://a.example/v1", model: name },
      })),
      options: { concurrency: 7, timeoutMs: 5000 },
    });
  });

  it("repeats a failed request under the same idempotency key", async () => {
    await using service = await aService(finished, [
      { ...problemReply(500, "something broke"), headers: { "retry-after": "0" } },
    ]);
    const { code } = await assay(folder.path, ["run", ...flags, "--server", service.url]);
    const keys = service.asked
      .filter(({ call }) => call === "POST /v1/submissions")
      .map(({ headers }) => headers["idempotency-key"]);
    expect([code, keys.length, new Set(keys).size]).toEqual([0, 2, 1]);
  });

  it("redacts an endpoint's key that the service quotes", async () => {
    vi.stubEnv("MODEL_KEY", "sk-secret");
    await using service = await aService(finished, [problemReply(422, 'no "sk-secret" here')]);
    const { code, stderr } = await assay(folder.path, [
      "run",
      ...flags,
      "--server",
      service.url,
      "--api-key-env",
      "MODEL_KEY",
    ]);
    expect([code, stderr]).toEqual([2, `${service.url}: no "[redacted]" here\n`]);
  });
});

describe("assay run with failed requests", () => {
  const unanswered: Run = {
    ...finished,
    progress: { total: 5, done: 5, failed: 5 },
    points: {
      answers: 5,
      points: [],
      latency: [],
      picks: [],
      failures: [{ class: "network", count: 5, id: "a", message: "the connection failed" }],
    },
  };

  it("exits with 1 if every request failed, and prints the reason and advice", async () => {
    await using service = await aService(unanswered);
    const args = ["run", ...flags, "--server", service.url, "--junit", at("unanswered.xml")];
    const { code, stdout, stderr } = await assay(folder.path, args);
    expect(code).toBe(1);
    expect(stderr).toBe("run_1 (acme/a-model) has no answer: every request failed\n");
    expect(stdout).toContain(
      "run_1: 5 of 5 requests failed: network (the connection failed)\n    → Check the endpoint's address",
    );
    expect(stdout).toMatch(/run_1 .* finished, nothing answered +5\/5 +5 +EQS +–$/m);
    expect(readFileSync(at("unanswered.xml"), "utf8")).toContain(
      "run_1 has no answer: every request failed: 5 of 5 requests failed: network",
    );
  });

  const covering = (coverage: number, run: Run): Run => ({
    ...run,
    metrics: { ...run.metrics, eqs: { ...run.metrics!["eqs"]!, coverage } },
  });

  it("exits with 1 if coverage is below 95%, and suggests --resume", async () => {
    const progress = { total: 6, done: 6, failed: 5 };
    await using service = await aService(covering(1 / 6, { ...unanswered, progress }));
    const args = ["run", ...flags, "--server", service.url, "--junit", at("thin.xml")];
    const { code, stdout, stderr } = await assay(folder.path, args);
    expect(code).toBe(1);
    expect(stdout).toContain("run_1: 5 of 6 requests failed: network");
    const why =
      "coverage 16.7% is below 95%: assay run --resume run_1 asks only the failed ones again";
    expect(stderr).toBe(`run_1 (acme/a-model): ${why}\n`);
    expect(readFileSync(at("thin.xml"), "utf8")).toContain(
      `<failure message="run_1: ${why}" type="coverage">`,
    );
  });

  it("exits with 0 if at most 5% of the requests failed", async () => {
    const progress = { total: 72, done: 72, failed: 3 };
    await using service = await aService(covering(69 / 72, { ...finished, progress }));
    const args = ["run", ...flags, "--server", service.url, "--json"];
    const { code, stdout } = await assay(folder.path, args);
    expect([code, JSON.parse(stdout).passed]).toEqual([0, true]);
  });
});

describe("the output of assay run", () => {
  it("is one folder per run", async () => {
    await using service = await aService();
    const args = ["run", ...flags, "--server", service.url, "--output", at("results")];
    expect((await assay(folder.path, args)).code).toBe(0);
    expect(readdirSync(at("results/run_1")).sort()).toEqual(["run.json", "samples.jsonl"]);
    expect(JSON.parse(readFileSync(at("results/run_1/run.json"), "utf8"))).toMatchObject({
      id: "run_1",
    });
    expect(readFileSync(at("results/run_1/samples.jsonl"), "utf8")).toBe('{"id":"a"}\n');
  });

  it.each([
    ["html", "report.html", /^<!doctype html>.*A model/is],
    ["markdown", "report.md", /^# A report\n$/],
    ["json", "report.json", /^\{"run":\{"id":"run_1"/],
  ])(
    "has answers and a %s report if the config asks for them",
    async (format, name, text) => {
      await using service = await aService();
      const wanted = `save_predictions: true, save_per_sample: false, generate_report: true`;
      writeFileSync(at("output.yaml"), `output: { ${wanted}, report_format: ${format} }\n`);
      const args = ["run", ...flags, "--server", service.url, "--config", at("output.yaml")];
      const folder = `as-${format}`;
      const { code, stderr } = await assay(at(""), [...args, "--output", at(folder)]);
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/^report of acme\/a-model: \S+\n$/),
      ]);
      expect(stderr).toContain(`${folder}/run_1/${name}\n`);
      const own = at(`${folder}/run_1`);
      expect(readdirSync(own).sort()).toEqual(["answers.jsonl", name, "run.json"]);
      expect(readFileSync(join(own, "answers.jsonl"), "utf8")).toBe('{"id":"b"}\n');
      expect(readFileSync(join(own, name), "utf8")).toMatch(text);
    },
    60_000,
  );

  it("is only run.json for an unfinished run", async () => {
    await using service = await aService({ ...finished, status: "cancelled", metrics: null });
    const args = ["run", ...flags, "--server", service.url, "--output", at("cancelled")];
    expect((await assay(folder.path, args)).code).toBe(1);
    expect(readdirSync(at("cancelled/run_1"))).toEqual(["run.json"]);
  });

  it("is nothing if the service refuses", async () => {
    await using service = await aService(finished, [
      problemReply(422, "there is no dataset stock"),
    ]);
    const args = ["run", ...flags, "--server", service.url, "--junit", at("refused.xml")];
    const { code, stderr } = await assay(folder.path, args);
    expect([code, stderr]).toEqual([2, `${service.url}: there is no dataset stock\n`]);
    expect(existsSync(at("refused.xml")) || existsSync(at("refused.xml.part"))).toBe(false);
  });

  it("is checked before anything is submitted", async () => {
    await using service = await aService();
    writeFileSync(at("file"), "");
    const run = (...more: string[]) =>
      assay(folder.path, ["run", ...flags, "--server", service.url, ...more]);
    expect(await run("--output", at("file"))).toMatchObject({
      code: 2,
      stderr: "file: it is a file, not a folder\n",
    });
    expect(await run("--junit", at("none/out.xml"))).toMatchObject({ code: 2 });
    expect(service.asked).toEqual([]);
  });
});

describe("assay run without waiting", () => {
  it("prints ids with --no-wait", async () => {
    await using service = await aService();
    const args = ["run", ...flags, "--server", service.url, "--no-wait"];
    expect(await assay(folder.path, args)).toEqual({
      code: 0,
      stderr: "",
      stdout: "sub_1\nrun_1\nassay status sub_1 --wait follows it\n",
    });
    expect(service.asked).toHaveLength(1);
  });

  it("prints an estimate with --dry-run", async () => {
    await using service = await aService();
    const args = ["run", ...flags, "--server", service.url, "--dry-run"];
    const { code, stdout } = await assay(folder.path, args);
    expect(code).toBe(0);
    expect(stdout).toContain("extraction on stock: nothing was submitted; estimate");
    expect(stdout).toMatch(/acme\/a-model +72 +72 +9,000 +– +12 +\$0\.50/);
    expect(stdout).toContain("cost in batches");
    expect(service.asked.map(({ call }) => call)).toEqual(["POST /v1/submissions?dryRun=true"]);
  });

  it("names each variant in the estimate", () => {
    const { models, ...rest } = estimateFor(finished);
    const variants = ["short", "long"].map((prompt) => ({ ...models[0]!, variant: { prompt } }));
    expect(estimateText({ ...rest, models: variants } as never)).toMatch(
      /, prompt short +72 .*, prompt long +72 /s,
    );
  });
});
