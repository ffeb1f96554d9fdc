import type { MarkdownInstance } from "astro";

const files = import.meta.glob<MarkdownInstance<Record<string, unknown>>>(
  "../../../shared/suites/*/methodology.md",
  { eager: true },
);

/** A suite's methodology text as a component; undefined where the suite has none yet. */
export const methodologyOf = (
  suite: string,
): MarkdownInstance<Record<string, unknown>> | undefined =>
  Object.entries(files).find(([file]) => file.endsWith(`/suites/${suite}/methodology.md`))?.[1];
