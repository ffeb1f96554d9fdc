import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import type { FaultRow } from "./fault-table.ts";

/** The used parts of Vitest's JSON report. */
interface Report {
  testResults: {
    assertionResults: {
      fullName: string;
      status: string;
      meta?: { faults?: { fault: string; injected: number }[] };
    }[];
  }[];
}

/**
 * Runs the tests that inject faults step by step inside workerd. These faults depend on timing, such as two holders in
 * the same millisecond. A fault is survived if its test passes.
 */
export function proveSteps(): { rows: FaultRow[]; problems: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "assay-steps-"));
  const file = join(folder, "report.json");
  const vitest = join(root, "node_modules", ".bin", "vitest");
  const args = ["run", "--project", "worker", "test/faults/worker", "--reporter=json"];
  spawnSync(vitest, [...args, `--outputFile=${file}`], { cwd: root, stdio: "ignore" });
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  rmSync(folder, { recursive: true, force: true });
  const tests = report.testResults.flatMap((result) => result.assertionResults);
  const failed = tests.filter(({ status }) => status !== "passed");
  const rows = new Map<string, FaultRow>();
  for (const { status, meta } of tests) {
    for (const { fault, injected } of meta?.faults ?? []) {
      const row = rows.get(fault) ?? { fault, injected: 0, survived: 0, lost: 0 };
      row.injected += injected;
      row[status === "passed" ? "survived" : "lost"] += injected;
      rows.set(fault, row);
    }
  }
  return {
    rows: [...rows.values()].sort((a, b) => (a.fault < b.fault ? -1 : 1)),
    problems: failed.map(({ fullName }) => `test failed: ${fullName}`),
  };
}
