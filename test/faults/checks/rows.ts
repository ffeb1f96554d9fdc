import type { RunEvidence, SampleRow } from "../evidence.ts";

/** What is wrong with the rows of a run that asked all `ids` once: none missing, none twice, all counted. */
export function checkRows({ run, rows, stored }: RunEvidence, ids: readonly string[]): string[] {
  const sum = (of: (row: SampleRow) => number | null) =>
    rows.reduce((total, row) => total + (of(row) ?? 0), 0);
  const pairs: [what: string, found: unknown, expected: unknown][] = [
    ["status", run.status, "finished"],
    ["rows", rows.length, ids.length],
    ["places", rows.map(({ seq }) => seq).join(), ids.map((_, seq) => seq).join()],
    ["sample ids", rows.map(({ sample_id }) => sample_id).join(), ids.join()],
    ["total", run.total, ids.length],
    ["done", run.done, rows.length],
    ["failed", run.failed, rows.filter(({ covered }) => !covered).length],
    ["input tokens", run.input_tokens, sum((row) => row.input_tokens)],
    ["output tokens", run.output_tokens, sum((row) => row.output_tokens)],
    ["sealed secrets", run.sealed_secrets, null],
    ["rows whose answer is stored", stored.size, rows.length],
    ["rows unlike their answer", rows.filter((row) => !isLike(row, stored)).length, 0],
  ];
  return pairs
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${run.model_slug}: ${what} ${found}, not ${expected}`);
}

function isLike(row: SampleRow, stored: RunEvidence["stored"]): boolean {
  const { id, answer, score } = stored.get(row.seq) ?? {};
  return (
    row.sample_id === id &&
    row.status === score?.status &&
    row.score === score.score &&
    Boolean(row.covered) === score.covered &&
    row.latency_ms === answer?.latencyMs &&
    row.input_tokens === answer?.inputTokens &&
    row.output_tokens === answer?.outputTokens &&
    row.attempts === answer?.attempts &&
    row.error_class === (answer?.error?.class ?? null)
  );
}
