import type { ReportSection } from "../../../contracts/report.ts";
import { brief, countRows, tableOf } from "../../../measures/report/blocks.ts";
import { errorPatterns } from "../diagnosed-field.ts";
import { patternGroups } from "../error-breakdown.ts";
import type { ReportFacts } from "./report-facts.ts";

const words = (pattern: string) => pattern.replaceAll("_", " ");

/**
 * Errors by pattern, and the most common with an example each.
 * Source: specification of the extraction suite, section 8.
 * @example errorSection(facts).id // "errors"
 */
export function errorSection({ breakdown }: ReportFacts): ReportSection {
  const { common, crowds, patterns, total, left } = breakdown.errorAnalysis;
  const seen = errorPatterns.filter((pattern) => patterns[pattern] > 0);
  const counts = countRows(
    seen.map((pattern) => [words(pattern), patterns[pattern]]),
    total,
  );
  const part =
    left.errors === 0
      ? ""
      : ` ${left.errors} errors, of some ${left.pairs} pairs of pattern and path, are past those told apart: a random part, which the table does not have.`;
  return {
    id: "errors",
    title: "Errors",
    intro: `Each error counted once, under the first pattern that fits; the most common with the first sample that has them.${part}`,
    blocks: [
      ...brief(
        tableOf(
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
      ),
      ...crowdTable(crowds),
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

/** Nothing where every name could be told apart. */
function crowdTable(crowds: ReportFacts["breakdown"]["errorAnalysis"]["crowds"]) {
  if (crowds.length === 0) return [];
  return tableOf(
    "Errors at names that no schema lists, too many to tell apart",
    [
      ["pattern", "Pattern", "text"],
      ["path", "Any name at", "text"],
      ["names", "Names", "text"],
      ["count", "Fields", "count"],
      ["example", "First in sample", "text"],
    ],
    crowds.map(({ pattern, path, moreThan, count, example }) => ({
      pattern: pattern === null ? "any" : words(pattern),
      path: pattern === null ? "any path" : path || "(root)",
      ...{ names: `over ${moreThan}`, count, example: example.id },
    })),
  );
}
