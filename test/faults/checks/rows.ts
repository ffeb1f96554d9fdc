import type { RunEvidence, RunRow, SampleRow } from "../evidence.ts";

/** Problems in the rows, counters and secrets of an ended run, which may be incomplete. */
export function checkRows(
  { run, rows, stored }: RunEvidence,
  end: string,
  ids: readonly string[],
): string[] {
  const sum = (of: (row: SampleRow) => number | null) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const count = (is: (row: SampleRow) => boolean) => rows.filter(is).length;
  const isPlaced = (row: SampleRow) => ids[row.seq] === row.sample_id;
  return complaints(run, [
    ["status", run.status, end],
    ["total", run.total, ids.length],
    ["rows in places of other samples", count((row) => !isPlaced(row)), 0],
    ["places with two rows", rows.length - new Set(rows.map(({ seq }) => seq)).size, 0],
    ["done", run.done, rows.length],
    ["failed", run.failed, count(({ covered }) => !covered)],
    ["input tokens", run.input_tokens, sum((row) => row.input_tokens)],
    ["output tokens", run.output_tokens, sum((row) => row.output_tokens)],
    ["sealed secrets", run.sealed_secrets, null],
    ["status reason", run.status_reason, null],
    ["rows whose answer is stored", stored.size, rows.length],
    ["rows unlike their answer", count((row) => !isLike(row, stored)), 0],
    ["rows with impossible counts", count((row) => !isCounted(row)), 0],
    ["rows with impossible times", count((row) => !isTimed(row, run)), 0],
  ]);
}

/** Problems of a finished run that should have exactly one row for each of `ids`. */
export function checkWhole({ run, rows }: RunEvidence, ids: readonly string[]): string[] {
  return complaints(run, [
    ["rows", rows.length, ids.length],
    ["places", rows.map(({ seq }) => seq).join(), ids.map((_, seq) => seq).join()],
  ]);
}

type Pair = [name: string, found: unknown, expected: unknown];

const complaints = (run: RunRow, pairs: readonly Pair[]): string[] =>
  pairs
    .filter(([, found, expected]) => found !== expected)
    .map(([name, found, expected]) => `${run.model_slug}: ${name} ${found}, not ${expected}`);

function isLike(row: SampleRow, stored: RunEvidence["stored"]): boolean {
  const { id, answer, score, doneMs } = stored.get(row.seq) ?? {};
  return (
    row.sample_id === id &&
    row.status === score?.status &&
    row.score === score.score &&
    Boolean(row.covered) === score.covered &&
    row.latency_ms === answer?.latencyMs &&
    row.input_tokens === answer?.inputTokens &&
    row.output_tokens === answer?.outputTokens &&
    row.requests === answer?.requests &&
    row.attempts === answer?.attempts &&
    row.queue_wait_ms === answer?.queueWaitMs &&
    row.retry_wait_ms === answer?.retryWaitMs &&
    row.done_ms === doneMs &&
    row.error_class === (answer?.error?.class ?? null)
  );
}

/** Only a sample that the service lost can have no requests. */
const isCounted = ({ requests, attempts, error_class }: SampleRow): boolean =>
  error_class === "lost" || (requests >= 1 && attempts >= requests);

/** Waits are not negative, and samples end within the run. Rescored answers keep the times of their first run. */
function isTimed(row: SampleRow, run: RunRow): boolean {
  const { queue_wait_ms, retry_wait_ms, done_ms, error_class } = row;
  if (error_class === "lost") return true;
  if (queue_wait_ms === null || retry_wait_ms === null || done_ms === null) return false;
  if (queue_wait_ms < 0 || retry_wait_ms < 0 || done_ms < queue_wait_ms) return false;
  // A cancelled run stores answers of requests that were still in flight.
  if (run.parent_id !== null || run.status === "cancelled") return true;
  const { started_at, finished_at, idle_ms } = run;
  if (started_at === null || finished_at === null) return false;
  return done_ms <= finished_at - started_at - idle_ms;
}
