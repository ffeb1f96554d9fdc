/** A heading that a table can be sorted by. */
export interface SortHeading {
  element: HTMLElement;
  button: HTMLButtonElement | null;
  key: string;
  /** As readers see it. */
  label: string;
  /** The order that the first click asks for. */
  first: "ascending" | "descending";
}

/** The headings of a table, in the order of its columns. */
export const readHeadings = (table: HTMLTableElement): SortHeading[] =>
  [...table.querySelectorAll<HTMLElement>("th[data-key]")].map((element) => ({
    element,
    button: element.querySelector("button"),
    key: element.dataset["key"] ?? "",
    label: (element.querySelector("a") ?? element).textContent.trim(),
    first: element.dataset["first"] === "descending" ? "descending" : "ascending",
  }));
