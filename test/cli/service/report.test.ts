import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { runReport } from "../../../shared/measures/report/run/run-report.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel, aRun } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { aFolder } from "../support/folder-with.ts";

const suite = suiteById("extraction")!;
const model = aModel("acme/a-model", "A <b>model</b>");
const run = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
const report = runReport(suite, run, []);
const running = runReport(suite, { ...aRun(suite, "run_2", model, {}), metrics: null }, []);

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "key-1");
});

const served = () =>
  fakeService(({ call }) => {
    if (call === "GET /v1/runs/run_1/report") return { body: report };
    if (call === "GET /v1/runs/run_2/report") return { body: running };
    return problemReply(404, `there is no ${call}`);
  });

/** Addresses that a page loads or links. */
const addresses = (html: string) =>
  [...html.matchAll(/\s(?:src|href|action|poster)="([^"#][^"]*)"/g)].map(([, address]) => address);

const fixtures = join(import.meta.dirname, "../__fixtures__/compare");

describe("assay report", () => {
  it("writes a self-contained page for a run, with links only to the service", async () => {
    await using service = await served();
    const output = join(aFolder(), "report.html");
    const args = ["report", "--run", "run_1", "--output", output, "--server", service.url];
    const { code, stdout } = await assay("/none", args);
    expect([code, stdout]).toEqual([0, `${output}: A <b>model</b> on Structured extraction\n`]);
    const html = readFileSync(output, "utf8");
    expect(html).toContain("default-src &#39;none&#39;");
    expect(html).not.toMatch(/<script|<link|<img|<b>model|@import|url\(/);
    expect(html).toContain("A &lt;b&gt;model&lt;/b&gt;");
    for (const address of addresses(html)) expect(address).toMatch(`${service.url}/`);
    expect(addresses(html)).toContain(`${service.url}/v1/runs/run_1/report.md`);
    for (const { id } of report.sections) expect(html).toContain(`id="report-${id}"`);
    expect(html.match(/<svg/g)?.length).toBeGreaterThan(5);
    expect(html).toContain("@media print");
    expect(html).toContain("light-dark(");
  }, 120_000);

  it("writes a page without links for local results, with charts of the samples", async () => {
    const folder = aFolder();
    const scored = await assay("/", [
      "score",
      "extraction",
      "--dataset",
      join(fixtures, "receipts.jsonl"),
      "--answers",
      join(fixtures, "small.jsonl"),
      "--json",
      "--samples",
      join(folder, "samples.jsonl"),
    ]);
    writeFileSync(join(folder, "small.json"), scored.stdout);
    const output = join(folder, "report.html");
    const made = await assay("/none", ["report", "--results-dir", folder, "--output", output]);
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const html = readFileSync(output, "utf8");
    expect(addresses(html)).toEqual([]);
    const { value } = JSON.parse(scored.stdout).metrics.eqs;
    expect(html).toContain(`<span class="value">${value.toFixed(3)}</span>`);
    expect(html).toContain("Lowest scores");
    expect(html).toContain("Counts and metrics");
  }, 120_000);

  it("counts failed requests and missing answers of local results", async () => {
    const folder = aFolder();
    const prompts = ["a", "b", "c", "d"].map((id) => ({ id, prompt: "Describe rain." }));
    writeFileSync(join(folder, "dataset.json"), JSON.stringify(prompts));
    const answers = [
      { id: "a", output: "Rain is water." },
      { id: "b", error: "timeout" },
      { id: "c", error: "timeout" },
    ];
    writeFileSync(join(folder, "answers.json"), JSON.stringify(answers));
    const files = ["dataset", "answers"].flatMap((of) => [`--${of}`, join(folder, `${of}.json`)]);
    const { stdout } = await assay("/", ["score", "quality", ...files, "--json"]);
    writeFileSync(join(folder, "summary.json"), stdout);
    const made = await assay("/", ["report", "--results-dir", folder, "--output", "-"]);
    expect(made.stdout).toContain("| Samples | 4 of 4 done, 3 failed |");
  });

  it("reads the output of a run and of an export, and writes Markdown", async () => {
    const folder = aFolder();
    mkdirSync(join(folder, "run_1"));
    writeFileSync(join(folder, "run_1", "run.json"), JSON.stringify(run));
    writeFileSync(join(folder, "notes.json"), '{"mine": 1}');
    const args = ["report", folder, "--output", "-"];
    const ofRun = await assay("/none", args);
    expect(ofRun.stdout).toMatch(/^# A \\<b\\>model\\<\/b\\>: Structured extraction report\n/);
    expect(ofRun.stdout).toContain(`| EQS | ${run.metrics!["eqs"]!.value!.toFixed(3)} |`);
    writeFileSync(join(folder, "aggregates.json"), JSON.stringify({ run, aggregates: [] }));
    expect(await assay("/none", args)).toEqual(ofRun);
    writeFileSync(join(folder, "run_1", "report.json"), JSON.stringify(report));
    expect(await assay("/none", args)).toEqual(ofRun);
  });

  it("prints the file and its size with --json", async () => {
    await using service = await served();
    const output = join(aFolder(), "report.md");
    const args = [
      "report",
      "--run",
      "run_1",
      "--output",
      output,
      "--json",
      "--server",
      service.url,
    ];
    const { stdout } = await assay("/none", args);
    const bytes = readFileSync(output).length;
    expect(JSON.parse(stdout)).toEqual({ run: "run_1", file: output, bytes });
  });

  it("refuses a folder with several runs or without results", async () => {
    const folder = aFolder();
    const args = ["report", "--results-dir", folder, "--output", "-"];
    expect((await assay("/none", args)).stderr).toMatch(/no results found; assay score --json/);
    for (const id of ["run_1", "run_3"]) {
      writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...run, id }));
    }
    const { code, stderr } = await assay("/none", args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("contains results of 2 runs")]);
  });

  it("refuses a run without results", async () => {
    await using service = await served();
    const args = ["report", "--run", "run_2", "--output", "-", "--server", service.url];
    const { code, stderr } = await assay("/none", args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^run "run_2" is \w+: only finished runs have a report\n$/);
  });

  it.each([
    [["report"], "give the id of a run, or --results-dir DIR"],
    [["report", "run_1", "--run", "run_2"], "give the id of a run, or --results-dir DIR"],
    [["report", "--run", "run_1", "--output", "a.pdf"], "a.pdf: the name must end in .html or .md"],
    [["report", "--results-dir", "/none"], "/none: there is no such file"],
  ])("refuses %j", async (args, message) => {
    expect(await assay("/nowhere", args)).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
  });
});
