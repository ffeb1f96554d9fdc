import { type Aggregates, aggregateRowSchema } from "#shared/contracts/aggregate-row.ts";
import { csvRecord } from "#shared/contracts/csv.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { aggregateRows } from "#shared/measures/exports/aggregate-rows.ts";

const columns = Object.keys(aggregateRowSchema.shape) as (keyof typeof aggregateRowSchema.shape)[];

/** What was summed up of a run: its metrics and every cell of its breakdown. As JSON, with the run itself. */
export function aggregatesExport(
  run: Run,
  catalogue: readonly Metric[],
  format: "json" | "jsonl" | "csv",
): string {
  const rows = [...aggregateRows(run, catalogue)];
  if (format === "jsonl") return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (format === "csv") {
    const records = rows.map((row) => csvRecord(columns.map((column) => row[column])));
    return [csvRecord(columns), ...records].join("");
  }
  const whole: Aggregates = { run, aggregates: rows };
  return `${JSON.stringify(whole)}\n`;
}
