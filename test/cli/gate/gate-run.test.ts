import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ScoredRun } from "../../../shared/contracts/boards/scored-run.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { flags } from "../support/run-service.ts";
import { aRunOf, gatedService, scoredAs } from "../support/scored-runs.ts";

const folder = folderWith({});
const at = (name: string) => join(folder.path, name);
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", at("state"));
});
afterAll(folder.dispose);

const run = aRunOf("run_1", "acme/large");
const before = scoredAs(aRunOf("run_0", "acme/small"));
const write = (name: string, value: unknown) => writeFileSync(at(name), JSON.stringify(value));

/** Evaluates a model whose first `fallen` samples score 0.3 less than in the baseline. */
async function gated(
  {
    fallen = 0,
    newRun = run,
    tested = scoredAs(newRun, fallen),
  }: { fallen?: number; newRun?: Run; tested?: ScoredRun },
  ...more: string[]
) {
  await using service = await gatedService(tested, newRun, [before]);
  const args = ["run", ...flags, "--server", service.url, ...more];
  const { code, stdout, stderr } = await assay(folder.path, args);
  const calls = service.asked.map(({ call }) => call);
  return { code, stdout, stderr, isSubmitted: calls.includes("POST /v1/submissions") };
}
const margin = ["--non-inferior", "eqs=0.02"];

describe("assay run --baseline", () => {
  it("passes a run that is no worse, and states the baseline's age", async () => {
    const { code, stdout, stderr } = await gated({}, "--baseline", "run_0", ...margin);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Gate passed: no worse than the baseline");
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /Baseline: acme\/small \(run_0\) of 2026-11-20, \d[\d,]* days? old, from http:\/\/127/,
    );
    expect(stdout).toContain("Changed since the baseline: model (acme/small, acme/large)");
    expect(stdout).toContain("Passed because no compared sample scores worse.");
  });

  it("notes that no run can be worse than a baseline with the lowest value", async () => {
    const { ids, values, ...others } = before.scores;
    const eqs = { ...values["eqs"], of: ids.map(() => 0), over: null };
    write("lowest.json", { run: before.run, scores: { ids, ...others, values: { eqs } } });
    const { code, stdout } = await gated({ fallen: 72 }, "--baseline", "lowest.json", ...margin);
    expect(code).toBe(0);
    expect(stdout).toContain("The baseline has the lowest value, so no run can be worse");
  });

  it("fails a worse run and lists the worse samples in every output", async () => {
    write("before.json", before);
    const outputs = ["--junit", at("gate.xml"), "--summary", at("summary.md"), "--annotations"];
    const { code, stdout, stderr } = await gated(
      { fallen: 20 },
      "--baseline",
      "before.json",
      ...margin,
      ...outputs,
    );
    expect(code).toBe(1);
    const line = stdout.split("\n").find((one) => /^EQS +0\.\d+ +0\.\d+ +-0\.083/.test(one));
    expect(line).toMatch(/-0\.\d+ to -0\.0\d+ +0\.020 +72 +worse$/);
    expect(stdout).toContain("EQS: 20 of 72 samples score worse, 0 better");
    const [first, ...rest] = stderr.trimEnd().split("\n");
    expect(first).toMatch(/^::error title=Gate of acme\/large::EQS is 0\.\d+, 0\.\d+ in the base/);
    expect(
      rest.filter((one) => one.startsWith("::warning title=EQS is worse::EQS of sample s")),
    ).toHaveLength(10);
    expect(rest.at(-1)).toMatch(
      /^run_1: EQS is .*, significantly worse, and not shown to be within the margin/,
    );
    const xml = readFileSync(at("gate.xml"), "utf8");
    // One test for the run, one for the margin, and twenty for samples.
    expect(xml).toContain('<testsuites tests="22" failures="21" errors="0" skipped="0">');
    expect(xml).toContain("EQS of sample s19");
    const summary = readFileSync(at("summary.md"), "utf8");
    expect(summary).toMatch(/^# Gate failed: worse than the baseline\n/);
    expect(summary).toMatch(/^\| EQS \| 0\.\d+ \| 0\.\d+ \| -0\.083 \|.* worse \|$/m);
  });

  it("fails an inconclusive run and states how many samples would be enough", async () => {
    const { code, stdout, stderr } = await gated(
      { fallen: 3 },
      "--baseline",
      "run_0",
      ...margin,
      "--json",
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/not shown to be within the margin of 0\.020; about \d+ samples would/);
    const { passed, gates } = JSON.parse(stdout);
    expect([passed, gates.length]).toEqual([false, 1]);
    expect(gates[0]).toMatchObject({
      passed: false,
      baseline: { run: "run_0", at: before.run.finishedAt },
      tested: { run: "run_1", name: "acme/large" },
      metrics: [{ metric: "eqs", margin: 0.02, verdict: "not-shown", fell: 3, samples: 72 }],
    });
    const wider = ["--baseline", "run_0", "--non-inferior", "eqs=0.05"];
    expect((await gated({ fallen: 3 }, ...wider)).code).toBe(0);
  });

  it("prints one line per reason at the end", async () => {
    const limit = ["--fail-under", "eqs=0.99"];
    const { stderr } = await gated({ fallen: 20 }, "--baseline", "run_0", ...margin, ...limit);
    const [missed, low] = stderr.trimEnd().split("\n").slice(-2);
    expect(missed).toMatch(/^run_1: EQS is .* significantly worse/);
    expect(low).toMatch(/^run_1 \(acme\/large\): .*0\.99/);
  });

  it("states in every output that the judges are simulated", async () => {
    const routes = [{ provider: "simulated", model: "sim-judge-a", simulated: true }];
    const judges = { kind: { routes, by: "default" as const, promptHash: "p" } };
    const tested = scoredAs(run);
    tested.run.judging = { judges, stages: {} };
    const outputs = ["--summary", at("simulated.md")];
    const { stdout } = await gated({ tested }, "--baseline", "run_0", ...margin, ...outputs);
    const text = "judged by simulated judges: grades say nothing about quality.";
    expect(stdout).toContain(text);
    expect(readFileSync(at("simulated.md"), "utf8")).toContain(text);
  });

  it("requires --min-sample-share of the samples in both runs", async () => {
    const gaps = scoredAs(run);
    gaps.scores.values["eqs"]!.of.fill(null, 0, 8);
    const asked = ["--baseline", "run_0", ...margin];
    const { code, stderr } = await gated({ tested: gaps }, ...asked);
    expect([code, stderr]).toEqual([1, expect.stringContaining("only 64 samples (88.9%) can be")]);
    expect((await gated({ tested: gaps }, ...asked, "--min-sample-share", "0.8")).code).toBe(0);
    const eqs = { ...run.metrics!["eqs"]!, coverage: 0.281 };
    const thin = { ...run, metrics: { ...run.metrics, eqs } };
    expect((await gated({ newRun: thin }, ...asked, "--min-sample-share", "0.28")).code).toBe(0);
    const refused = await gated({ newRun: thin }, ...asked, "--min-sample-share", "0.29");
    expect(refused).toMatchObject({
      code: 1,
      stderr: "run_1 (acme/large): coverage 28.1% is below 29%\n",
    });
  });

  it("reads the baseline from a git branch, local or only on origin", async () => {
    const repository = mkdtempSync(at("repository-"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", repository, ...args], { stdio: "pipe" });
    git("init", "--quiet", "--initial-branch=main");
    writeFileSync(join(repository, "assay-baseline.json"), JSON.stringify(before));
    git("add", ".");
    const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    git(...author, "commit", "--quiet", "-m", "baseline");
    git("checkout", "--quiet", "-b", "change");
    rmSync(join(repository, "assay-baseline.json"));
    const home = process.cwd();
    try {
      process.chdir(repository);
      const { code, stdout, stderr } = await gated({}, "--baseline", "branch:main", ...margin);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout.replace(/\s+/g, " ")).toMatch(
        /from assay-baseline\.json on branch main at [0-9a-f]{12}\./,
      );
      git("update-ref", "refs/remotes/origin/next", "main");
      expect((await gated({}, "--baseline", "branch:next", ...margin)).code).toBe(0);
      for (const [given, reason] of [
        ["branch:gone", "this clone has no branch gone: run git fetch origin gone:"],
        ["branch:main:other", "the branch has no other: commit one there"],
        ["branch:", "--baseline must name a branch"],
        ["branch:--output=x", "this clone has no branch --output=x"],
      ] as const) {
        const refused = await gated({}, "--baseline", given, ...margin);
        expect([refused.code, refused.isSubmitted]).toEqual([2, false]);
        expect(refused.stderr).toContain(reason);
      }
    } finally {
      process.chdir(home);
    }
  });

  it("compares each model with the same model of the baseline", async () => {
    const large = scoredAs(aRunOf("run_2", "acme/large"));
    write("both.json", [scoredAs(aRunOf("run_0", "acme/small"), 30), large]);
    const { code, stdout } = await gated({}, "--baseline", "both.json", ...margin);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Baseline: acme/large (run_2)")]);
    write("others.json", [before, scoredAs(aRunOf("run_3", "acme/tiny"))]);
    const other = await gated({}, "--baseline", "others.json", ...margin);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(/has no run of acme\/large; it has acme\/small; acme\/tiny/),
    ]);
  });

  it("compares each variant with the same variant of the baseline", async () => {
    const variant = (prompt: string, fallen: number) =>
      scoredAs(aRunOf(`run_${prompt}`, "acme/large", { variant: { prompt } }), fallen);
    write("variants.json", [variant("short", 30), variant("long", 0)]);
    const long = scoredAs({ ...run, variant: { prompt: "long" } });
    const { code, stdout } = await gated(
      { tested: long },
      "--baseline",
      "variants.json",
      ...margin,
    );
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("Baseline: acme/large, prompt long (run_long)"),
    ]);
  });

  it("refuses a baseline with other samples before it submits a run", async () => {
    const { dataset } = before.run;
    for (const [more, reason] of [
      [
        { dataset: { ...dataset, version: "e".repeat(64) } },
        /dataset version \(eeee+, \w+\).* prompts: its changes/,
      ],
      [{ suite: "slots" }, /suite \(slots, extraction\)/],
      [{ options: { sample: { n: 5, seed: 0 } } }, /samples drawn \(5 with the seed 0, all\)/],
      [{ options: { repeats: 3 } }, /repeats \(3, 1\)/],
      [{ options: { numericTolerance: 0.5 } }, /option numericTolerance \(0\.5, 0\.001\)/],
    ] as const) {
      const scores = {
        ...before.scores,
        values: { ...before.scores.values, f1: before.scores.values["eqs"] },
      };
      write("other.json", { scores, run: { ...before.run, headline: "eqs", ...more } });
      const wanted = "suite" in more ? ["--non-inferior", "f1=0.02"] : margin;
      const refused = await gated({}, "--baseline", "other.json", ...wanted);
      expect([refused.code, refused.isSubmitted]).toEqual([2, false]);
      expect(refused.stderr).toMatch(reason);
    }
  });

  it("refuses a baseline with another scoring version once the run has finished", async () => {
    write("scored.json", { ...before, run: { ...before.run, scoringVersion: "other" } });
    const summary = ["--summary", at("refused.md")];
    const asked = ["--baseline", "scored.json", ...margin, ...summary];
    const { code, stdout, stderr } = await gated({}, ...asked);
    expect([code, stderr]).toEqual([2, expect.stringContaining("scoring version (other, ")]);
    expect(stdout).toContain("run_1");
    expect(readFileSync(at("refused.md"), "utf8")).toMatch(
      /^# Gate failed\n[\s\S]*scoring version/,
    );
  });

  it.each<[string[], string]>([
    [["--baseline", "run_0"], "--baseline needs --non-inferior METRIC=N"],
    [margin, "--non-inferior needs --baseline"],
    [["--annotations"], "--annotations needs --non-inferior"],
    [["--baseline", "run_0", "--non-inferior", "eqs"], "--non-inferior must be METRIC=N"],
    [["--baseline", "run_0", "--non-inferior", "eqs=2"], '"eqs" can differ by 1 at most'],
    [["--baseline", "run_0", "--non-inferior", "speed=1"], '"speed" is not compared by sample'],
    [["--baseline", "run_0", ...margin, "--min-sample-share", "95"], "a share from 0 to 1"],
    [["--baseline", "run_0", ...margin, "--no-wait"], "--baseline needs the results"],
    [["--baseline", "run_9", ...margin], "there is no GET /v1/runs/run_9/scores.json"],
    [["--baseline", "none.json", ...margin], "there is no such file"],
    [["--baseline", "run_0", ...margin, "--pr-comment"], "works in a job of GitHub"],
  ])("refuses %j", async (args, reason) => {
    vi.stubEnv("GITHUB_REPOSITORY", undefined);
    const { code, stderr, isSubmitted } = await gated({}, ...args);
    expect([code, isSubmitted]).toEqual([2, false]);
    expect(stderr).toContain(reason);
  });

  it("refuses a file that is not a baseline", async () => {
    const short = { ...before.scores, ids: before.scores.ids.slice(1) };
    for (const content of [{}, [], { ...before, scores: short }]) {
      write("wrong.json", content);
      const { code, stderr } = await gated({}, "--baseline", "wrong.json", ...margin);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("not a baseline: write one with"),
      ]);
    }
  });
});

it("assay run --baseline fails a run without results", async () => {
  const failed: Run = { ...run, status: "failed", statusReason: "no model", metrics: null };
  await using service = await gatedService(before, failed, [before]);
  const args = ["run", ...flags, "--server", service.url, "--baseline", "run_0", ...margin];
  const { code, stderr } = await assay(folder.path, [...args, "--summary", at("failed.md")]);
  expect([code, stderr]).toEqual([1, "run_1 (acme/large) is failed\n"]);
  expect(readFileSync(at("failed.md"), "utf8")).toMatch(/^# Gate failed\n\nrun\\_1 .* is failed/);
});

describe("assay run --save-baseline", () => {
  it("writes a file that later runs accept as baseline", async () => {
    const saved = await gated({}, "--save-baseline", "saved.json");
    expect(saved.code).toBe(0);
    expect(saved.stderr).toMatch(/^baseline: .*saved\.json; compare later runs with --baseline /);
    expect(JSON.parse(readFileSync(at("saved.json"), "utf8"))).toEqual(scoredAs(run));
    const { code } = await gated({ fallen: 20 }, "--baseline", "saved.json", ...margin);
    expect(code).toBe(1);
  });

  it("writes no file if a limit or a margin is missed", async () => {
    const failed = ["--fail-under", "eqs=0.999", "--save-baseline", "none.json"];
    const missed = await gated({}, ...failed);
    expect([missed.code, missed.stderr]).toEqual([
      1,
      expect.stringMatching(/\nno baseline is written to \S*none\.json\n/),
    ]);
    const worse = ["--baseline", "run_0", ...margin, "--save-baseline", "none.json"];
    expect((await gated({ fallen: 20 }, ...worse)).code).toBe(1);
    expect(existsSync(at("none.json")) || existsSync(at("none.json.part"))).toBe(false);
  });
});
