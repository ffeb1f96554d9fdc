import type { BoardState } from "./board-state.ts";

/** A row of a table of models, for searching and sorting. */
export interface BoardRow {
  /** Name, slug, and ids of the models that were requested and that answered. */
  name: string;
  provenance: string;
  simulated: boolean;
  tie: string;
  /** By column; null if not measured. */
  values: Readonly<Record<string, number | string | null>>;
}

const plain = (text: string): string => text.normalize("NFKD").toLowerCase();

function isShown(row: BoardRow, state: BoardState): boolean {
  const { q, provenance, models, ties } = state;
  return (
    plain(row.name).includes(plain(q.trim())) &&
    (provenance === "" || row.provenance === provenance) &&
    (models === "" || row.simulated === (models === "simulated")) &&
    (ties === "" || row.tie === ties)
  );
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** The rows to show, in order. Rows without a value come last in both orders; equal rows keep their order. */
export function sortAndFilterRows<Row extends BoardRow>(
  rows: readonly Row[],
  state: BoardState,
): Row[] {
  const shown = rows.filter((row) => isShown(row, state));
  if (state.sort === "") return shown;
  const sign = state.order === "descending" ? -1 : 1;
  return shown.sort((a, b) => {
    const [left, right] = [a.values[state.sort] ?? null, b.values[state.sort] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}
