import type { ReportSection } from "../../../contracts/report.ts";
import { intervalText, type ReportFacts, tableOf } from "./report-facts.ts";

/**
 * The name paths with the lowest partial F1.
 * Source: specification of the extraction suite, section 7.
 * @example pathSection(facts).id // "paths"
 */
export function pathSection({ breakdown }: ReportFacts): ReportSection {
  const { byPath, pathsDropped } = breakdown.fields;
  const hardest = [...byPath].sort((a, b) => a.partialF1 - b.partialF1 || b.n - a.n);
  const part = pathsDropped
    ? " The run has more paths than are kept; these are a random part."
    : "";
  return {
    id: "paths",
    title: "Hardest fields",
    intro: `Name paths (indices left out) in three samples or more, lowest partial F1 first.${part}`,
    blocks: tableOf(
      "Fields by path",
      [
        ["path", "Path", "text"],
        ["n", "Samples", "count"],
        ["partialF1", "Partial F1", "score"],
        ["interval", "95% interval", "text"],
        ["exact", "Exact", "count"],
        ["partial", "Partial", "count"],
        ["incorrect", "Incorrect", "count"],
        ["missed", "Missed", "count"],
        ["spurious", "Spurious", "count"],
      ],
      hardest.map((cell) => ({
        ...{ path: cell.name || "(root)", n: cell.n, partialF1: cell.partialF1 },
        ...{ interval: intervalText(cell.interval), exact: cell.exact, partial: cell.partial },
        ...{ incorrect: cell.incorrect, missed: cell.missed, spurious: cell.spurious },
      })),
    ),
  };
}
