import { type BoardState, noState, readState, sortedBy, writeState } from "./board-state.ts";
import { type BoardRow, sortAndFilterRows } from "./sort-and-filter-rows.ts";

/** Elements of the island. */
interface Parts {
  table: HTMLTableElement;
  headings: SortHeading[];
  rows: TableRow[];
  status: HTMLElement;
}

const filterNames = ["q", "provenance", "models", "ties"] as const;

type Filter = {
  name: (typeof filterNames)[number];
  field: HTMLInputElement | HTMLSelectElement;
};

/** The filters that this board has. */
const filtersOf = (form: HTMLFormElement): Filter[] =>
  filterNames.flatMap((name) => {
    const field = form.querySelector<Filter["field"]>(`[name="${name}"]`);
    return field === null ? [] : [{ name, field }];
  });

/** Shows the matching rows in the table, in their order, and announces it. */
function show({ table, headings, rows, status }: Parts, state: BoardState): void {
  const shown = sortAndFilterRows(rows, state);
  const [body] = table.tBodies;
  const isAsShown =
    body?.rows.length === shown.length && shown.every(({ element }, i) => element === body.rows[i]);
  // Moving rows to their current position would cause a new layout.
  if (!isAsShown) body?.replaceChildren(...shown.map(({ element }) => element));
  const isAsRanked = shown.length === rows.length && shown.every((row, i) => row === rows[i]);
  table.classList.toggle("is-rearranged", !isAsRanked);
  for (const { element, key } of headings) {
    if (key === state.sort) element.setAttribute("aria-sort", state.order);
    else element.removeAttribute("aria-sort");
  }
  const sorted = headings.find(({ key }) => key === state.sort);
  status.textContent = boardSummary(shown.length, rows.length, state, sorted?.label);
}

/** Lets a table of models be searched, filtered and sorted; the state is stored in the address. */
export function boardIsland(board: HTMLElement, page: Pick<Window, "location" | "history">): void {
  const table = board.querySelector("table");
  const form = board.querySelector<HTMLFormElement>("form[data-board-tools]");
  const status = form?.querySelector<HTMLElement>("[role=status]");
  if (!table || !form || !status) return;
  const headings = readHeadings(table);
  const keys = headings.map(({ key }) => key);
  const parts = { table, headings, status, rows: readRows(table, keys) };
  const filters = filtersOf(form);

  const asked = readState(page.location.search, keys);
  // An address may name a filter or choice that this board does not have.
  let state: BoardState = { ...noState, sort: asked.sort, order: asked.order };
  for (const { name, field } of filters) {
    field.value = asked[name];
    state = { ...state, [name]: field.value };
  }
  show(parts, state);

  const change = (next: BoardState) => {
    state = next;
    show(parts, state);
    const { pathname, search, hash } = page.location;
    page.history.replaceState(null, "", `${pathname}${writeState(state, search)}${hash}`);
  };
  for (const { name, field } of filters) {
    field.addEventListener("input", () => change({ ...state, [name]: field.value }));
  }
  for (const { button, key, first } of headings) {
    button?.addEventListener("click", () => change(sortedBy(state, key, first)));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => change(noState));
  board.removeAttribute("data-waiting");
}

const orderWords = { ascending: "lowest first", descending: "highest first", "": "" } as const;

/** The visible part of a board, in words. */
function boardSummary(
  shown: number,
  all: number,
  { order }: Pick<BoardState, "order">,
  sortedBy: string | undefined,
): string {
  if (shown === 0) return `No model matches; Reset shows all ${all}`;
  const count = shown === all ? `${all} models` : `${shown} of ${all} models`;
  return `${count}, by ${sortedBy === undefined ? "rank" : `${sortedBy}, ${orderWords[order]}`}`;
}

/** A heading that a table can be sorted by. */
interface SortHeading {
  element: HTMLElement;
  button: HTMLButtonElement | null;
  key: string;
  /** The visible label. */
  label: string;
  /** The order after the first click. */
  first: "ascending" | "descending";
}

/** The headings of a table, in the order of its columns. */
const readHeadings = (table: HTMLTableElement): SortHeading[] =>
  [...table.querySelectorAll<HTMLElement>("th[data-key]")].map((element) => ({
    element,
    button: element.querySelector("button"),
    key: element.dataset["key"] ?? "",
    label: (element.querySelector("a") ?? element).textContent.trim(),
    first: element.dataset["first"] === "descending" ? "descending" : "ascending",
  }));

/** A row with its element. */
interface TableRow extends BoardRow {
  element: HTMLTableRowElement;
}

/** What a cell is sorted by: a date, a name, or the number that it begins with. */
function sortValue(cell: Element, key: string): number | string | null {
  if (key === "date") return cell.querySelector("time")?.dateTime ?? null;
  if (key === "model") return cell.querySelector("a")?.textContent ?? null;
  return cellNumber((cell.querySelector("strong") ?? cell.firstChild ?? cell).textContent ?? "");
}

/** The rows of a table, by the keys of its columns. */
function readRows(table: HTMLTableElement, keys: readonly string[]): TableRow[] {
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  return rows.map((element) => {
    const cells = [...element.cells];
    const model = element.querySelector("th");
    const names = [...(model?.querySelectorAll("a, .slug, .ids span") ?? [])];
    return {
      element,
      name: names.map(({ textContent }) => textContent).join(" "),
      provenance: element.dataset["provenance"] ?? "",
      simulated: element.dataset["simulated"] !== undefined,
      tie: element.dataset["tie"] ?? "",
      values: Object.fromEntries(
        keys.map((key, i) => [key, cells[i] ? sortValue(cells[i], key) : null]),
      ),
    };
  });
}

/** A number as the site prints it, without currency, unit and further text. */
const leading = /^\s*\$?([\d,]*\.?\d+(?:e[+-]?\d+)?)/;

/** The number that a cell's text begins with; null if there is none, as for a dash. */
export function cellNumber(text: string): number | null {
  const found = leading.exec(text)?.[1];
  return found === undefined ? null : Number(found.replaceAll(",", ""));
}
