import type { ScoredSample } from "../../../contracts/suite.ts";
import {
  type CallTotals,
  countCall,
  noCalls,
  timesOf,
} from "../../../measures/performance/call-totals.ts";
import { addToPart, type PartSums } from "../../../measures/run-sums/run-state.ts";
import { addCounts } from "../../../stats/sums/binned-histogram.ts";
import { entryIn, type Families, type FamilyRules } from "../../../stats/sums/families.ts";
import { addBinned, type LogBins, noBins } from "../../../stats/sums/log-bins.ts";
import { countLost, lostOutput, noLostOutputs } from "../score/lost-output.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { headlineValues, type RowNumbers } from "./columns.ts";
import { addMeans, type MeanSums, noMeanSums } from "./figures.ts";
import { countErrors, countMetered, noErrors, type Tallies } from "./tallies.ts";

/** What of the tallies is kept of each group too. */
type GroupTallies = Pick<Tallies, "metered" | "hallucinations" | "patterns" | "lost">;

/** The answers of one value of a tag, or of one complexity bin. */
export interface GroupSums extends PartSums, GroupTallies {
  means: MeanSums;
  calls: CallTotals;
  latency: LogBins;
}

/**
 * Limits on values of tags counted separately: a tag of more than 200 is a name rather than a group. Each takes
 * some 60 kB if it is in every group of samples, so a run may have 1,000 in total.
 */
const tagRules: FamilyRules<GroupSums> = {
  most: 200,
  total: 1_000,
  make: noGroup,
  add: (crowd, { answers }) => {
    crowd.answers += answers;
  },
};

/**
 * No answers yet.
 * @example noGroup().answers // 0
 */
export function noGroup(): GroupSums {
  return {
    answers: 0,
    columns: {},
    means: noMeanSums(),
    calls: noCalls(),
    latency: noBins(),
    metered: { answers: 0, predictedFields: 0, outputTokens: 0 },
    ...noErrors(),
    lost: noLostOutputs(),
  };
}

/** An answer as groups take it: worked out once for all groups that it is in. */
export interface GroupAnswer extends GroupTallies {
  numbers: RowNumbers;
  /** The group of samples that it is resampled with. */
  part: number;
  call: ScoredSample["call"];
}

/**
 * An answer as groups take it.
 * @example groupAnswer(scored, rowNumbers(row), 17)
 */
export function groupAnswer(
  { score, call }: ScoredSample<ExtractionDetail>,
  numbers: RowNumbers,
  part: number,
): GroupAnswer {
  const metered = { answers: 0, predictedFields: 0, outputTokens: 0 };
  const [errors, lost] = [noErrors(), noLostOutputs()];
  countMetered(metered, score.detail, call);
  const why = lostOutput(score);
  if (why !== null) countLost(lost, why, score.detail);
  else for (const field of score.detail.fields) countErrors(errors, field);
  return { numbers, part, call, metered, lost, ...errors };
}

/**
 * Adds an answer to a group.
 * @example addToGroup(group, groupAnswer(scored, rowNumbers(row), 17))
 */
export function addToGroup(group: GroupSums, answer: GroupAnswer): void {
  const { numbers, part, call } = answer;
  addToPart(group, part, headlineValues(numbers));
  addMeans(group.means, numbers);
  countCall(group.calls, call);
  const { latencyMs } = timesOf(call);
  if (latencyMs !== null) addBinned(group.latency, latencyMs);
  addCounts(group.metered, answer.metered);
  addCounts(group.hallucinations, answer.hallucinations);
  addCounts(group.patterns, answer.patterns);
  addCounts(group.lost, answer.lost);
}

/**
 * Adds an answer to the group of each of its tags but `cluster`, which says what is resampled together;
 * of a tag with too many values only how many answers have it.
 * @example addToTags(tags, { language: "en" }, answer)
 */
export function addToTags(
  groups: Families<GroupSums>,
  tags: Readonly<Record<string, string>>,
  answer: GroupAnswer,
): void {
  for (const [key, value] of Object.entries(tags)) {
    if (key === "cluster") continue;
    const { entry, isCrowd } = entryIn(groups, key, value, tagRules);
    if (isCrowd) entry.answers++;
    else addToGroup(entry, answer);
  }
}
