import { rowsInView } from "./rows-in-view.ts";

/** Longer tables have only the rows near the window in the document. */
const MOST_ROWS = 100;

/** Rows beyond the window, at each end: the tab key finds the next ones, and scrolling shows no gap. */
const MARGIN = 25;

/** Height of a row that was never shown, px; a wrong one only moves the scroll bar. */
const USUAL_HEIGHT = 60;

type Page = Pick<Window, "innerHeight" | "addEventListener" | "requestAnimationFrame">;

/** Shows rows in a table; of many only those near the window, as the page scrolls. */
export function rowWindow(
  table: HTMLTableElement,
  page: Page,
): (rows: readonly HTMLTableRowElement[]) => void {
  const body = table.tBodies[0];
  const heights = new WeakMap<HTMLTableRowElement, number>();
  const [before, after] = [spacer(table), spacer(table)];
  let all: readonly HTMLTableRowElement[] = [];
  let isAsked = false;

  const draw = () => {
    isAsked = false;
    if (body === undefined || all.length <= MOST_ROWS) return;
    const top = -body.getBoundingClientRect().top;
    const known = all.map((row) => heights.get(row) ?? USUAL_HEIGHT);
    const view = rowsInView(known, { top, height: page.innerHeight, margin: MARGIN });
    const shown = all.slice(view.first, view.end);
    setHeight(before, view.before);
    setHeight(after, view.after);
    replaceRows(body, [before, ...shown, after]);
    for (const row of shown) if (row.offsetHeight > 0) heights.set(row, row.offsetHeight);
  };
  const ask = () => {
    if (!isAsked) page.requestAnimationFrame(draw);
    isAsked = true;
  };
  page.addEventListener("scroll", ask, { passive: true });
  page.addEventListener("resize", ask);

  return (rows) => {
    all = rows;
    if (rows.length > MOST_ROWS) {
      table.setAttribute("aria-rowcount", String(rows.length + table.tHead!.rows.length));
      for (const [i, row] of rows.entries()) {
        row.setAttribute("aria-rowindex", String(i + 1 + table.tHead!.rows.length));
      }
      return draw();
    }
    table.removeAttribute("aria-rowcount");
    if (body) replaceRows(body, rows);
  };
}

/** Moving rows to their current position would cause a new layout. */
function replaceRows(body: HTMLTableSectionElement, rows: readonly HTMLTableRowElement[]): void {
  const isAsShown =
    body.rows.length === rows.length && rows.every((row, i) => row === body.rows[i]);
  if (!isAsShown) body.replaceChildren(...rows);
}

/** A row in place of those that are not in the document. */
function spacer(table: HTMLTableElement): HTMLTableRowElement {
  const row = table.ownerDocument.createElement("tr");
  row.className = "spacer";
  row.setAttribute("aria-hidden", "true");
  row.append(table.ownerDocument.createElement("td"));
  return row;
}

function setHeight(row: HTMLTableRowElement, px: number): void {
  row.hidden = px === 0;
  row.cells[0]!.style.height = `${px}px`;
}
