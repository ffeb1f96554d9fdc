import type { Snapshot } from "#shared/contracts/boards/snapshot.ts";
import type { CanaryReport, CanaryResult } from "#shared/contracts/judging/canary.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { formatValue } from "../../format/number.ts";
import { type JudgedBy, judgedBy as judgedByLabel } from "../../report/judged-by.ts";

type Format = Metric["format"];

/**
 * Measured scores of the suite's canaries: first by the deployment's current judges, then by other judges of boards.
 */
export function measuredCanaries(
  { canaries, boards }: Pick<Snapshot, "canaries" | "boards">,
  suite: string,
): CanaryReport[] {
  const all = [...canaries, ...boards.flatMap((board) => board.canaries ?? [])];
  const own = all.filter((report) => report.suite === suite && isMeasured(report));
  return [...Map.groupBy(own, ({ scoringVersion }) => scoringVersion).values()].flatMap(
    ([first]) => first ?? [],
  );
}

const isMeasured = ({ canaries }: CanaryReport): boolean =>
  canaries.some(({ verdict }) => verdict !== "unmeasured");

export const brokenCanaries = ({ canaries }: CanaryReport): CanaryResult[] =>
  canaries.filter(({ verdict }) => verdict === "broken");

/** Status of canaries if none has exceeded its bound. */
export function standingText({ canaries }: CanaryReport): string {
  const unmeasured = canaries.filter(({ verdict }) => verdict === "unmeasured").length;
  return `within their bounds${unmeasured === 0 ? "" : `, ${unmeasured} not measured`}`;
}

/** A bound in words, with its value if it depends on another canary. */
export function boundText(
  bound: CanaryResult["bound"],
  canaries: readonly CanaryResult[],
  format: Format,
): string {
  if (bound === null) return "none";
  if ("most" in bound) return `at most ${formatValue(bound.most, format)}`;
  const other = canaries.find(({ id }) => id === bound.over);
  const base = other?.headline?.value ?? null;
  const limit = base === null ? "" : `, that is ${formatValue(base + bound.margin, format)}`;
  return `at most ${differenceText(bound.margin, format)} above “${other?.label ?? bound.over}”${limit}`;
}

/** Differences of percentages are in points. */
const differenceText = (difference: number, format: Format): string =>
  format === "percent"
    ? `${(100 * difference).toFixed(1)} points`
    : formatValue(difference, format);

/** The judges of a run or a board's runs, with the metric labels of its suite. */
export const boardJudges = (suite: string, judging: RunJudging): JudgedBy =>
  judgedByLabel([...ownMetrics(judging), ...(suiteById(suite)?.judging?.judges ?? [])], judging);

/** How many of a run's or board's judges are simulated; none without judges. */
export const simulatedJudges = (
  suite: string,
  judging: RunJudging | null,
): JudgedBy["simulated"] => (judging === null ? "none" : boardJudges(suite, judging).simulated);
