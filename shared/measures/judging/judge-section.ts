import type { Judge } from "../../contracts/judging/judge.ts";
import { asBrief, type SectionParts } from "../report/charts/blocks.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";
import { judgeBlocks } from "./judge-blocks.ts";
import { judgesAgreement } from "./people-section.ts";

/** The judges of a run. */
interface Judged {
  judges: readonly JudgeRow[];
  panels: readonly PanelRow[];
}

type Judges = readonly Pick<Judge, "id" | "label" | "scale">[];

/**
 * Judges of the run, agreement of panels, and cautions about judges.
 * Source: docs/spec/memory.md, judges and panels.
 * @example judgeSection(breakdown, judges).id // "judges"
 */
export const judgeSection = (judged: Judged, judges: Judges): SectionParts => ({
  id: "judges",
  title: "Judges",
  intro:
    "Which judge gave each number. Judges answer at temperature 0, with a fixed prompt whose hash is stored with every judgment.",
  blocks: judgeBlocks(judged, judges, "Answers"),
});

/**
 * Judges against people, if the dataset has people's scores; else null.
 * Source: docs/spec/memory.md, calibration.
 * @example labelledSection(breakdown, judges)?.id // "people"
 */
export function labelledSection(
  { judges: rows }: Pick<Judged, "judges">,
  judges: Judges,
): SectionParts | null {
  const compared = rows.flatMap(({ calibration, metric, judge }) =>
    calibration === null ? [] : [{ ...calibration, metric, judge }],
  );
  if (compared.length === 0) return null;
  return {
    id: "people",
    title: "Judges and people",
    intro: "Each judge's values against the dataset's own ratings of these answers by people.",
    blocks: asBrief(judgesAgreement(compared, judges)),
  };
}
