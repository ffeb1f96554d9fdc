import type { MarkdownInstance } from "astro";
import * as statistics from "../../../../shared/stats/methodology.md";

const files = import.meta.glob<MarkdownInstance<Record<string, unknown>>>(
  "../../../../shared/suites/*/methodology.md",
  { eager: true },
);

/** A suite's methodology text as a component; undefined if the suite has none yet. */
export const methodologyOf = (
  suite: string,
): MarkdownInstance<Record<string, unknown>> | undefined =>
  Object.entries(files).find(([file]) => file.endsWith(`/suites/${suite}/methodology.md`))?.[1];

export const statisticsText = statistics as MarkdownInstance<Record<string, unknown>>;

export const statisticsHtml = async (): Promise<string> => statistics.compiledContent();
