import { cutText } from "../../../contracts/bounds.ts";
import type { NoteBlock, ReportSection, ShownSample } from "../../../contracts/report.ts";
import type { RunReport } from "../../../contracts/run-report.ts";

/** Longest text of a report, in characters: a long prompt. */
const mostText = 100_000;

/** What a report may take as JSON, in characters: pages take up to a few times as much, and 25 MiB are never served. */
const mostReport = 1_500_000;

/**
 * A report that a page can draw, whatever is stored of its run: texts are cut and marked by "…", and where all of it
 * is still too large, first the samples and then the sections hold a note in place of their blocks. A usual report has
 * a tenth of that, and stays as it is. Linear.
 * @example withinPage(report).sections.length // that of the report
 */
export function withinPage(report: RunReport): RunReport {
  const cut = cutTexts(report) as RunReport;
  if (isSmall(cut)) return cut;
  const samples = cut.samples.map((one): ShownSample => ({ ...one, blocks: [left("sample")] }));
  const withoutSamples = { ...cut, samples };
  if (isSmall(withoutSamples)) return withoutSamples;
  const sections = cut.sections.map(
    (one): ReportSection => ({ ...one, blocks: [left("section")] }),
  );
  return { ...withoutSamples, sections };
}

const isSmall = (report: RunReport): boolean => JSON.stringify(report).length <= mostReport;

const left = (what: "sample" | "section"): NoteBlock => ({
  kind: "note",
  title: "Too large to be shown",
  tone: "neutral",
  text: `The report of this run is larger than a page may be, so the ${what} is left out. The API has the complete data.`,
});

/** The value itself where no text of it is too long. */
function cutTexts(value: unknown): unknown {
  if (typeof value === "string") return cutText(value, mostText);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(cutTexts);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(
    ([name, inner]) => [cutText(name, mostText), cutTexts(inner)] as const,
  );
  const isSame = changed.every(
    ([name, inner], i) => name === entries[i]?.[0] && inner === entries[i]?.[1],
  );
  return isSame ? value : Object.fromEntries(changed);
}
