import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
import type { SubmissionInput } from "../../../cli/config/plan.ts";
import { noteService } from "../../../cli/local/service-note.ts";
import { newNote, saveNote } from "../../../cli/run/run-notes.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel, aRun } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { aFolder } from "../support/folder-with.ts";

const suite = suiteById("extraction")!;
const model = aModel("acme/a-model", "A model");
const finished = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
const running: Run = {
  ...aRun(suite, "run_2", model, {}),
  status: "running",
  finishedAt: null,
  metrics: null,
  progress: { total: 72, done: 30, failed: 1 },
};

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "key-1");
});

const csv = "id,score\na,1\n";
const runs = (change: (run: Run) => Run = (run) => run) =>
  fakeService(({ call }) => {
    const [method, path = ""] = call.split(" ");
    if (path === "/v1/submissions/sub_1")
      return { body: { runs: [finished, running].map(listed) } };
    if (path === "/v1/runs/run_1") return { body: finished };
    if (path === "/v1/runs/run_2") return { body: change(running) };
    if (method === "POST" && path === "/v1/runs/run_2/cancel") {
      return { body: { ...running, status: "cancelled" } };
    }
    if (path === "/v1/runs/run_1/samples.csv") return { body: csv };
    if (path === "/v1/runs/run_1/samples.jsonl?fields=true") return { body: '{"id":"a"}\n' };
    return problemReply(404, `there is no ${path}`);
  });
const listed = ({ id, status }: Run) => ({
  id,
  model: model.slug,
  variant: null,
  status,
  links: { self: `/v1/runs/${id}`, samples: `/v1/runs/${id}/samples`, report: null },
});

describe("assay status", () => {
  it("shows every run of a submission with its headline and interval", async () => {
    await using service = await runs();
    const { code, stdout, stderr } = await assay("/none", `status sub_1 --server ${service.url}`);
    expect([code, stderr]).toEqual([0, ""]);
    const [head, first, second] = stdout.split("\n");
    expect(head).toMatch(
      /^run +model +suite +dataset +status +samples +failed +metric +value +95%/,
    );
    const { value, interval } = finished.metrics!["eqs"]!;
    expect(first).toContain(`EQS     ${value!.toFixed(3)}`);
    expect(first).toContain(interval!.map((end) => end.toFixed(3)).join(" – "));
    expect(second).toMatch(/run_2 +acme\/a-model +extraction +stock +running +30\/72 +1 +EQS +–$/);
    expect(service.asked.every(({ headers }) => headers.authorization === "Bearer key-1")).toBe(
      true,
    );
  });

  it("reads the service from ASSAY_URL and prints JSON", async () => {
    await using service = await runs();
    vi.stubEnv("ASSAY_URL", service.url);
    const { stdout } = await assay("/none", ["status", "run_1", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ id: "run_1", status: "finished" }]);
  });

  it("lists this folder's runs without ids, except deleted ones", async () => {
    await using service = await runs();
    vi.stubEnv("ASSAY_FOLDER", aFolder());
    const args = ["status", "--server", service.url];
    expect((await assay("/none", args)).stdout).toContain("no run at http://127.0.0.1:");
    const request = {} as SubmissionInput;
    for (const submission of ["sub_1", "sub_gone", null]) {
      saveNote({ ...newNote(service.url, request), submission });
    }
    const { code, stdout } = await assay("/none", args);
    expect([code, stdout.match(/^run_\d/gm)]).toEqual([0, ["run_1", "run_2"]]);
    saveNote({ ...newNote("https://assay.example.com", request), submission: "sub_other" });
    expect((await assay("/none", args)).stdout).toBe(stdout);
  });

  it("exits with 1 if a run did not finish after --wait", async () => {
    await using service = await runs((run) => ({
      ...run,
      status: "failed",
      statusReason: "no key",
    }));
    const outcome = await assay("/none", ["status", "sub_1", "--wait", "--server", service.url]);
    expect(outcome).toMatchObject({ code: 1, stderr: "run_2 is failed\n" });
    expect(outcome.stdout).toContain("run_2: no key");
  });

  it("exits with 1 if a run has no answer after --wait", async () => {
    const progress = { total: 72, done: 72, failed: 72 };
    await using service = await runs(() => ({ ...finished, id: "run_2", progress }));
    const args = ["status", "run_2", "--wait", "--server", service.url];
    const { code, stderr } = await assay("/none", args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^run_2 has no answer: every request failed/),
    ]);
  });
});

test("assay cancel cancels runs and passes on the service's errors", async () => {
  await using service = await runs();
  const { code, stdout } = await assay("/none", ["cancel", "run_2", "--server", service.url]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/run_2 .* cancelled /)]);
  const refused = await assay("/none", ["cancel", "run_9", "--server", service.url]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("there is no /v1/runs/run_9/cancel");
});

describe("assay export", () => {
  it("writes the service's stream in the format of the file extension", async () => {
    await using service = await runs();
    const folder = aFolder();
    const out = join(folder, "samples.csv");
    const { code, stderr } = await assay(
      "/none",
      `export run_1 --out ${out} --server ${service.url}`,
    );
    expect([code, stderr, readFileSync(out, "utf8"), readdirSync(folder)]).toEqual([
      0,
      `${out}: samples of run_1\n`,
      csv,
      ["samples.csv"],
    ]);
  });

  it("compresses a file with the extension .gz, and prints its size with --json", async () => {
    await using service = await runs();
    const out = join(aFolder(), "samples.csv.gz");
    const args = ["export", "run_1", "--output", out, "--json", "--server", service.url];
    const { stdout } = await assay("/none", args);
    expect(JSON.parse(stdout)).toEqual({ run: "run_1", file: out, bytes: csv.length });
    expect(gunzipSync(readFileSync(out)).toString()).toBe(csv);
  });

  it("writes to standard output without --out", async () => {
    await using service = await runs();
    const { stdout } = await assay("/none", `export run_1 --fields --server ${service.url}`);
    expect(stdout).toBe('{"id":"a"}\n');
  });

  it.each([
    [["export"], "<run> is required: Id of the run"],
    [["export", ""], "<run> is empty: Id of the run"],
    [["export", "run_1", "run_2"], 'unexpected argument "run_2"; --help lists the arguments'],
    [["export", "run_1", "--format", "cvs"], 'unknown --format "cvs"; did you mean csv?'],
    [
      ["export", "run_1", "--format", "csv", "--fields"],
      "--fields applies only to samples in JSON; --what fields exports a row for each",
    ],
    [["export", "run_1", "--what", "field"], 'unknown --what "field"; did you mean fields?'],
    [
      ["export", "run_1", "--what", "report", "--format", "csv"],
      "report cannot be exported as csv; choose md or json",
    ],
    [["cancel"], "<id> is required: Id of a run, or of a submission for all its runs"],
  ])("refuses %j", async (args, message) => {
    expect(await assay("/none", args)).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
  });
});

it.each([
  ["with", process.env["PATH"]],
  ["without", ""],
])(
  "assay cancel finds the local service on any port, but not a killed one, %s ps",
  async (_, path) => {
    await using service = await runs();
    const folder = aFolder();
    vi.stubEnv("ASSAY_FOLDER", folder);
    vi.stubEnv("ASSAY_PORT", "1");
    vi.stubEnv("PATH", path);
    noteService(folder, { origin: service.url, isTemporary: false });
    const { stdout } = await assay("/none", "cancel run_2 --json");
    expect(JSON.parse(stdout)).toMatchObject([{ status: "cancelled" }]);
    const file = join(folder, "service.json");
    const killed = { ...JSON.parse(readFileSync(file, "utf8")), pid: 99_999_999 };
    writeFileSync(file, JSON.stringify(killed));
    expect((await assay("/none", "cancel run_2")).stderr).toContain("http://localhost:1");
  },
);

it.each([
  ["that requires keys", 401, "Bearer key-1"],
  ["that requires none, and refuses unknown ones", 200, undefined],
])("assay export reads a run of a local service %s", async (_, status, key) => {
  await using service = await fakeService(({ call }) => {
    if (call === "HEAD /v1/account") return { status };
    return call === "GET /healthz" ? {} : { body: finished };
  });
  vi.stubEnv("ASSAY_FOLDER", aFolder());
  noteService(process.env["ASSAY_FOLDER"]!, { origin: service.url, isTemporary: false });
  expect((await assay("/none", "export run_1 --what report --format json")).code).toBe(0);
  expect(service.asked.at(-1)?.call).toBe("GET /v1/runs/run_1/report");
  expect(service.asked.at(-1)?.headers.authorization).toBe(key);
});

it("assay cancel ignores another machine's address in service.json", async () => {
  vi.stubEnv("ASSAY_FOLDER", aFolder());
  vi.stubEnv("ASSAY_PORT", "1");
  const origin = "https://elsewhere.invalid";
  noteService(process.env["ASSAY_FOLDER"]!, { origin, isTemporary: false });
  const { stderr } = await assay("/none", "cancel run_2");
  expect(stderr).toContain("http://localhost:1");
});
