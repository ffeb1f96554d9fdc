import type { BarsBlock, NoteBlock } from "../../../contracts/report.ts";
import {
  asBrief,
  asFolded,
  note,
  type SectionParts,
} from "../../../measures/report/charts/blocks.ts";
import { metricRadar } from "../../../measures/report/charts/metric-radar.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import {
  referenceBars,
  unbeatenReference,
} from "../../../measures/report/figures/reference-bars.ts";
import { labelOf, partIds, qualityMetrics } from "../metrics.ts";
import { defaultOptions } from "../options.ts";
import { references } from "../score/references.ts";
import { bars, type ReportFacts } from "./report-facts.ts";

/**
 * Overall form against the canaries, and the five metrics. No grade and no advice, because form says nothing
 * about fitness.
 * Source: docs/spec/quality.md, overall; what it is not.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, options, breakdown } = facts;
  const formula = partIds
    .map((id) => `${options.weights[id]} · ${labelOf(id).toLowerCase()}`)
    .join(" + ");
  return {
    id: "summary",
    title: "Summary",
    intro: "Form of responses, from their text alone; not whether they are right or helpful.",
    blocks: [
      asBrief([canaryBars(facts), standingNote(facts), bars("The five metrics", partIds, metrics)]),
      intervalNote(breakdown.units),
      asFolded([
        metricRadar(
          "Form in five metrics",
          partIds.map((id) => ({ id })),
          metrics,
          qualityMetrics,
        ),
        note("How the overall form is computed", `Overall = ${formula}.`),
      ]),
    ],
  };
}

/** The run, and each canary as a line. */
function canaryBars({ metrics, options }: ReportFacts): BarsBlock {
  const lines = references(options);
  return referenceBars({ id: "overall", format: "score" }, metrics, lines, {
    title: "Overall form and its reference lines",
    n: stockPrompts,
    below:
      lines.length > 0
        ? "The lines are meaningless texts, scored once on the stock prompts: connectors between the prompt's words, the prompt three times or once, its words as a list, random words, and one polite paragraph."
        : `Reference lines are only known for a length ratio of ${defaultOptions.lengthRatio}; this run has ${options.lengthRatio}.`,
  });
}

/** Number of stock prompts on which the canaries were scored. */
const stockPrompts = 50;

/** How the run compares with the reference lines. */
function standingNote({ metrics, options }: ReportFacts): NoteBlock | null {
  const overall = metrics["overall"];
  const lines = references(options);
  if (overall === undefined || overall.value === null || lines.length === 0) return null;
  const best = unbeatenReference(overall, lines);
  if (best === null) {
    return note(
      "Above the best canary",
      `The overall form is above all reference lines. This means that responses are well formed, not that they are right.`,
    );
  }
  return note(
    "Not above the best canary",
    `The overall form is not clearly above that of “${best.label}”, ${figureText(best.value, "score")}. ${best.description} So this score does not distinguish the run's responses from such text.`,
  );
}
