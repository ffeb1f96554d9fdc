import type { RunRecord } from "../../api/runs/schema.ts";
import type { Service } from "./service.ts";

/**
 * Stores numbered copies of a finished run, each with its own model and score: `run-7` has the model `bench/copy-7`.
 * Does not store their reports and scores.
 */
export function copyRuns({ database }: Service, run: RunRecord, from: number, to: number): void {
  const columns = database.prepare("PRAGMA table_info(runs)").all();
  const names = columns.map(({ name }) => `${name}`);
  for (const statement of copiesOf(run.id, names, from, to)) database.exec(statement);
}

/** The score of a copy. */
export const scoreOfCopy = (i: number): number => ((i * 7919) % 10007) / 10007;

/** SQL statements that insert the copies; `names`: columns of the table `runs`. */
export function copiesOf(
  run: string,
  names: readonly string[],
  from: number,
  to: number,
): string[] {
  const changed: Record<string, string> = {
    id: "id || '-' || n.i",
    model_slug: "'bench/copy-' || n.i",
    model: "json_set(model, '$.slug', 'bench/copy-' || n.i)",
    metrics: `json_set(metrics, '$."' || headline || '".value', (n.i * 7919 % 10007) / 10007.0)`,
  };
  const values = names.map((name) => changed[name] ?? name);
  const numbers = `WITH RECURSIVE n(i) AS
    (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
  return [
    `${numbers} INSERT INTO runs (${names}) SELECT ${values} FROM runs, n WHERE id = '${run}'`,
    `${numbers} INSERT OR IGNORE INTO snapshot_changes (kind, id) SELECT 'runs', '${run}-' || i FROM n`,
  ];
}
