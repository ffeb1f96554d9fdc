import type { AskedJudge } from "../../contracts/judging/judge.ts";
import { scales } from "../../contracts/judging/judge.ts";
import { type JudgedAnswer, noJudgment } from "../../contracts/judging/judgment.ts";
import type { Corrected, People } from "../../contracts/judging/rating.ts";
import type { RunScores } from "../../contracts/run-scores.ts";
import type { ScoredSample } from "../../contracts/suite.ts";
import { correctedMean, type RatedUnit } from "../../stats/significance/corrected-mean.ts";
import { noFamilies } from "../../stats/sums/families.ts";
import { noAnswers } from "../run-sums/run-state.ts";
import { addJudged, type JudgeParts } from "./judge-parts.ts";
import { judgeRows, panelRows } from "./judge-tables.ts";

/** An answer that people rated, as its judges rated it. */
export interface RatedAnswer {
  sample: Pick<ScoredSample, "id" | "tags">;
  judged: readonly JudgedAnswer[];
  /** By metric: one rating for each person. */
  ratings: Readonly<Record<string, readonly number[]>>;
}

/** A run whose answers people rated. */
interface RatedRun {
  id: string;
  scores: RunScores;
  judges: readonly Pick<AskedJudge, "id" | "scale" | "figures">[];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * People's ratings of a run, summed up: agreement among people, agreement of each judge with the mean of people's
 * ratings, and the mean of each metric corrected by them. A metric without ratings, or whose rated answers were not
 * judged, is left out. Linear.
 * Source: docs/spec/memory.md, people's ratings.
 * @example peopleOf(rated, run).means["empathy"]?.value // 3.4
 */
export function peopleOf(
  rated: readonly RatedAnswer[],
  run: RatedRun,
): Pick<People, "means" | "agreement" | "judges"> {
  const judged: JudgeParts = noFamilies();
  const among: JudgeParts = noFamilies();
  for (const { sample, judged: items, ratings } of rated) {
    const own = items.filter(({ metric }) => ratings[metric] !== undefined);
    addJudged(
      judged,
      sample,
      own.map((item) => ({ ...item, human: mean(ratings[item.metric]!) })),
    );
    // People as a panel of judges.
    const people = Object.entries(ratings).map(([metric, values]) => ({
      metric,
      judges: values.map((value) => ({ ...noJudgment, value })),
    }));
    addJudged(among, sample, people);
  }
  const state = (parts: JudgeParts) => ({ ...noAnswers({ spreads: [] }, null), parts });
  const metrics = run.judges.map(({ id }) => id);
  const means = run.judges.map((judge) => [judge.id, correctedOf(rated, run.scores, judge)]);
  return {
    means: Object.fromEntries(means.filter(([, corrected]) => corrected !== null)),
    agreement: panelRows(state(among), run.id, metrics),
    judges: judgeRows(state(judged), run.id, metrics).flatMap(({ metric, judge, calibration }) =>
      calibration === null ? [] : [{ metric, judge, ...calibration }],
    ),
  };
}

type RatedPair = RatedUnit["rated"][number];

/** Repeats of a rated sample that people did not rate are left out. */
function correctedOf(
  rated: readonly RatedAnswer[],
  { ids, clusters, values }: RunScores,
  { id: metric, scale, figures }: RatedRun["judges"][number],
): Corrected | null {
  const pairs = new Map<string, RatedPair[]>();
  for (const { sample, judged, ratings } of rated) {
    const value = judged.find((item) => item.metric === metric)?.value ?? null;
    const people = ratings[metric];
    if (value === null || people === undefined) continue;
    pairs.set(sample.id, [...(pairs.get(sample.id) ?? []), [value, mean(people)]]);
  }
  const units = new Map<string, { unrated: RatedUnit["unrated"]; rated: RatedPair[] }>();
  for (const [i, id] of ids.entries()) {
    const name = clusters?.[i] ?? id;
    const unit = units.get(name) ?? { unrated: { n: 0, sum: 0 }, rated: [] };
    units.set(name, unit);
    const its = pairs.get(id);
    const value = values[figures[0].metric.id]?.of[i] ?? null;
    if (its !== undefined) unit.rated.push(...its);
    else if (value !== null) {
      unit.unrated.n++;
      unit.unrated.sum += value;
    }
  }
  return correctedMean([...units.values()], scales[scale]);
}
