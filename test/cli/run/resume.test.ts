import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "../../../shared/contracts/run.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { type Asked, fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");
const suite = suiteById("extraction")!;
const model = aModel("acme/a-model", "a-model");
const finished = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
const running: Run = { ...finished, status: "running", metrics: null, finishedAt: null };
const failing: Run = { ...finished, progress: { total: 72, done: 72, failed: 3 } };
const folder = folderWith({});
const flags = ["--model", "a-model", "--base-url", "https://api.example.com/v1"];
const config = ["run", ...flags, "--dataset", "stock"];

let state = 0;
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", join(folder.path, `state-${state++}`));
});
afterAll(folder.dispose);

const links = { self: "/v1/runs/run_1", samples: "/v1/runs/run_1/samples", report: null };
const submission = {
  id: "sub_1",
  runs: [{ id: "run_1", model: model.slug, variant: null, status: "queued", links }],
};

/** Stand-in for a service; `reply` overrides its replies. */
const aService = (run: () => Run, reply: (asked: Asked) => Reply | undefined = () => undefined) =>
  fakeService((asked) => {
    const given = reply(asked);
    if (given !== undefined) return given;
    if (asked.call === "POST /v1/submissions") return { status: 202, body: submission };
    if (asked.call === "GET /v1/submissions/sub_1") return { body: submission };
    if (asked.call === "GET /v1/runs/run_1")
      return { body: run(), headers: { "retry-after": "1" } };
    return problemReply(404, `there is no ${asked.call}`);
  });

const submissions = (asked: readonly Asked[]) =>
  asked.filter(({ call }) => call === "POST /v1/submissions");

async function killedOnce(args: readonly string[], isDue: () => boolean) {
  const child = spawn(process.execPath, [launcher, ...args]);
  const closed = once(child, "close");
  while (!isDue()) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  await closed;
}

const notes = () => {
  const at = join(process.env["ASSAY_FOLDER"] ?? "", "cli");
  return readdirSync(at).map((name) => readFileSync(join(at, name), "utf8"));
};

describe("assay run that was killed", () => {
  it("is followed again with --resume, without a new submission", async () => {
    let now = running;
    await using service = await aService(() => now);
    const args = [...config, "--server", service.url];
    await killedOnce(args, () => service.asked.some(({ call }) => call === "GET /v1/runs/run_1"));
    now = finished;
    const { code, stdout, stderr } = await assay(folder.path, [...args, "--resume"]);
    expect([code, stderr]).toEqual([0, "resumed sub_1: run_1 is finished and complete\n"]);
    expect(stdout).toMatch(/run_1 .* finished/);
    expect(submissions(service.asked)).toHaveLength(1);
  });

  it("before the service replied sends the same submission under the same idempotency key", async () => {
    let isHeld = true;
    await using service = await aService(
      () => finished,
      ({ call }) =>
        isHeld && call === "POST /v1/submissions"
          ? { status: 503, headers: { "retry-after": "25" } }
          : undefined,
    );
    vi.stubEnv("MODEL_KEY", "sk-secret");
    const args = [...config, "--server", service.url, "--api-key-env", "MODEL_KEY"];
    await killedOnce(args, () => service.asked.length > 0);
    isHeld = false;
    expect(await assay(folder.path, ["run", "--resume", "--server", service.url])).toMatchObject({
      code: 2,
      stderr:
        "the newest run was stopped before the service confirmed it: repeat its --config or flags\n",
    });
    expect((await assay(folder.path, [...args, "--resume"])).code).toBe(0);
    const [first, second, ...more] = submissions(service.asked);
    expect(more).toEqual([]);
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(second?.body).toEqual(first?.body);
    expect(notes().join("")).not.toContain("sk-secret");
  });

  it("is mentioned when the same command runs again", async () => {
    let now = running;
    await using service = await aService(() => now);
    const args = [...config, "--server", service.url];
    await killedOnce(args, () => service.asked.some(({ call }) => call === "GET /v1/runs/run_1"));
    now = finished;
    const { stderr } = await assay(folder.path, args);
    expect(stderr).toMatch(/^an earlier run of the same, sub_1, was interrupted; /);
    expect(submissions(service.asked)).toHaveLength(2);
  });
});

describe("assay run --resume", () => {
  it("retries failed samples once with the endpoint's key", async () => {
    let now = failing;
    await using service = await aService(
      () => now,
      ({ call }) => {
        if (call !== "POST /v1/runs/run_1/retry") return undefined;
        now = finished;
        return { body: running };
      },
    );
    vi.stubEnv("MODEL_KEY", "sk-secret");
    const { code, stderr } = await assay(
      folder.path,
      `run --resume run_1 --server ${service.url} --api-key-env MODEL_KEY --fail-under eqs=0.1`,
    );
    expect([code, stderr]).toEqual([0, "resumed run_1: run_1 retries 3 failed samples\n"]);
    const retry = service.asked.find(({ call }) => call === "POST /v1/runs/run_1/retry");
    expect(retry?.body).toEqual({ endpoint: { apiKey: "sk-secret" } });
    expect(retry?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(submissions(service.asked)).toEqual([]);
  });

  it("says whose key is needed and how to provide it", async () => {
    await using service = await aService(
      () => failing,
      ({ call }) =>
        call.endsWith("/retry") ? problemReply(422, "the endpoint wants a key") : undefined,
    );
    const args = ["run", "--resume", "run_1", "--server", service.url];
    expect(await assay(folder.path, args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `run_1: ${service.url}: the endpoint wants a key; give its key with --config or --api-key-env NAME\n`,
    });
  });

  it("resumes a paused run", async () => {
    let now: Run = { ...running, status: "paused", statusReason: "maxCostUsd is reached" };
    await using service = await aService(
      () => now,
      ({ call }) => {
        if (!call.endsWith("/resume")) return undefined;
        now = finished;
        return { body: running };
      },
    );
    const { code } = await assay(folder.path, ["run", "--resume=run_1", "--server", service.url]);
    expect(code).toBe(0);
    const [resume] = service.asked.filter(({ call }) => call.endsWith("/resume"));
    expect(resume?.body).toEqual({});
  });

  it("resumes a paused run with the cost limit that the config has now", async () => {
    const paused: Run = { ...running, status: "paused", statusReason: "maxCostUsd is reached" };
    let now = paused;
    await using service = await aService(
      () => now,
      ({ call }) => {
        if (!call.endsWith("/resume")) return undefined;
        now = finished;
        return { body: running };
      },
    );
    const costly = (maxCostUsd: number) => {
      const path = join(folder.path, "assay.yaml");
      writeFileSync(
        path,
        `model: { name: a-model, base_url: "https://api.example.com/v1", prices: { input_per_million: 1, output_per_million: 1 } }
dataset: { name: stock }
performance: { max_cost_usd: ${maxCostUsd} }
`,
      );
      return ["run", "--config", path, "--server", service.url];
    };
    await killedOnce(costly(1), () =>
      service.asked.some(({ call }) => call === "GET /v1/runs/run_1"),
    );
    const { code, stderr } = await assay(folder.path, [...costly(5), "--resume"]);
    expect([code, stderr]).toEqual([0, "resumed sub_1: run_1 resumed\n"]);
    const [resume] = service.asked.filter(({ call }) => call.endsWith("/resume"));
    expect(resume?.body).toEqual({ maxCostUsd: 5 });
  });

  it.each([
    [["run", "--resume"], /^no earlier run is known here for .*: run without --resume/],
    [[...config, "--resume"], /^no earlier run of this config is known here/],
    [["run", "--resume", "run_1", "--dataset", "x"], /^--dataset cannot change on --resume/],
    [["run", "slots", "--resume", "run_1"], /^the suite slots cannot change on --resume/],
    [[...config, "--resume", "--dry-run"], /^--resume and --dry-run exclude each other/],
    [["run", "--resume", "run_2"], /there is no GET \/v1\/runs\/run_2/],
  ])("refuses %j", async (args, message) => {
    await using service = await aService(() => finished);
    const { code, stderr } = await assay(folder.path, [...args, "--server", service.url]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
