import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { assay, assayProcess } from "../support/assay.ts";
import { none, sampleOf } from "../support/compared-rows.ts";
import { fakeService } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";
import { aRunOf, scoredAs } from "../support/scored-runs.ts";

const ids = Array.from({ length: 40 }, (_, i) => `s${i}`);
const right = '{"from": "Oslo", "to": "Rome"}';
/** Answers of which the first `broken` score 0. */
const answers = (broken: number, last = ids.length) =>
  ids.slice(0, last).map((id, i) => ({ id, output: i < broken ? none : right }));
const folder = folderWith({
  "samples.jsonl": ids.map((id) => sampleOf(id)),
  "before.jsonl": answers(0),
  "same.jsonl": answers(0),
  "worse.jsonl": answers(12),
  "unclear.jsonl": answers(1),
  "few.jsonl": answers(0, 30),
});
afterAll(folder.dispose);
const at = (name: string) => join(folder.path, name);

const filesOf = (names: readonly string[]) =>
  names.flatMap((name) => ["--answers", `${name}.jsonl`]);
const gated = (tested: readonly string[], ...more: string[]) =>
  assay(folder.path, [
    "compare",
    "--dataset",
    "samples.jsonl",
    ...filesOf(["before", ...tested]),
    "--non-inferior",
    "eqs=0.02",
    ...more,
  ]);

describe("assay compare --non-inferior", () => {
  it.each([
    ["same", 0, ""],
    [
      "worse",
      1,
      /^worse: EQS is 0\.700, 1\.000 in the baseline: -0\.300 .*, significantly worse, and not shown/,
    ],
    ["unclear", 1, /^unclear: EQS is 0\.975, .* not shown to be within the margin of 0\.020\n$/],
    ["few", 1, /^few: EQS is .*, but only 30 samples \(75\.0%\) can be compared\n$/],
  ])("on %s exits with %i", async (name, wanted, said) => {
    const { code, stdout, stderr } = await gated([name]);
    expect(code).toBe(wanted);
    expect(stderr).toMatch(said);
    expect(stdout).toMatch(wanted === 0 ? /^Gate passed: /m : /^Gate failed: /m);
    expect(stdout.replace(/\s+/g, " ")).toContain("Baseline: before of 20");
  });

  it("compares every file with the first and fails if one is worse", async () => {
    const { code, stdout } = await gated(["same", "worse"], "--json");
    const { gates, metrics } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(gates).toMatchObject([
      { passed: true, baseline: { name: "before", run: null }, tested: { name: "same" } },
      { passed: false, tested: { name: "worse" }, metrics: [{ verdict: "worse", fell: 12 }] },
    ]);
    const pair = metrics[0].pairs.find(
      ({ a, b }: Record<string, string>) => a === "before" && b === "worse",
    );
    const [low, high] = pair.difference.interval;
    expect(gates[1].metrics[0].difference.interval).toEqual([-high, -low]);
  });

  it("annotates the lines of worse samples and writes JUnit XML and Markdown", async () => {
    const files = ["--junit", at("gate.xml"), "--output", at("gate.md")];
    const { code, stderr } = await gated(["worse"], "--annotations", ...files);
    expect(code).toBe(1);
    const warnings = stderr.split("\n").filter((line) => line.startsWith("::warning "));
    expect(warnings).toHaveLength(10);
    expect(warnings[1]).toBe(
      "::warning title=EQS is worse,file=samples.jsonl,line=2::EQS of sample s1 is 0.000, 1.000 in the baseline",
    );
    expect(readFileSync(at("gate.xml"), "utf8")).toContain('tests="13" failures="13"');
    expect(readFileSync(at("gate.md"), "utf8")).toContain("## EQS: 12 of 40 samples score worse");
  });

  it("works in a separate process, as in a CI job", async () => {
    const files = ["before", "worse"].flatMap((name) => ["--answers", at(`${name}.jsonl`)]);
    const args = ["compare", "--dataset", at("samples.jsonl"), ...files];
    const summary = ["--summary", at("summary.md")];
    const { code, stderr } = await assayProcess([
      ...args,
      "--non-inferior",
      "eqs=0.02",
      ...summary,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^worse: EQS is 0\.700/)]);
    expect(readFileSync(at("summary.md"), "utf8")).toMatch(
      /^# Gate failed: worse than the baseline\n/,
    );
  });

  it("compares runs of a service with the first run in --runs", async () => {
    const runs = [
      scoredAs(aRunOf("run_b", "acme/base")),
      scoredAs(aRunOf("run_a", "acme/new"), 20),
    ];
    const files = ["--answers", "before.jsonl", "--answers", "worse.jsonl"];
    const compared = await assay(folder.path, [
      "compare",
      "--dataset",
      "samples.jsonl",
      ...files,
      "--json",
    ]);
    await using service = await fakeService(({ call }) => ({
      body: runs.find(({ run: { id } }) => call.endsWith(`/${id}/scores.json`)) ?? compared.stdout,
    }));
    const asked = ["compare", "--runs", "run_b,run_a", "--server", service.url];
    const { code, stderr } = await assay(folder.path, [...asked, "--non-inferior", "eqs=0.02"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^run_a: EQS is .* worse, and not/)]);
    const misspelt = await assay(folder.path, [...asked, "--non-inferior", "eq=0.02"]);
    expect(misspelt.stderr).toMatch(
      /^--non-inferior: "eq" is not compared by sample; metrics are /,
    );
  });

  it.each([
    [["--non-inferior", "speed=1"], '--non-inferior: "speed" is not compared by sample'],
    [["--non-inferior", "eqs=-1"], "--non-inferior must be METRIC=N with a margin N above 0"],
    [["--junit", "x.xml"], "--junit needs --non-inferior"],
    [["--summary", "x"], "--summary needs --non-inferior"],
    [["--non-inferior", "eqs=0.02", "--min-sample-share", "x"], "must be a share from 0 to 1"],
    [["--non-inferior", "eqs=0.02", "--summary", "none/x.md"], "folder does not exist"],
  ])("refuses %j", async (more, reason) => {
    const files = ["--answers", "before.jsonl", "--answers", "same.jsonl"];
    const args = ["compare", "--dataset", "samples.jsonl", ...files, ...more];
    const { code, stderr } = await assay(folder.path, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
