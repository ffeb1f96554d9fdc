import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Highlights, RunReport, SampleReport } from "#shared/contracts/run-report.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { sampleBlocks } from "#shared/measures/report/run/sample-blocks.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";
import { highlights } from "./highlights.ts";
import { partsKey, type RunParts } from "./run-objects.ts";
import { type SampleProblem, sampleResult } from "./sample-view.ts";
import { wholeRun } from "./whole-run.ts";

type Unfinished = { type: "not-ready" | "conflict"; detail: string };

/** The highlights of a finished run. */
export async function runHighlights(
  ports: Ports,
  run: RunRecord,
): Promise<Result<Highlights, Unfinished>> {
  const { id, status } = run;
  if (status !== "finished") {
    const isOver = status === "cancelled" || status === "failed";
    const detail = `run "${id}" is ${status}; highlights are picked when a run finishes`;
    return err({ type: isOver ? "conflict" : "not-ready", detail });
  }
  const parts = await ports.objects.get<RunParts>(partsKey(run));
  return ok({ samples: await highlights(ports, run, parts?.points ?? null) });
}

/** A run's report as data for somebody; of one that has not finished it says how far it is. */
export async function reportView(
  ports: Ports,
  record: RunRecord,
  account: Account | null,
): Promise<RunReport> {
  const run = await wholeRun(ports, record, account);
  return runReport(
    ports.suites.byId(record.suite),
    run,
    await highlights(ports, record, run.points),
  );
}

/** One sample of a run as its suite shows it. */
export async function sampleReport(
  ports: Ports,
  run: RunRecord,
  sampleId: string,
  repeat: number,
): Promise<Result<SampleReport, SampleProblem>> {
  const found = await sampleResult(ports, run, sampleId, repeat);
  if (!found.ok) return found;
  const { sample: _, answer: __, said: ___, detail: ____, ...row } = found.value;
  const blocks = sampleBlocks(suiteOf(ports, run), run, found.value);
  return ok({ sample: { ...row, repeat }, blocks });
}

function suiteOf(ports: Ports, run: RunRecord): Suite {
  const suite = ports.suites.byId(run.suite);
  if (!suite) throw new Error(`suite ${run.suite} is not registered`);
  return suite;
}
