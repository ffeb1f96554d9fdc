import type { RunRecord } from "../../api/runs/schema.ts";
import type { Service } from "./service.ts";

/**
 * Stores copies of a finished run under numbers, each of a model of its own with another score: `run-7` of the model
 * `bench/copy-7`. Their reports and scores are not stored.
 */
export function copyRuns({ database }: Service, run: RunRecord, from: number, to: number): void {
  const columns = database.prepare("PRAGMA table_info(runs)").all();
  const names = columns.map(({ name }) => `${name}`);
  const changed: Record<string, string> = {
    id: "id || '-' || n.i",
    model_slug: "'bench/copy-' || n.i",
    model: "json_set(model, '$.slug', 'bench/copy-' || n.i)",
    metrics: `json_set(metrics, '$."' || headline || '".value', (n.i * 7919 % 10007) / 10007.0)`,
  };
  const values = names.map((name) => changed[name] ?? name);
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
    INSERT INTO runs (${names}) SELECT ${values} FROM runs, n WHERE id = '${run.id}';
    WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
    INSERT INTO snapshot_changes (kind, id) SELECT 'runs', '${run.id}-' || i FROM n`);
}
