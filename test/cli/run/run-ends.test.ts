import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runEnds } from "../../../cli/remote/run-ends.ts";
import { serviceClient } from "../../../cli/remote/service-client.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";
import { aService, eqs, finished, flags } from "../support/run-service.ts";

const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
const priced: Run = { ...finished, cost: { spentUsd: 0.0123, maxUsd: null } };
const listed = { ...priced, visibility: "public" as const, variant: null, options: {} };

/** A service whose board has these entries; null: without a board. */
const withBoard = (entries: object[] | null) =>
  fakeService(() =>
    entries === null ? { status: 404 } : { body: { entries, listed: entries.length } },
  );

const entry = (run: string, rank: number | null, unrankedReason: string | null = null) => ({
  run,
  rank,
  unrankedReason,
});

async function endsOf(run: Run, entries: object[] | null, isLasting = true) {
  await using service = await withBoard(entries);
  const client = serviceClient({ origin: service.url, apiKey: null }, "submit");
  const text = await runEnds(client, [run], { isLasting, folder: null, stream });
  return text.replaceAll(service.url, "URL").split("\n");
}

describe("runEnds() prints", () => {
  it("score, rank, cost and the address of the report", async () => {
    const others = [entry("run_9", 1), entry("run_1", 2), entry("run_8", null, "coverage")];
    const [said, report] = await endsOf(listed, others);
    expect(said).toContain(`acme/a-model: EQS ${eqs.toFixed(3)} (95% `);
    expect(said).toMatch(/, rank 2 of 2, \$0\.0123$/);
    expect(report).toBe(`  Report: URL${listed.links.report ?? "/run/?id=run_1"}`);
  });

  it("the measured cost of the report rather than the upper bound of the run", async () => {
    const costUsd = { value: 0.0098, interval: null, n: 3, coverage: 1 };
    const [said] = await endsOf({ ...listed, metrics: { ...listed.metrics, costUsd } }, null);
    expect(said).toMatch(/, \$0\.00980$/);
  });

  it.each<[string, Partial<Run>, object[] | null, RegExp]>([
    [
      "why the run is not ranked",
      {},
      [entry("run_1", null, "coverage 90% is below 95%")],
      /not ranked: coverage 90% is below 95%/,
    ],
    ["that the run is unlisted", { visibility: "unlisted" }, [], /unlisted, so without a rank/],
    [
      "that the run is on a sample of the dataset",
      { options: { sample: { n: 5 } } },
      [],
      /not ranked: only some of the samples/,
    ],
    ["that there is no rank yet", {}, null, /no rank yet/],
    ["no cost without prices", { cost: null }, null, /no rank yet$/],
  ])("%s", async (_, more, entries, text) => {
    expect((await endsOf({ ...listed, ...more }, entries))[0]).toMatch(text);
  });

  it("the command that writes the report, if the service is temporary", async () => {
    expect((await endsOf(listed, null, false))[1]).toBe("  Report: assay report run_1 writes it");
  });

  it("a warning if judges gave only the lowest grade", async () => {
    const metrics = { ...listed.metrics, eqs: { ...listed.metrics!["eqs"]!, value: 0 } };
    const judging = { judges: {}, own: [] } as never;
    const [, note] = await endsOf({ ...listed, metrics, judging }, null);
    expect(note).toMatch(/every answer the lowest grade/);
    expect((await endsOf({ ...listed, metrics }, null))[1]).toMatch(/Report/);
  });

  it("how to compare several runs, at the service or in result folders", async () => {
    await using service = await withBoard(null);
    const client = serviceClient({ origin: service.url, apiKey: null }, "submit");
    const ends = (isLasting: boolean) =>
      runEnds(client, [listed, { ...listed, id: "run_2" }], { isLasting, folder: "out", stream });
    expect(await ends(true)).toMatch(/compare run_1 run_2$/);
    expect(await ends(false)).toMatch(/compare out\/run_1 out\/run_2$/);
  });

  it("nothing without a score", async () => {
    expect(await endsOf({ ...listed, status: "failed" }, null)).toEqual([""]);
  });
});

it("assay run prints score and report last, and neither with --json", async () => {
  await using service = await aService();
  const args = ["run", "extraction", ...flags, "--server", service.url];
  const { stdout } = await assay("/none", args);
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
    expect.stringContaining("acme/a-model: EQS"),
    expect.stringContaining(`  Report: ${service.url}/run`),
  ]);
  expect((await assay("/none", [...args, "--json"])).stdout).not.toContain("Report:");
});

it("assay run redacts a key that a service quotes in a result", async () => {
  process.env["ENDS_KEY"] = "sk-secret-0123456789";
  const reason = "refused sk-secret-0123456789";
  await using service = await aService({ ...finished, status: "failed", statusReason: reason });
  const args = [
    "run",
    "extraction",
    ...flags,
    "--server",
    service.url,
    "--api-key-env",
    "ENDS_KEY",
  ];
  for (const more of [[], ["--json"]]) {
    const { stdout, stderr } = await assay("/none", [...args, ...more]);
    expect(stdout).toContain("refused [redacted]");
    expect(stdout + stderr).not.toContain("sk-secret-0123456789");
  }
  delete process.env["ENDS_KEY"];
});
