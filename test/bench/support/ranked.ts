import { readFileSync } from "node:fs";
import type { RunScores } from "../../../shared/contracts/runs/run-scores.ts";
import {
  addRun,
  type ScoreTable,
  scoreTable,
} from "../../../shared/measures/comparison/score-table.ts";
import { rankRuns } from "../../../shared/measures/comparison/standings.ts";

/** Reads runs from files of their scores, one by one, and ranks them by the headline of extraction, as boards do. */
export function ranked(files: readonly string[]): void {
  let table: ScoreTable | null = null;
  for (const file of files) table = withRun(table, file);
  rankRuns(table!, { id: "eqs", better: "higher" }, "bench");
}

function withRun(before: ScoreTable | null, file: string): ScoreTable {
  const scores = JSON.parse(readFileSync(file, "utf8")) as RunScores;
  const table = before ?? scoreTable(scores);
  addRun(table, file, scores, { metrics: ["eqs"], lacking: "failed" });
  return table;
}
