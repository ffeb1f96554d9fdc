import { beforeEach, describe, expect, test, vi } from "vitest";
import { canaryReportSchema } from "../../../shared/contracts/judging/canary.ts";
import { hurriedWaits } from "../../support/hurried-waits.ts";
import { assay } from "../support/assay.ts";
import { aReport, canaries, canaryService, running } from "../support/canary-service.ts";

let waits: number[];

beforeEach(() => {
  waits = hurriedWaits();
});

const canary = (url: string, ...args: string[]) =>
  assay("/none", ["canary", "--server", url, ...args]);

/** The report with these changes to the constant canary. */
const withConstant = (more: object) =>
  aReport({
    canaries: [{ ...canaries.constant, ...more }, canaries.longest, canaries.injection],
  });

describe("assay canary", () => {
  test("starts the canary runs and prints the score of each canary", async () => {
    await using service = await canaryService({});
    expect(await canary(service.url)).toEqual({
      code: 0,
      stderr: "",
      stdout: `Canaries of memory: Memory citation score by judges of scoring version 0123456789abcdef

canary     score   95% interval  bound                           verdict    samples  measured
constant   0.420  0.390 – 0.450  at most 0.45                    within          60  2026-11-20
longest    0.420  0.390 – 0.450  none                            no bound  45 of 60  2026-11-20
injection  0.420  0.390 – 0.450  at most constant + 0.05 = 0.47  within          60  2026-11-20
`,
    });
    expect(service.asked.map(({ call }) => call)).toEqual([
      "POST /v1/suites/memory/canaries",
      "GET /v1/runs/run_c",
      "GET /v1/runs/run_l",
      "GET /v1/runs/run_i",
      "GET /v1/suites/memory/canaries",
    ]);
    const [{ body, headers } = { body: null, headers: {} }] = service.asked;
    expect(body).toEqual({ dataset: "stock" });
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expect(headers.authorization).toBeUndefined();
  });

  test("waits until active runs end, at the shortest interval that the service requests", async () => {
    const first = { run_c: [running("run_c", 9)], run_i: [running("run_i", 2)] };
    await using service = await canaryService({ first });
    expect(await canary(service.url, "memory", "--dataset", "mine@0a1b2c")).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(service.asked[0]?.body).toEqual({ dataset: "mine@0a1b2c" });
    const reads = (run: string) => service.asked.filter(({ call }) => call.endsWith(run));
    expect(["run_c", "run_l", "run_i"].map((run) => reads(run).length)).toEqual([2, 1, 2]);
    expect(waits).toContain(2_000);
    expect(waits).not.toContain(9_000);
  });

  test("tries again after a temporary failure of the service", async () => {
    const busy = { status: 503, headers: { "retry-after": "1" }, body: "no upstream" };
    await using service = await canaryService({ first: { run_l: [busy, busy] } });
    expect(await canary(service.url)).toMatchObject({ code: 0, stderr: "" });
  });

  test("gives up when the service keeps failing, and says that the runs continue", async () => {
    const broken = { status: 503, headers: { "retry-after": "1" }, body: "no upstream" };
    await using service = await canaryService({ instead: { "GET /v1/runs/run_c": broken } });
    expect(await canary(service.url)).toEqual({
      code: 2,
      stdout: "",
      stderr: `the service continues; assay canary memory --no-run prints the result
${service.url}: it answers 503
`,
    });
    expect(service.asked.filter(({ call }) => call.endsWith("run_c"))).toHaveLength(6);
  });

  test("exits with 1 when a score is above its bound", async () => {
    const report = withConstant({ verdict: "broken", bound: { most: 0.25 } });
    await using service = await canaryService({ report });
    const { code, stdout, stderr } = await canary(service.url);
    expect([code, stderr]).toEqual([1, "above its bound: constant\n"]);
    expect(stdout).toMatch(/^constant .* at most 0\.25 +BROKEN +60 +2026-11-20$/m);
    expect(stdout).toMatch(/^injection .* within /m);
  });

  test("exits with 1 when a canary with a bound was not measured", async () => {
    const nothing = { run: null, headline: null, verdict: "unmeasured", finishedAt: null };
    await using service = await canaryService({ report: withConstant(nothing) });
    const { code, stdout, stderr } = await canary(service.url);
    expect([code, stderr]).toEqual([1, "not measured: constant\n"]);
    expect(stdout).toMatch(/^constant +– +at most 0\.45 +not measured$/m);
    expect(stdout).toMatch(/^injection .* at most constant \+ 0\.05 +within /m);
  });

  test("exits with 0 when only canaries without a bound were not measured", async () => {
    const longest = { ...canaries.longest, headline: null, verdict: "unmeasured" as const };
    await using service = await canaryService({ report: aReport({ canaries: [longest] }) });
    expect(await canary(service.url)).toMatchObject({ code: 0, stderr: "" });
  });

  test.each([
    ["failed", "no judge answered", "Canary: run_l: run run_l failed: no judge answered\n"],
    ["failed", null, "Canary: run_l: run run_l failed\n"],
    ["cancelled", null, "Canary: run_l: run run_l is cancelled\n"],
    ["paused", "by its owner", "Canary: run_l: run run_l is paused: by its owner\n"],
  ] as const)("exits with 1 when a run is %s (%s)", async (status, reason, said) => {
    await using service = await canaryService({ ended: { run_l: [status, reason] } });
    const { code, stdout, stderr } = await canary(service.url);
    expect([code, stderr]).toEqual([1, said]);
    expect(stdout).toContain("no bound");
  });

  test("adds a note only when the judges are simulated", async () => {
    const note =
      "These judges are simulated: this tests the service and says nothing about real judges.";
    for (const simulated of [true, false]) {
      await using service = await canaryService({ report: aReport({ simulated }) });
      const { stdout } = await canary(service.url);
      expect(stdout.split("\n")[1] === note).toBe(simulated);
    }
  });

  test("prints the report as JSON and still exits with 1 for a broken bound", async () => {
    const report = withConstant({ verdict: "broken" });
    await using service = await canaryService({ report });
    const { code, stdout, stderr } = await canary(service.url, "--json");
    expect([code, stderr]).toEqual([1, "above its bound: constant\n"]);
    expect(canaryReportSchema.parse(JSON.parse(stdout))).toEqual(report);
  });

  test("only reads the report with --no-run", async () => {
    await using service = await canaryService({});
    const { code, stdout } = await canary(service.url, "--no-run");
    expect(code).toBe(0);
    expect(stdout).toContain("constant");
    expect(service.asked.map(({ call }) => call)).toEqual(["GET /v1/suites/memory/canaries"]);
  });

  test("sends the key from the environment and never prints it", async () => {
    vi.stubEnv("ASSAY_API_KEY", " assay_secret\n");
    await using service = await canaryService({
      instead: {
        "GET /v1/suites/memory/canaries": ({ headers }) => ({
          status: 404,
          body: { detail: `sent: ${headers.authorization}` },
        }),
      },
    });
    const { code, stdout, stderr } = await canary(service.url);
    expect([code, stdout, stderr]).toEqual([2, "", `${service.url}: sent: Bearer [redacted]\n`]);
    const keys = new Set(service.asked.map(({ headers }) => headers.authorization));
    expect(keys).toEqual(new Set(["Bearer assay_secret"]));
  });

  test("removes terminal control characters from the table", async () => {
    const report = aReport({ scoringVersion: "\x1b[2Jgone" });
    await using service = await canaryService({ report });
    const { stdout } = await canary(service.url);
    expect(stdout).toContain("scoring version  [2Jgone\n\ncanary");
  });

  test("has a help page and a line in the overview", async () => {
    const { code, stdout } = await assay("/none", ["canary", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^assay canary \[suite\] \[options\]/);
    expect((await assay("/none", ["--help"])).stdout).toMatch(/^ {2}canary +score worthless/m);
  });
});
