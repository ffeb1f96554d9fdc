import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "../../../shared/contracts/run.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { aService, eqs, finished, flags } from "../support/run-service.ts";

const folder = folderWith({});

afterAll(folder.dispose);
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", at("state"));
});

const at = (name: string) => join(folder.path, name);

describe("limits of assay run", () => {
  const run = (url: string, ...more: string[]) =>
    assay(folder.path, ["run", ...flags, "--server", url, ...more]);

  it("exit with 0 if met, and are in JUnit XML and JSON", async () => {
    await using service = await aService();
    const { code, stdout } = await run(
      service.url,

      "--fail-under",
      "EQS=0.5",
      "--fail-under",
      "hallucination_rate=1",
      "--junit",
      at("met.xml"),
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      submission: "sub_1",
      passed: true,
      runs: [{ id: "run_1" }],
      limits: [
        { run: "run_1", metric: "eqs", better: "higher", limit: 0.5, value: eqs, met: true },
        { metric: "hallucinationRate", better: "lower", limit: 1, met: true },
      ],
    });
    expect(readFileSync(at("met.xml"), "utf8")).toContain(
      '<testsuites tests="3" failures="0" errors="0" skipped="0">',
    );
  });

  it("name the variant in JUnit XML and on standard error", async () => {
    await using service = await aService({ ...finished, variant: { prompt: "short" } });
    const limit = ["--fail-under", "latencyP95=1", "--junit", at("variant.xml")];
    const { stderr } = await run(service.url, ...limit);
    expect(stderr).toMatch(/^run_1 \(acme\/a-model, prompt short\): Latency p95 is/);
    const name = "acme/a-model, prompt short · extraction · stock";
    expect(readFileSync(at("variant.xml"), "utf8")).toContain(`name="${name}: finished"`);
  });

  it("exit with 1 if missed, in the metric's direction", async () => {
    await using service = await aService();
    const { code, stdout, stderr } = await run(
      service.url,
      "--fail-under",
      "eqs=0.999",
      "--fail-under",
      "latencyP95=1",
      "--junit",
      at("missed.xml"),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^run_1 \(acme\/a-model\): EQS is 0\.\d+ \(95% interval 0\.\d+ – 0\.\d+\), wanted EQS ≥ 0\.999\nrun_1 .*≤ 1 ms\n$/,
    );
    expect(stdout).toMatch(/acme\/a-model +EQS +0\.\d+ .* ≥ 0\.999 +not met/);
    const xml = readFileSync(at("missed.xml"), "utf8");
    expect(xml).toContain('tests="3" failures="2" errors="0"');
    expect(xml).toMatch(/<failure message="EQS is 0\.\d+ \(95% interval .*wanted EQS ≥ 0\.999"/);
  });

  it("can be a tier of the suite; a limit on a single metric takes precedence", async () => {
    await using service = await aService();
    const { code, stdout, stderr } = await run(
      service.url,
      "--fail-under",
      "excellence",
      "--fail-under",
      "latencyP95=1",
    );
    expect(code).toBe(1);
    const outcomes = stdout.split("\n").map((line) => line.replace(/ {2,}/g, "|"));
    const limits = outcomes.flatMap((line) => {
      const [, metric, , , , limit] = line.split("|");
      return limit?.match(/^[≥≤]/) ? [`${metric} ${limit}`] : [];
    });
    expect(limits).toEqual([
      "Latency p95 ≤ 1 ms",
      "EQS ≥ 0.900",
      "Schema validity ≥ 0.990",
      "Partial F1 ≥ 0.900",
      "Hallucination rate ≤ 2.0%",
      "Success rate ≥ 99.9%",
    ]);
    expect(stderr).toMatch(/Latency p95 is .*, wanted Latency p95 ≤ 1 ms/);
  });

  it("can be a tier in the config file", async () => {
    await using service = await aService();
    writeFileSync(at("tier.yaml"), "metrics: { thresholds: minimum }\n");
    const { code, stdout } = await run(
      service.url,
      "--config",
      at("tier.yaml"),
      "--fail-under",
      "eqs=0.999",
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/EQS .*≥ 0\.999 +not met/);
    expect(stdout).toMatch(/Success rate .*≥ 99\.0% /);
  });

  it("of a flag take precedence over the file's limit on the same metric", async () => {
    await using service = await aService();
    writeFileSync(
      at("limits.yaml"),
      "metrics: { enabled: [exact_match], thresholds: { eqs: 1, validity: 0 } }\n",
    );
    const { code, stdout } = await run(
      service.url,
      "--config",
      at("limits.yaml"),
      "--fail-under",
      "eqs=0.1",
    );
    expect(code).toBe(0);
    const outcomes = stdout.split("\n").map((line) => line.replace(/ {2,}/g, "|"));
    expect(outcomes).toContainEqual(expect.stringMatching(/\|EQS\|.*\|≥ 0\.100\|met$/));
    expect(outcomes).toContainEqual(expect.stringMatching(/\|Schema validity\|.*\|met$/));
    expect(outcomes).toContainEqual(expect.stringMatching(/\|Exact match\|/));
  });

  it("are skipped for an unfinished run, which exits with 1", async () => {
    const failed: Run = {
      ...finished,
      status: "failed",
      statusReason: "no <such> model",
      metrics: null,
    };
    await using service = await aService(failed);
    const { code, stdout, stderr } = await run(
      service.url,
      "--fail-under",
      "eqs=0.1",
      "--junit",
      at("failed.xml"),
    );
    expect([code, stderr]).toEqual([1, "run_1 (acme/a-model) is failed\n"]);
    expect(stdout).toContain("run_1: no <such> model");
    const xml = readFileSync(at("failed.xml"), "utf8");
    expect(xml).toContain('tests="2" failures="0" errors="1" skipped="1"');
    expect(xml).toContain("run_1 is failed: no &lt;such&gt; model");
  });
});
