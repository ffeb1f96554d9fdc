import type { ScoredSample } from "../../contracts/suite.ts";
import { addJudged as addThings, type JudgeParts } from "../../measures/judging/judge-parts.ts";
import type { MemoryDetail } from "./score.ts";

export type { JudgeParts };

/**
 * Adds what judges made of an answer, metric by metric. Changes `parts`.
 * @example addJudged(parts, scored)
 */
export function addJudged(parts: JudgeParts, scored: ScoredSample<MemoryDetail>): void {
  const { metrics, human } = scored.score.detail;
  const things = Object.entries(metrics).map(([metric, { judges }]) => ({
    ...{ metric, judges, human: human[metric] },
  }));
  addThings(parts, scored, things);
}
