import type { ReportSection } from "../../../contracts/report.ts";
import { errorPatterns } from "../diagnosed-field.ts";
import { patternGroups } from "../error-breakdown.ts";
import { countRows, type ReportFacts, tableOf } from "./report-facts.ts";

const words = (pattern: string) => pattern.replaceAll("_", " ");

/**
 * Errors by pattern, and the most common with an example each.
 * Source: specification of the extraction suite, section 8.
 * @example errorSection(facts).id // "errors"
 */
export function errorSection({ breakdown }: ReportFacts): ReportSection {
  const { common, patterns, total, dropped } = breakdown.errorAnalysis;
  const seen = errorPatterns.filter((pattern) => patterns[pattern] > 0);
  const counts = countRows(
    seen.map((pattern) => [words(pattern), patterns[pattern]]),
    total,
  );
  const part = dropped ? " The run has more pairs than are kept; these are a random part." : "";
  return {
    id: "errors",
    title: "Errors",
    intro: `Each error counted once, under the first pattern that fits; the most common with the first sample that has them.${part}`,
    blocks: [
      ...tableOf(
        "Most common errors",
        [
          ["pattern", "Pattern", "text"],
          ["path", "Path", "text"],
          ["count", "Fields", "count"],
          ["example", "First in sample", "text"],
        ],
        common.map(({ pattern, path, count, example }) => ({
          ...{ pattern: words(pattern), path: path || "(root)", count, example: example.id },
        })),
      ),
      ...tableOf(
        "Errors by pattern",
        [
          ["name", "Pattern", "text"],
          ["group", "Kind", "text"],
          ["count", "Fields", "count"],
          ["share", "Share of errors", "percent"],
        ],
        counts.map((row, k) => ({ ...row, group: patternGroups[seen[k]!] })),
      ),
    ],
  };
}
