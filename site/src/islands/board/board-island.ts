import {
  type BoardState,
  hasChoice,
  noState,
  readState,
  sortedBy,
  writeState,
} from "./board-state.ts";
import { moveByArrows, readHeadings, type SortHeading, showDefinitions } from "./heads.ts";
import { rowWindow } from "./row-window.ts";
import { type BoardRow, sortAndFilterRows } from "./sort-and-filter-rows.ts";

interface Parts {
  table: HTMLTableElement;
  headings: SortHeading[];
  rows: TableRow[];
  /** Rows on all pages of the table. */
  total: number;
  status: HTMLElement;
  showRows: ReturnType<typeof rowWindow>;
}

const filterNames = ["q", "provenance", "models", "ties"] as const;

type Filter = {
  name: (typeof filterNames)[number];
  field: HTMLInputElement | HTMLSelectElement;
};

const filtersOf = (form: HTMLFormElement): Filter[] =>
  filterNames.flatMap((name) => {
    const field = form.querySelector<Filter["field"]>(`[name="${name}"]`);
    return field === null ? [] : [{ name, field }];
  });

/** Shows the matching rows of the table in order, and announces the result. */
function show({ table, headings, rows, total, status, showRows }: Parts, state: BoardState): void {
  const shown = sortAndFilterRows(rows, state);
  showRows(shown.map(({ element }) => element));
  const isAsRanked = shown.length === rows.length && shown.every((row, i) => row === rows[i]);
  table.classList.toggle("is-rearranged", !isAsRanked);
  for (const { element, key } of headings) {
    if (key === state.sort) element.setAttribute("aria-sort", state.order);
    else element.removeAttribute("aria-sort");
  }
  const sorted = headings.find(({ key }) => key === state.sort);
  status.textContent = boardSummary(
    hasChoice(state) ? shown.length : total,
    total,
    state,
    sorted?.label,
  );
}

/** Adds search, filters and sorting to a table of models; the state is stored in the address. */
export function boardIsland(board: HTMLElement, page: Window): void {
  const table = board.querySelector("table");
  const form = board.querySelector<HTMLFormElement>("form[data-board-tools]");
  const status = form?.querySelector<HTMLElement>("[role=status]");
  if (!table || !form || !status) return;
  const headings = readHeadings(table);
  const keys = headings.map(({ key }) => key);
  const showRows = rowWindow(table, page);
  const rows = readRows(table.tBodies[0]?.rows ?? [], keys);
  const pages = board.querySelector<HTMLElement>("[data-table-pages]");
  const total = Number(pages?.dataset["tablePages"] ?? rows.length);
  const parts = { table, headings, status, showRows, rows, total };
  const filters = filtersOf(form);

  const asked = readState(page.location.search, keys);
  // An address may name a filter or choice that this board does not have.
  let state: BoardState = { ...noState, sort: asked.sort, order: asked.order };
  for (const { name, field } of filters) {
    field.value = asked[name];
    state = { ...state, [name]: field.value };
  }
  const addRows = laterRows(pages, (later) => {
    parts.rows = [...parts.rows, ...readRows(later, keys)];
    show(parts, state);
  });
  const refresh = () => {
    show(parts, state);
    if (addRows === null || !hasChoice(state)) return;
    void addRows().then((isWhole) => {
      if (!isWhole)
        status.textContent = "Only this page of the table: the others can't be read now";
    });
  };
  refresh();

  const change = (next: BoardState) => {
    state = next;
    refresh();
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
  moveByArrows(headings);
  showDefinitions(board, headings);
  if (addRows) whenNear(board, page, addRows);
  board.removeAttribute("data-waiting");
}

/** Distance from the end of the table, in windows, at which its other pages are loaded. */
const NEAR = 3;

function whenNear(board: HTMLElement, page: Window, addRows: AddRows): void {
  const look = () => {
    if (board.getBoundingClientRect().bottom > NEAR * page.innerHeight) return;
    page.removeEventListener("scroll", look);
    void addRows();
  };
  page.addEventListener("scroll", look, { passive: true });
}

const orderWords = { ascending: "lowest first", descending: "highest first", "": "" } as const;

/** The shown part of a board, in words. */
function boardSummary(
  shown: number,
  all: number,
  { order }: Pick<BoardState, "order">,
  sortedBy: string | undefined,
): string {
  const [some, whole] = [shown.toLocaleString("en"), all.toLocaleString("en")];
  if (shown === 0) return `No model matches; Reset shows all ${whole}`;
  const count = shown === all ? `${whole} models` : `${some} of ${whole} models`;
  return `${count}, by ${sortedBy === undefined ? "rank" : `${sortedBy}, ${orderWords[order]}`}`;
}

interface TableRow extends BoardRow {
  element: HTMLTableRowElement;
}

/** The value by which a cell is sorted: a date, a name, or the number at its start. */
function sortValue(cell: Element, key: string): number | string | null {
  if (key === "date") return cell.querySelector("time")?.dateTime ?? null;
  if (key === "model") return cell.querySelector("a")?.textContent ?? null;
  return cellNumber((cell.querySelector("strong") ?? cell.firstChild ?? cell).textContent ?? "");
}

/** Rows of a table, with values by the keys of its columns. */
function readRows(rows: Iterable<HTMLTableRowElement>, keys: readonly string[]): TableRow[] {
  return [...rows].map((element) => {
    const cells = [...element.cells];
    const model = element.querySelector("th");
    const names = [...(model?.querySelectorAll(":scope > a, .slug, .ids span") ?? [])];
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

/** A number as the site prints it, without currency, unit and following text. */
const leading = /^\s*\$?([\d,]*\.?\d+(?:e[+-]?\d+)?)/;

/** The number at the start of a cell's text; null if there is none, for example for a dash. */
export function cellNumber(text: string): number | null {
  const found = leading.exec(text)?.[1];
  return found === undefined ? null : Number(found.replaceAll(",", ""));
}

/** Adds the rows of a table's other pages; resolves to whether all could be read. */
type AddRows = () => Promise<boolean>;

/**
 * Reads the other pages of a table, linked in `pages`, once, and passes their rows to `add` in order. Null without
 * other pages. If a page can't be read, the table stays unchanged, with the links to its pages.
 */
function laterRows(
  pages: HTMLElement | null,
  add: (rows: HTMLTableRowElement[]) => void,
  read: typeof fetch = fetch,
): AddRows | null {
  if (pages === null) return null;
  const links = [...pages.querySelectorAll<HTMLAnchorElement>("a:not([aria-current])")];
  let done: Promise<boolean> | null = null;
  const readAll = async () => {
    const rows = await Promise.all(
      links.map(({ href }) => rowsAt(href, pages.ownerDocument, read)),
    );
    add(rows.flat());
    pages.hidden = true;
    return true;
  };
  return () => {
    done ??= readAll().catch(() => false);
    return done;
  };
}

async function rowsAt(
  url: string,
  document: Document,
  read: typeof fetch,
): Promise<HTMLTableRowElement[]> {
  const response = await read(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const page = document.implementation.createHTMLDocument();
  // Parsed in a template, so that nothing in it is loaded.
  const template = page.createElement("template");
  template.innerHTML = await response.text();
  const rows = template.content.querySelectorAll<HTMLTableRowElement>(".board tbody tr");
  return [...rows].map((row) => document.adoptNode(row));
}
