import type { Comparison } from "#shared/contracts/comparison.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { compareMessage } from "../platform/messages.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { readableRun } from "../runs/readable-run.ts";
import { comparisonFor } from "../runs/sample-access.ts";
import type { Account } from "../security/account.ts";
import { type RunToCompare, runDifferences } from "./run-differences.ts";
import { workOutComparison } from "./work-out.ts";

/** Samples of all runs together that are compared within a request; more go through the queue. */
export const INLINE_SAMPLES = 10_000;
/** Samples that a Worker's memory and minutes allow. */
export const MOST_SAMPLES = 200_000;

type ComparisonProblem =
  | { type: "not-found" | "not-ready" | "conflict"; detail: string }
  | { type: "not-comparable" | "invalid-request"; detail: string; errors: FieldError[] };

/**
 * The comparison of runs that somebody may read, or null while it is worked out behind the queue. It
 * never changes once the runs have ended, so it is worked out once and kept.
 */
export async function compare(
  ports: Ports,
  account: Account | null,
  ids: readonly string[],
): Promise<Result<Comparison | null, ComparisonProblem>> {
  const found = await Promise.all(ids.map((id) => readableRun(ports, account, id)));
  const missing = found.find((run) => !run.ok);
  if (missing && !missing.ok) return missing;
  const runs = found.flatMap((run) => (run.ok ? [run.value] : []));
  const problem = whyNot(runs);
  if (problem !== null) return err(problem);
  const kept = await ports.objects.get<Comparison>(comparisonKey(runs));
  if (kept !== null) return ok(comparisonFor(account, runs, kept));
  if (samplesOf(runs) > INLINE_SAMPLES) {
    await ports.queues.finish(compareMessage(runs.map((run) => run.id)));
    return ok(null);
  }
  return ok(comparisonFor(account, runs, await keep(ports, runs)));
}

/** Works out what a request left to the queue. Runs that are gone since are nobody's loss. */
export async function compareInQueue(ports: Ports, ids: readonly string[]): Promise<void> {
  const found = await Promise.all(ids.map((id) => ports.runs.get(id)));
  const runs = found.filter((run) => run !== null && run.deletedAt === null) as RunRecord[];
  if (runs.length < ids.length || whyNot(runs) !== null) return;
  if ((await ports.objects.get(comparisonKey(runs))) === null) await keep(ports, runs);
}

async function keep(ports: Ports, runs: readonly RunRecord[]): Promise<Comparison> {
  const comparison = await workOutComparison(ports, runs);
  await ports.objects.putOnce(comparisonKey(runs), JSON.stringify(comparison));
  return comparison;
}

function whyNot(runs: readonly RunToCompare[]): ComparisonProblem | null {
  const open = runs.find((run) => run.status !== "finished");
  if (open) {
    const detail = `run "${open.id}" is ${open.status}; only finished runs can be compared`;
    const isOver = open.status === "cancelled" || open.status === "failed";
    return { type: isOver ? "conflict" : "not-ready", detail };
  }
  const errors = runDifferences(runs);
  if (errors.length > 0) {
    const detail =
      "compare runs of one suite, dataset version, scoring version and prompt, over the same samples";
    return { type: "not-comparable", detail, errors };
  }
  const samples = samplesOf(runs);
  if (samples <= MOST_SAMPLES) return null;
  const detail = `the runs have ${samples} samples together, of which ${MOST_SAMPLES} can be compared here; give fewer runs, or compare their answers with \`assay compare\``;
  return { type: "invalid-request", detail, errors: [{ parameter: "runs", detail }] };
}

const samplesOf = (runs: readonly Pick<RunRecord, "total">[]) =>
  runs.reduce((sum, run) => sum + run.total, 0);

/** A run that is summed up anew, after a retry, is another one to compare. */
const comparisonKey = (runs: readonly RunRecord[]) =>
  `comparisons/${contentHash(runs.map(({ id, finishedAt }) => [id, finishedAt]))}.json`;
