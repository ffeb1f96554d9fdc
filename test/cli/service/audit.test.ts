import { expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";

const entry = {
  id: "act_1",
  at: "2026-11-21T12:00:00.000Z",
  actor: "operator",
  keyId: null,
  action: "run.hide",
  target: "run_1",
  reason: "copied \u001b[31manswers",
  before: { hidden: null },
  after: { hidden: "copied" },
  status: 500,
  requestId: "r1",
};

it("assay audit prints a table and strips control characters", async () => {
  await using service = await fakeService(() => ({ body: { entries: [entry] } }));
  const run = ["audit", "--target", "run_1", "--server", service.url];
  const { code, stdout } = await assay("/none", run);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^time +actor +action +target +reason +before +after\n/);
  expect(stdout).toContain("run.hide (failed)");
  expect(stdout).not.toContain("\u001b");
  expect(service.asked[0]?.call).toBe("GET /v1/operator/audit?target=run_1&limit=200");
});

it("assay audit prints the entries with --json and the export with --format", async () => {
  await using service = await fakeService(() => ({ body: { entries: [entry] } }));
  const shown = await assay("/none", ["audit", "--json", "--server", service.url]);
  expect(JSON.parse(shown.stdout)).toEqual({ entries: [entry] });
  await assay("/none", ["audit", "--format", "csv", "--actor", "a b", "--server", service.url]);
  expect(service.asked[1]?.call).toBe("GET /v1/operator/audit.csv?actor=a+b");
});
