/** The number of scores on a page, and the scores without an interval or a mark. */
export interface BareScores {
  count: number;
  bare: string[];
  /** Metrics with values that are shown with "no interval". */
  without: string[];
  /** Metrics that a heading links but whose values are not marked as scores. */
  unmarked: string[];
}

/** An interval as the site prints it, or "no interval". */
const interval = /\d[\d.,]*%?(?:–|\s+to\s+)\$?[−\d]|no interval/;

const textOf = (element: Element): string =>
  (element.textContent ?? "").replace(/\s+/g, " ").trim();

/**
 * Finds scores by the attribute `data-score`, whose value is the metric: on a column heading it marks the cells below,
 * on any other element its own content. A dash is no score. `isScore` returns whether values of a metric need
 * intervals.
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

/** The cells below a column heading; for any other element, the element. */
function cellsOf(marked: Element): Element[] {
  if (marked.localName !== "th" || marked.closest("thead") === null) return [marked];
  const column = [...(marked.parentElement?.children ?? [])].indexOf(marked);
  const rows = [...(marked.closest("table")?.querySelectorAll("tbody tr") ?? [])];
  return rows.flatMap((row) => row.children[column] ?? []);
}

/** For a row heading, the text of the cell next to it; for a column heading, a constant, since it has cells. */
function valuesBeside(link: Element): string {
  const heading = link.closest("th");
  if (heading === null || heading.closest("thead") !== null) return "cells";
  return textOf(heading.nextElementSibling ?? heading);
}
