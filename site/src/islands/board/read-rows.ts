import type { BoardRow } from "./arranged-rows.ts";
import { cellNumber } from "./cell-number.ts";

/** A row with its element. */
export interface TableRow extends BoardRow {
  element: HTMLTableRowElement;
}

/** What a cell is sorted by: a date, a name, or the number that it begins with. */
function sortValue(cell: Element, key: string): number | string | null {
  if (key === "date") return cell.querySelector("time")?.dateTime ?? null;
  if (key === "model") return cell.querySelector("a")?.textContent ?? null;
  return cellNumber((cell.querySelector("strong") ?? cell.firstChild ?? cell).textContent ?? "");
}

/** The rows of a table, by the keys of its columns. */
export function readRows(table: HTMLTableElement, keys: readonly string[]): TableRow[] {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  return rows.map((element) => {
    const cells = [...element.cells];
    const model = element.querySelector("th");
    const names = ["a", ".slug"].map((part) => model?.querySelector(part)?.textContent ?? "");
    return {
      element,
      name: names.join(" "),
      provenance: element.dataset["provenance"] ?? "",
      simulated: element.dataset["simulated"] !== undefined,
      tie: element.dataset["tie"] ?? "",
      values: Object.fromEntries(
        keys.map((key, i) => [key, cells[i] ? sortValue(cells[i], key) : null]),
      ),
    };
  });
}
