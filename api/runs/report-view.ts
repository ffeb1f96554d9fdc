import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Highlight, Highlights, RunReport } from "#shared/contracts/run-report.ts";
import type { RunPoints } from "#shared/contracts/runs/run-points.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { withPlannedTest } from "../comparisons/planned-test.ts";
import { openRun } from "../engine/run-work.ts";
import { type Account, readerOf } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { areAnswersGone, partsKey, type RunParts } from "./run-objects.ts";
import { wholeSample } from "./samples.ts";
import type { RunRecord } from "./schema.ts";
import { storedBySeq } from "./stored-samples.ts";
import { wholeRun } from "./view.ts";

type Unfinished = { type: "not-ready" | "conflict"; detail: string };

export async function runHighlights(
  platform: Platform,
  run: RunRecord,
): Promise<Result<Highlights, Unfinished>> {
  const { id, status } = run;
  if (status !== "finished") {
    const isOver = status === "cancelled" || status === "failed";
    const detail = `run "${id}" is ${status}; highlights are selected when a run finishes`;
    return err({ type: isOver ? "conflict" : "not-ready", detail });
  }
  const parts = await platform.objects.get<RunParts>(partsKey(run));
  return ok({ samples: await highlights(platform, run, parts?.points ?? null) });
}

/** A run's report as data for a reader; if the run has not finished, its progress. */
export async function reportView(
  platform: Platform,
  record: RunRecord,
  account: Account | null,
): Promise<RunReport> {
  const whole = await wholeRun(platform, record, account);
  const run = await withPlannedTest(platform, record, whole, readerOf(account));
  const submittedBy = await platform.domains.publicOwner(record.owner, platform.now());
  return runReport(
    platform.suites.byId(record.suite),
    { ...run, ...(submittedBy && { submittedBy }) },
    await highlights(platform, record, run.points),
  );
}

/** Larger answers (characters of JSON with scores) are not picked, because a page shows all picks. */
const MOST_CHARS = 1_000_000;

/**
 * The answers picked when the run was summed up; empty if none were picked or the raw answers were deleted. Reads
 * shared objects once.
 */
async function highlights(
  platform: Platform,
  run: RunRecord,
  points: RunPoints | null,
): Promise<Highlight[]> {
  const picks = points?.picks ?? [];
  if (picks.length === 0 || areAnswersGone(run, platform.settings, platform.now())) return [];
  const { plan } = await openRun(platform, { ...run, sealedSecrets: null });
  const rows = await platform.runs.samplesAt(
    run.id,
    picks.map(({ seq }) => seq),
  );
  const stored = await storedBySeq(platform.objects, rows);
  const found: Highlight[] = [];
  for (const { kind, reason, repeat, seq } of picks) {
    const row = rows.find((one) => one.seq === seq);
    const answer = stored.get(seq);
    if (row === undefined || answer === undefined) continue;
    const result = await wholeSample(platform, { run, plan }, row, answer);
    if (JSON.stringify(result).length > MOST_CHARS) continue;
    found.push({ kind, reason, repeat, result });
  }
  return found;
}
