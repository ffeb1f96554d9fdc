/** Scores of a page, by where they stand, and those without an interval. */
export interface BareScores {
  count: number;
  bare: string[];
  /** Metrics whose values say that they have no interval. */
  without: string[];
  /** Headings that name a metric by a link, and whose values are not marked as its scores. */
  unmarked: string[];
}

/** An interval as the site prints it, with either end negative or not, or that there is none. */
const interval = /\d[\d.,]*%?(?:–|\s+to\s+)\$?[−\d]|no interval/;

const textOf = (element: Element): string =>
  (element.textContent ?? "").replace(/\s+/g, " ").trim();

/**
 * Finds scores by the attribute `data-score`, which names their metric: on a column's heading for its cells, on a row
 * for what it has, on any other element for itself. A dash alone is no score. `isScore` says of metrics whether their
 * values are to have intervals.
 */
export function bareScores(document: Document, isScore: (metric: string) => boolean): BareScores {
  const found: BareScores = { count: 0, bare: [], without: [], unmarked: [] };
  for (const marked of document.querySelectorAll("[data-score]")) {
    const metric = marked.getAttribute("data-score") ?? "";
    const texts = cellsOf(marked).map(textOf);
    for (const text of texts.filter((one) => one !== "–" && one !== "")) {
      found.count++;
      if (!interval.test(text)) found.bare.push(`${metric}: ${text}`);
      if (text.includes("no interval")) found.without.push(metric);
    }
  }
  for (const link of document.querySelectorAll(`th a[href*="#metric-"]`)) {
    const metric = link.getAttribute("href")?.split("#metric-")[1] ?? "";
    const marked = link.closest("th[data-score], tr[data-score], [data-score]");
    const hasValue = !/^[–\s]*$/.test(valuesBeside(link));
    if (isScore(metric) && marked === null && hasValue) found.unmarked.push(metric);
  }
  return found;
}

/** The cells below a heading; else the element itself. */
function cellsOf(marked: Element): Element[] {
  if (marked.localName !== "th" || marked.closest("thead") === null) return [marked];
  const column = [...(marked.parentElement?.children ?? [])].indexOf(marked);
  const rows = [...(marked.closest("table")?.querySelectorAll("tbody tr") ?? [])];
  return rows.flatMap((row) => row.children[column] ?? []);
}

/** For a row's heading, the cell next to it; of a column's some text, since it has cells. */
function valuesBeside(link: Element): string {
  const heading = link.closest("th");
  if (heading === null || heading.closest("thead") !== null) return "cells";
  return textOf(heading.nextElementSibling ?? heading);
}
