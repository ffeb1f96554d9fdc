import type { MarkdownInstance } from "astro";
import { type DatasetRows, readRows } from "./dataset-rows.ts";

/** A dataset that comes with Assay, identified by its content. */
export interface StockData extends DatasetRows {
  suite: string;
  /** Its origin and licence. */
  About: MarkdownInstance<Record<string, unknown>>["Content"];
}

const rows = import.meta.glob<string>("../../../../shared/suites/*/stock.jsonl", {
  query: "?raw",
  import: "default",
  eager: true,
});
const texts = import.meta.glob<MarkdownInstance<Record<string, unknown>>>(
  "../../../../shared/suites/*/stock.md",
  { eager: true },
);

export const stockData: readonly StockData[] = Object.entries(rows).flatMap(([file, jsonl]) => {
  const About = texts[file.replace(/\.jsonl$/, ".md")]?.Content;
  const suite = file.split("/").at(-2);
  return About && suite ? [{ suite, About, ...readRows(jsonl) }] : [];
});

/** The stock data with the content of a dataset version, whatever the dataset's name here. */
export const stockOf = (suite: string, version: string): StockData | undefined =>
  stockData.find((stock) => stock.suite === suite && stock.version === version);
