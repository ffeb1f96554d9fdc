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

/** A service whose board has these entries; null: it has none. */
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

describe("a run ends with", () => {
  it("score, rank, cost and the address of its report", async () => {
    const others = [entry("run_9", 1), entry("run_1", 2), entry("run_8", null, "coverage")];
    const [said, report] = await endsOf(listed, others);
    expect(said).toContain(`acme/a-model: EQS ${eqs.toFixed(3)} (95% `);
    expect(said).toMatch(/, rank 2 of 2, \$0\.0123$/);
    expect(report).toBe(`  Report: URL${listed.links.report ?? "/run/?id=run_1"}`);
  });

  it("the cost of its report, not the most that its tokens can cost", async () => {
    const costUsd = { value: 0.0098, interval: null, n: 3, coverage: 1 };
    const [said] = await endsOf({ ...listed, metrics: { ...listed.metrics, costUsd } }, null);
    expect(said).toMatch(/, \$0\.00980$/);
  });

  it.each<[string, Partial<Run>, object[] | null, RegExp]>([
    [
      "why it is not ranked",
      {},
      [entry("run_1", null, "coverage 90% is below 95%")],
      /not ranked: coverage 90% is below 95%/,
    ],
    ["that it is unlisted", { visibility: "unlisted" }, [], /unlisted, so without a rank/],
    [
      "that it is a sample",
      { options: { sample: { n: 5 } } },
      [],
      /not ranked: only some of the samples/,
    ],
    ["that there is no rank yet", {}, null, /no rank yet/],
    ["no cost without prices", { cost: null }, null, /no rank yet$/],
  ])("%s", async (_, more, entries, text) => {
    expect((await endsOf({ ...listed, ...more }, entries))[0]).toMatch(text);
  });

  it("the command that writes its report, where the service ends with the command", async () => {
    expect((await endsOf(listed, null, false))[1]).toBe("  Report: assay report run_1 writes it");
  });

  it("a warning where judges gave the lowest grade alone", async () => {
    const metrics = { ...listed.metrics, eqs: { ...listed.metrics!["eqs"]!, value: 0 } };
    const judging = { judges: {}, own: [] } as never;
    const [, note] = await endsOf({ ...listed, metrics, judging }, null);
    expect(note).toMatch(/every answer the lowest grade/);
    expect((await endsOf({ ...listed, metrics }, null))[1]).toMatch(/Report/);
  });

  it("how to compare several, where their results are", async () => {
    await using service = await withBoard(null);
    const client = serviceClient({ origin: service.url, apiKey: null }, "submit");
    const ends = (isLasting: boolean) =>
      runEnds(client, [listed, { ...listed, id: "run_2" }], { isLasting, folder: "out", stream });
    expect(await ends(true)).toMatch(/compare run_1 run_2$/);
    expect(await ends(false)).toMatch(/compare out\/run_1 out\/run_2$/);
  });

  it("nothing if it has no score", async () => {
    expect(await endsOf({ ...listed, status: "failed" }, null)).toEqual([""]);
  });
});

it("assay run prints it last, and not with --json", async () => {
  await using service = await aService();
  const args = ["run", "extraction", ...flags, "--server", service.url];
  const { stdout } = await assay("/none", args);
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
    expect.stringContaining("acme/a-model: EQS"),
    expect.stringContaining(`  Report: ${service.url}/run`),
  ]);
  expect((await assay("/none", [...args, "--json"])).stdout).not.toContain("Report:");
});

it("assay run prints no key that a service quotes in a result", async () => {
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
