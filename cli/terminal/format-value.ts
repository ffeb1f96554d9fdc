import type { Metric } from "#shared/contracts/metric.ts";
import { figureText } from "#shared/measures/report/figures/figure-text.ts";

/** A number for the terminal, with its unit; `–` if there is none. */
export const formatValue = (value: number | null, format: Metric["format"]): string =>
  plainText(figureText(value, format) ?? "–");

/** Terminals have only one kind of space, and a hyphen can be copied as a minus. */
export const plainText = (text: string): string =>
  text.replaceAll("\u202f", " ").replace("\u2212", "-");

/** A whole number, its digits grouped. */
export const formatCount = (value: number): string => formatValue(Math.round(value), "count");

/** @example counted(2, "sample") // "2 samples" */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** @example emptyText(1) // "1 answer is empty and scores 0" */
export const emptyText = (count: number): string =>
  `${counted(count, "answer")} ${count === 1 ? "is empty and scores" : "are empty and score"} 0`;
