import { beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const schedule = {
  id: "sched_1",
  owner: "acme",
  note: "weekly",
  suite: "extraction",
  dataset: "stock",
  model: { name: "llama3.1", slug: "acme/llama3.1" },
  endpointHost: "api.example.com",
  stream: null,
  options: {},
  visibility: "public",
  cron: "0 6 * * 1",
  everyHours: null,
  status: "active",
  statusReason: null,
  nextAt: "2026-11-23T06:04:00.000Z",
  failures: 0,
  lastRun: { id: "run_3", status: "finished", isUnanswered: true },
  createdAt: "2026-11-01T00:00:00Z",
};
const aRun = {
  statusReason: null,
  createdAt: "2026-11-16T06:04:00Z",
  status: "finished",
  isUnanswered: false,
  metric: "eqs",
  drift: null,
};
const detail = {
  ...schedule,
  runs: [
    {
      ...aRun,
      id: "run_3",
      headline: null,
      isUnanswered: true,
      finishedAt: "2026-11-23T06:05:00Z",
    },
    {
      ...aRun,
      id: "run_2",
      headline: 0.81,
      finishedAt: "2026-11-16T06:09:00Z",
      drift: { eValue: 61.25, isFlagged: true, difference: -0.062 },
    },
    {
      ...aRun,
      id: "run_1",
      headline: 0.872,
      finishedAt: "2026-11-09T06:09:00Z",
      drift: { eValue: 0, isFlagged: false, difference: null },
    },
  ],
  log: [
    { at: "2026-11-16T06:10:00Z", kind: "finished", detail: "", run: "run_2" },
    { at: "2026-11-16T06:04:00Z", kind: "started", detail: "", run: "run_2" },
  ],
};

const schedules = () =>
  fakeService(({ call }) => {
    if (call === "GET /v1/schedules?limit=200") return { body: { schedules: [schedule] } };
    if (call.startsWith("DELETE")) return { status: 204, body: "" };
    if (call.endsWith("/run-now")) return problemReply(409, "no run was started: one is active");
    return { status: call.startsWith("POST") ? 201 : 200, body: detail };
  });

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "key");
  vi.stubEnv("MODEL_KEY", "sk-of-the-endpoint");
});

const model = ["--model", "llama3.1", "--base-url", "https://api.example.com/v1"];
const create = ["schedule", "create", "extraction", ...model, "--dataset", "stock"];

it("assay schedule create sends the model, its key and the cron expression, and prints no key", async () => {
  await using service = await schedules();
  const { code, stdout, stderr } = await assay("/none", [
    ...create,
    "--api-key-env",
    "MODEL_KEY",
    "--sample",
    "20",
    "--cron",
    "0 6 * * 1",
    "--note",
    "weekly",
    "--server",
    service.url,
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(service.asked[0]?.body).toMatchObject({
    suite: "extraction",
    dataset: "stock",
    cron: "0 6 * * 1",
    note: "weekly",
    model: { name: "llama3.1", endpoint: { model: "llama3.1", apiKey: "sk-of-the-endpoint" } },
    options: { sample: { n: 20 } },
  });
  expect(stdout).not.toContain("sk-of");
});

it("assay schedule create refuses a file and says how to import it", async () => {
  const folder = folderWith({ "rows.jsonl": [{ id: "a" }] });
  const given = ["--dataset", "rows.jsonl", "--every-hours", "24"];
  const base = ["schedule", "create", "--model", "m", "--base-url", "http://a.example/v1"];
  const { code, stderr } = await assay(folder.path, [...base, ...given]);
  folder.dispose();
  expect([code, stderr]).toEqual([
    2,
    "a schedule evaluates a dataset of the service: assay dataset import rows.jsonl --name NAME stores it there\n",
  ]);
});

it("assay schedule create sends a stream with its authorization, and prints neither authorization nor query", async () => {
  vi.stubEnv("LOGS_AUTHORIZATION", "Bearer sk-of-the-logs");
  const stream = {
    url: "https://logs.example.com/day.jsonl",
    samplesPerVersion: 200,
    anchor: 20,
    keepVersions: 30,
    visibility: "unlisted",
  };
  await using service = await fakeService(() => ({ status: 201, body: { ...detail, stream } }));
  const given = `--stream ${stream.url}?sig=secret --stream-sample 200 --stream-anchor 20 --stream-authorization-env LOGS_AUTHORIZATION`;
  const args = [...create, "--every-hours", "24", "--server", service.url, ...given.split(" ")];
  const { code, stdout } = await assay("/none", args);
  expect(code).toBe(0);
  expect(service.asked[0]?.body).toMatchObject({
    everyHours: 24,
    stream: {
      url: `${stream.url}?sig=secret`,
      samplesPerVersion: 200,
      anchor: 20,
      authorization: "Bearer sk-of-the-logs",
      visibility: "unlisted",
    },
  });
  expect(stdout).toContain(
    "draws      200 new samples from https://logs.example.com/day.jsonl, with an anchor of 20; keeps 30 versions",
  );
  expect(stdout).not.toMatch(/sk-of|sig=/);
});

it("assay schedule create accepts --stream-ratings-of instead of an address", async () => {
  const stream = {
    ratingsOf: "acme/requests",
    samplesPerVersion: 50,
    anchor: 50,
    keepVersions: 30,
  };
  const body = { ...detail, stream: { ...stream, visibility: "unlisted" } };
  await using service = await fakeService(() => ({ status: 201, body }));
  const args = [...create, "--every-hours", "24", "--server", service.url];
  const given = ["--stream-ratings-of", "acme/requests"];
  const { stdout } = await assay("/none", [...args, ...given, "--stream-sample", "50"]);
  expect(service.asked[0]?.body).toMatchObject({
    stream: { ratingsOf: "acme/requests", samplesPerVersion: 50 },
  });
  expect(stdout).toContain("draws      50 new samples from ratings of acme/requests, with");
  const without = await assay("/none", [...args, ...given]);
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining("a stream needs --stream-sample N"),
  ]);
  const alone = await assay("/none", [...args, "--stream-sample", "50"]);
  expect(alone.stderr).toContain("applies only with --stream URL or --stream-ratings-of DATASET");
});

it("assay schedule show prints the schedule, its runs and its log", async () => {
  await using service = await schedules();
  const { stdout } = await assay("/none", ["schedule", "show", "sched_1", "--server", service.url]);
  expect(stdout).toBe(`schedule   sched_1
model      llama3.1 (acme/llama3.1) at api.example.com
evaluates  extraction, dataset stock
runs       0 6 * * 1, UTC
status     active
next       2026-11-23 06:04
note       weekly

run    finished (UTC)    status                      headline  difference  e-value  drift
run_3  2026-11-23 06:05  finished, nothing answered         –           –        –
run_2  2026-11-16 06:09  finished                       0.810      -0.062     61.3  flagged
run_1  2026-11-09 06:09  finished                       0.872           –      0.0

log (UTC)         what      run    why
2026-11-16 06:10  finished  run_2
2026-11-16 06:04  started   run_2
`);
});

it("assay schedule list, pause, resume and delete print the result", async () => {
  await using service = await schedules();
  const at = ["--server", service.url];
  const list = await assay("/none", ["schedule", "list", ...at]);
  expect(list.stdout).toMatch(/^id +model +suite +dataset +runs +status +next \(UTC\) +last run\n/);
  expect(list.stdout).toContain("sched_1  acme/llama3.1  extraction  stock    0 6 * * 1  active");
  expect(list.stdout).toMatch(/ finished, nothing answered$/m);
  for (const action of ["pause", "resume"]) {
    const { stdout } = await assay("/none", ["schedule", action, "sched_1", ...at]);
    expect(stdout).toContain("status     active");
  }
  const deleted = await assay("/none", ["schedule", "delete", "sched_1", ...at]);
  expect(deleted).toEqual({ code: 0, stdout: "sched_1 deleted\n", stderr: "" });
  const calls = service.asked.map(({ call }) => call);
  expect(calls.slice(1)).toEqual([
    "POST /v1/schedules/sched_1/pause",
    "POST /v1/schedules/sched_1/resume",
    "DELETE /v1/schedules/sched_1",
  ]);
});

it("assay schedule run-now passes on why no run was started", async () => {
  await using service = await schedules();
  const args = ["schedule", "run-now", "sched_1", "--server", service.url];
  const { code, stderr } = await assay("/none", args);
  expect([code, stderr]).toEqual([2, `${service.url}: no run was started: one is active\n`]);
});

it.each([
  [[...create], "give either --every-hours N or --cron EXPRESSION"],
  [[...create, "--every-hours", "1.5"], '--every-hours must be a whole number from 1, not "1.5"'],
  [
    [...create, "--every-hours", "2", "--cron", "0 6 * * 1"],
    "give either --every-hours N or --cron EXPRESSION",
  ],
  [[...create, "--every-hours", "2", "--stream", "https://x.com/a"], "--stream-sample N"],
  [[...create, "--every-hours", "2", "--stream-keep", "3"], "--stream-keep applies only with"],
  [
    [
      ...create,
      ..."--every-hours 2 --stream https://x.com/a --stream-sample 5 --stream-authorization-env NO".split(
        " ",
      ),
    ],
    "NO is not set",
  ],
  [
    ["schedule", "show"],
    "<id> is required: Id of the schedule; assay schedule list prints the ids",
  ],
  [["schedule", "pause", "a", "b"], 'unexpected argument "b"; --help lists the arguments'],
  [["schedule", "run"], "unknown command schedule run"],
])("assay %j fails with a reason", async (args, message) => {
  const { code, stdout, stderr } = await assay("/none", args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});
