import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runningProcesses } from "../../../cli/local/processes.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");
const suite = suiteById("extraction")!;
const model = aModel("local/answer", "answer");
const finished = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
const running: Run = { ...finished, status: "running", metrics: null, finishedAt: null };

/** A program that writes its process id and answers with the text in upper case and its folder. */
const folder = folderWith({
  "answer.cjs": `
require("node:fs").writeFileSync(__dirname + "/pid", String(process.pid));
require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const { id, sample, input } = JSON.parse(text);
  const { ASSAY_API_KEY: key = null } = process.env;
  console.log(JSON.stringify({ id, text: { sample, input: input.toUpperCase(), cwd: process.cwd(), key } }));
});`,
});
afterAll(folder.dispose);
const at = (name: string) => join(folder.path, name);
const command = `exec "${process.execPath}" "${at("answer.cjs")}"`;

let state = 0;
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", at(`state-${state++}`));
});

const links = { self: "/v1/runs/run_1", samples: "/v1/runs/run_1/samples", report: null };
const submission = {
  id: "sub_1",
  runs: [{ id: "run_1", model: model.slug, variant: null, status: "queued", links }],
};

const imported = {
  suite: "extraction",
  name: "acme/data",
  version: "b".repeat(64),
  samples: 3,
  visibility: "public",
  createdAt: "2026-11-20T00:00:00Z",
  malformedCount: 0,
  warningCount: 0,
};

const fixed: Record<string, object> = {
  "POST /v1/runs/run_1/pause": running,
  "GET /v1/runs/run_2": { ...finished, id: "run_2", variant: { prompt: "long" } },
  "GET /v1/submissions/sub_1": submission,
  "GET /v1/submissions/sub_1/sweep": { models: [{ model, verdict: "short is best" }] },
  "GET /v1/datasets": { datasets: [imported], nextCursor: null },
};

/** Stand-in for a service: once `asks` is true, it calls the submitted endpoint and then finishes the run. */
async function aService(asks = () => true, ended: Run = finished, others: readonly string[] = []) {
  const answers: string[] = [];
  let call: (() => Promise<void>) | null = null;
  const service = await fakeService(({ call: what, body }) => {
    if (what === "POST /v1/submissions") {
      const { models } = submissionRequestSchema.parse(body);
      const { baseUrl, apiKey } = models[0]?.endpoint ?? {};
      call = async () => {
        const sample = { id: "s1", repeat: 0, input: "text" };
        const response = await fetch(`${baseUrl}/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({ model: "m", messages: [], sample }),
        });
        const reply = (await response.json()) as { choices: { message: { content: string } }[] };
        answers.push(reply.choices[0]?.message.content ?? "");
      };
      const more = others.map((id) => ({ ...submission.runs[0], id }));
      return { status: 202, body: { ...submission, runs: [...submission.runs, ...more] } };
    }
    const known = fixed[what.split("?")[0]!];
    if (known !== undefined) return { body: known };
    if (what === "GET /v1/runs/run_1") {
      if (call !== null && asks()) {
        void call();
        call = null;
      }
      return { body: answers.length > 0 ? ended : running, headers: { "retry-after": "1" } };
    }
    return problemReply(404, `there is no ${what}`);
  });
  return Object.assign(service, { answers });
}

describe("assay run --exec", () => {
  it("lets the service call the program without passing it the service's key", async () => {
    vi.stubEnv("ASSAY_API_KEY", "k".repeat(20));
    await using service = await aService();
    const args = ["run", "--exec", command, "--dataset", "stock", "--server", service.url];
    const { code, stdout } = await assay(folder.path, [...args, "--model", "answer"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/run_1 +local\/answer .* finished/)]);
    const [asked] = service.asked.filter((one) => one.call === "POST /v1/submissions");
    expect(asked?.body).toMatchObject({
      models: [
        {
          name: "answer",
          endpoint: {
            baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{12}\/v1$/),
            apiKey: expect.stringMatching(/^[0-9a-f]{64}$/),
            protocol: "chat_completions",
            relay: "program",
          },
        },
      ],
      options: { concurrency: 4 },
    });
    expect(JSON.stringify(asked?.body)).not.toContain("answer.cjs");
    expect(service.answers.map((text) => JSON.parse(text))).toEqual([
      { sample: "s1", input: "TEXT", cwd: process.cwd(), key: null },
    ]);
    await expect.poll(() => runningProcesses(Number(readFileSync(at("pid"), "utf8")))).toEqual([]);
  });

  it("runs programs of a config in its folder, with prompt variants", async () => {
    mkdirSync(at("evals"));
    writeFileSync(
      at("evals/assay.yaml"),
      `suite: extraction
models:
  - { name: answer, exec: '${command}', processes: 1, temperature: 0.5 }
  - { name: other, http: pipeline.yaml, temperature: 0.5 }
dataset: { name: stock }
variants:
  short: { system: Be brief. }
  long: { system: "Say much.", user: "{text}" }
`,
    );
    writeFileSync(
      at("evals/pipeline.yaml"),
      "url: http://127.0.0.1:9/{{input}}\nbody: { stop: null }\n",
    );
    const ended = { ...finished, variant: { prompt: "short" } };
    await using service = await aService(undefined, ended, ["run_2"]);
    const args = ["run", "--config", at("evals/assay.yaml"), "--server", service.url];
    const { code, stdout } = await assay(folder.path, [...args, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      verdicts: [{ model: model.slug, verdict: "short is best" }],
      runs: [{ id: "run_1", variant: { prompt: "short" } }, { id: "run_2" }],
    });
    await using alone = await aService(undefined, ended);
    const single = await assay(folder.path, [...args.slice(0, -1), alone.url, "--json"]);
    expect(JSON.parse(single.stdout)).not.toHaveProperty("verdicts");
    const [asked] = service.asked.filter((one) => one.call === "POST /v1/submissions");
    expect(asked?.body).toMatchObject({
      models: [{ endpoint: { relay: "program" } }, { endpoint: { relay: "http" } }],
      options: {
        concurrency: 2,
        temperature: 0.5,
        prompts: {
          short: { systemPrompt: "Be brief." },
          long: { systemPrompt: "Say much.", userPrompt: "{text}" },
        },
      },
    });
    expect(JSON.parse(service.answers[0] ?? "")).toMatchObject({ cwd: at("evals") });
  });

  it("ends the program and pauses the run on SIGINT; --resume continues it", async () => {
    let asks = false;
    await using service = await aService(() => asks);
    // The service stores the dataset under another name, which the submission contains.
    const args = ["run", "--exec", command, "--dataset", "hf:acme/data", "--server", service.url];
    const child = spawn(process.execPath, [launcher, ...args]);
    const closed = once(child, "close");
    await expect
      .poll(() => service.asked.some(({ call }) => call === "GET /v1/runs/run_1"), {
        timeout: 20_000,
      })
      .toBe(true);
    const pid = Number(readFileSync(at("pid"), "utf8"));
    expect(runningProcesses(pid)).toHaveLength(1);
    child.kill("SIGINT");
    expect((await closed)[1]).toBe("SIGINT");
    await expect.poll(() => runningProcesses(pid)).toEqual([]);
    expect(service.asked.map(({ call }) => call)).toContain("POST /v1/runs/run_1/pause");

    const without = await assay(folder.path, ["run", "--resume", "--server", service.url]);
    expect(without).toMatchObject({
      code: 2,
      stderr: "the run asks a program of this machine: repeat its --config or flags\n",
    });
    asks = true;
    const { code, stderr } = await assay(folder.path, [...args, "--resume"]);
    expect([code, stderr]).toEqual([0, "resumed sub_1: run_1 is active\n"]);
    expect(service.answers).toHaveLength(1);
    const other = await assay(folder.path, [
      ...args.slice(0, 2),
      "exec cat",
      ...args.slice(3),
      "--resume",
      "sub_1",
    ]);
    expect(other.stderr).toMatch(/^sub_1 is no submission with these programs/);
  });

  const exec = ["run", "--exec", command, "--dataset", "stock"];
  it.each([
    [
      [...exec, "--no-wait"],
      /^--no-wait: a program \(exec\) or template \(http\) is asked by this/,
    ],
    [
      [...exec, "--server", "https://a.example"],
      /, but --server https:\/\/a\.example is elsewhere: leave it out, and publish/,
    ],
    [[...exec, "--base-url", "http://a.example"], /^--base-url is of an endpoint/],
    [[...exec, "--model", "a", "--model", "b"], /^there are 2 names \(--model\) for 1 of/],
    [["run", "--processes", "2", "--model", "a"], /^--processes needs --exec/],
    [[...exec, "--processes", "0"], /^--processes must be a whole number from 1 to 200/],
    [["run", "--http", "no-such.yaml", "--dataset", "stock"], /^no-such\.yaml: /],
    [
      ["run", "--exec", "no-such-program", "--dataset", "stock"],
      /^no-such-program ended with code 127; standard error ends with: .*not found \(before it received a line\)/,
    ],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await assay(folder.path, args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it.each([
    [401, "Bearer key-1"],
    [200, undefined],
  ])("sends the key to a named service only if it requires one: %i", async (status, key) => {
    vi.stubEnv("ASSAY_API_KEY", "key-1");
    await using service = await fakeService(() => ({ status }));
    await assay(folder.path, [...exec, "--server", service.url]);
    vi.stubEnv("ASSAY_URL", service.url);
    await assay(folder.path, exec);
    const keys = service.asked.map(({ headers }) => headers.authorization);
    expect(keys).toEqual([undefined, key, undefined, key]);
  });

  it("refuses a remote ASSAY_URL; other commands refuse programs", async () => {
    vi.stubEnv("ASSAY_URL", "https://a.example");
    expect((await assay(folder.path, exec)).stderr).toMatch(
      /but ASSAY_URL https:\/\/a\.example is elsewhere/,
    );
    const file = at("program.yaml");
    writeFileSync(file, `model: { name: a, exec: cat }\ndataset: { name: stock }\n`);
    const scheduled = ["schedule", "create", "--config", file, "--every-hours", "24"];
    expect((await assay(folder.path, scheduled)).stderr).toMatch(/^a schedule needs an endpoint/);
    const tested = await assay(folder.path, ["test-connection", "--config", file]);
    expect(tested.stderr).toMatch(/a is a program or template, not an endpoint/);
  });
});
