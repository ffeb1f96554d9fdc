import { arrangedRows } from "./arranged-rows.ts";
import { type BoardState, noState, readState, sortedBy, writeState } from "./board-state.ts";
import { boardSummary } from "./board-summary.ts";
import { readRows, type TableRow } from "./read-rows.ts";
import { readHeadings, type SortHeading } from "./sort-headings.ts";

/** What the island works on. */
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

/** Puts the rows that are asked for in the table, in their order, and says so. */
function show({ table, headings, rows, status }: Parts, state: BoardState): void {
  const shown = arrangedRows(rows, state);
  const [body] = table.tBodies;
  const isAsShown =
    body?.rows.length === shown.length && shown.every(({ element }, i) => element === body.rows[i]);
  // Rows that are put where they are would be laid out anew all the same.
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

/** Lets a table of models be searched, filtered and sorted; what is asked for is kept in the address. */
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
  // An address may ask for what this board has no filter or choice of.
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
