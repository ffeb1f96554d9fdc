/** Longer tables keep only the rows near the window in the document. */
const MOST_ROWS = 100;

/** Additional rows on each side of the window, so that the tab key finds the next rows and scrolling shows no gap. */
const MARGIN = 25;

/** Assumed height of a row that was never shown, px; a wrong one only moves the scroll bar. */
const USUAL_HEIGHT = 60;

type Page = Pick<Window, "innerHeight" | "addEventListener" | "requestAnimationFrame">;

/** Shows rows in a table; of many rows, only those near the window as the page scrolls. */
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

/** Replaces rows only if they differ, because moving a row to its current position would cause a new layout. */
function replaceRows(body: HTMLTableSectionElement, rows: readonly HTMLTableRowElement[]): void {
  const isAsShown =
    body.rows.length === rows.length && rows.every((row, i) => row === body.rows[i]);
  if (!isAsShown) body.replaceChildren(...rows);
}

/** A row that reserves the space of rows outside of the document. */
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

/** The rows of a long table to keep in the document, and the heights of the rows before and after them, px. */
interface RowsInView {
  first: number;
  /** Index of the last row + 1. */
  end: number;
  before: number;
  after: number;
}

/**
 * The rows that a window shows, and `margin` more at each end. Linear in rows.
 * @param heights of all rows, px
 * @param top where the window begins, px from the start of the first row; negative above it
 * @param height of the window, px
 */
export function rowsInView(
  heights: readonly number[],
  { top, height, margin }: { top: number; height: number; margin: number },
): RowsInView {
  let [y, first, end] = [0, heights.length, 0];
  for (const [i, its] of heights.entries()) {
    if (y + its > top && y < top + height) {
      first = Math.min(first, i);
      end = i + 1;
    }
    y += its;
  }
  // Above or below the table: use its nearest end.
  if (end === 0) [first, end] = top < 0 ? [0, 0] : [heights.length, heights.length];
  const from = Math.max(0, first - margin);
  const to = Math.min(heights.length, end + margin);
  return {
    first: from,
    end: to,
    before: sum(heights.slice(0, from)),
    after: sum(heights.slice(to)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
