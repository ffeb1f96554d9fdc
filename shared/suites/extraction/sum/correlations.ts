import type { RowNumbers } from "./columns.ts";
import type { ScoreRow } from "./score-row.ts";

/** The measures whose correlation is reported, and how a row gives a pair of them. */
export const correlationPairs = [
  pair("partialF1ByFields", "Partial F1", "total fields", (row, { partialF1 }) => [
    partialF1,
    row.totalFields,
  ]),
  pair("partialF1ByDepth", "Partial F1", "schema depth", (row, { partialF1 }) => [
    partialF1,
    row.maxDepth,
  ]),
  pair("partialF1ByRequired", "Partial F1", "required fields", (row, { partialF1 }) => [
    partialF1,
    row.requiredFields,
  ]),
  pair("latencyByFields", "Latency", "total fields", (row) => [row.latencyMs, row.totalFields]),
  pair("latencyByDepth", "Latency", "schema depth", (row) => [row.latencyMs, row.maxDepth]),
  pair("latencyByRequired", "Latency", "required fields", (row) => [
    row.latencyMs,
    row.requiredFields,
  ]),
  pair("latencyByInput", "Latency", "characters of the text", (row) => [
    row.latencyMs,
    row.inputChars,
  ]),
  pair("latencyByOutput", "Latency", "characters of the output", (row) => [
    row.latencyMs,
    row.outputChars,
  ]),
] as const;
export type CorrelationId = (typeof correlationPairs)[number]["id"];

function pair<Id extends string>(
  id: Id,
  measure: string,
  by: string,
  of: (row: ScoreRow, numbers: RowNumbers) => [number | null, number | null],
) {
  return { id, measure, by, of };
}
