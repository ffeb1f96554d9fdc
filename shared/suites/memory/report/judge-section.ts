import { judges } from "../../../judges/judges.ts";
import { judgeBlocks } from "../../../measures/judging/judge-blocks.ts";
import { judgesAgreement } from "../../../measures/judging/people-section.ts";
import { asBrief, type SectionParts } from "../../../measures/report/charts/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * Judges of the run, agreement of panels, and cautions about judges.
 * Source: docs/spec/memory.md, judges and panels.
 * @example judgeSection(facts).id // "judges"
 */
export function judgeSection({ breakdown }: ReportFacts): SectionParts {
  return {
    id: "judges",
    title: "Judges",
    intro:
      "Which judge gave each number. Judges answer at temperature 0, with a fixed prompt whose hash is stored with every judgment.",
    blocks: judgeBlocks(breakdown, judges, "Answers"),
  };
}

/**
 * Judges against people, if the dataset has people's scores; else null.
 * Source: docs/spec/memory.md, calibration.
 * @example peopleSection(facts)?.id // "people"
 */
export function peopleSection({ breakdown }: ReportFacts): SectionParts | null {
  const rows = breakdown.judges.flatMap(({ calibration, metric, judge }) =>
    calibration === null ? [] : [{ ...calibration, metric, judge }],
  );
  if (rows.length === 0) return null;
  return {
    id: "people",
    title: "Judges and people",
    intro: "Each judge's values against the dataset's own ratings of these answers by people.",
    blocks: asBrief(judgesAgreement(rows, judges)),
  };
}
