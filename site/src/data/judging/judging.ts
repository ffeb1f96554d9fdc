import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import { type JudgedBy, judgedBy as judgedByLabel } from "../../report/judged-by.ts";
import { suiteById } from "../suites.ts";

/** Who judges a run or a board's runs, under the labels of its suite. */
export const boardJudges = (suite: string, judging: RunJudging): JudgedBy =>
  judgedByLabel([...ownMetrics(judging), ...(suiteById(suite)?.judging?.judges ?? [])], judging);

/** How many of a run's or board's judges are simulated; none without judges. */
export const simulatedJudges = (
  suite: string,
  judging: RunJudging | null,
): JudgedBy["simulated"] => (judging === null ? "none" : boardJudges(suite, judging).simulated);
