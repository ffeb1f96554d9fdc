import { type AskedJudge, gradeValue, scales } from "../../contracts/judging/judge.ts";
import { type JudgedAnswer, noJudgment } from "../../contracts/judging/judgment.ts";
import type { Corrected, People } from "../../contracts/judging/rating.ts";
import type { RunScores } from "../../contracts/runs/run-scores.ts";
import type { ScoredSample } from "../../contracts/suite.ts";
import {
  cohensKappa,
  levelNumbers,
  levelSums,
  rawAgreement,
} from "../../stats/correlation/rating-sums.ts";
import { correctedMean, type RatedUnit } from "../../stats/significance/corrected-mean.ts";
import { noFamilies } from "../../stats/sums/families.ts";
import { columnAt } from "../run-sums/named-sums.ts";
import { partFigures } from "../run-sums/run-figures.ts";
import { addPart, noAnswers } from "../run-sums/run-state.ts";
import { addJudged, type JudgeParts } from "./judge-parts.ts";
import { judgeRows, measured, panelRows } from "./judge-tables.ts";

/** An answer that people rated, with its judgments. */
export interface RatedAnswer {
  sample: Pick<ScoredSample, "id" | "tags">;
  judged: readonly JudgedAnswer[];
  /** People's ratings by metric, one for each person. */
  ratings: Readonly<Record<string, readonly number[]>>;
}

/** A run whose answers people rated. */
interface RatedRun {
  id: string;
  scores: RunScores;
  judges: readonly RatedJudge[];
}

type RatedJudge = Pick<AskedJudge, "id" | "scale" | "grades" | "rubric" | "figures">;

const levelAt = columnAt(levelSums);
const levelFamily = "level";
const levelStatistics = { agreement: rawAgreement(levelAt), cohensKappa: cohensKappa(levelAt) };

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Summary of people's ratings of a run: agreement among people, agreement of each judge with the mean of people's
 * ratings, and the mean of each metric corrected by the ratings. Omits metrics without ratings, or whose rated answers
 * were not judged. Linear.
 * Source: docs/spec/memory.md, people's ratings.
 * @example peopleOf(rated, run).means["empathy"]?.value // 3.4
 */
export function peopleOf(
  rated: readonly RatedAnswer[],
  run: RatedRun,
): Pick<People, "means" | "agreement" | "judges"> {
  const judged: JudgeParts = noFamilies();
  const among: JudgeParts = noFamilies();
  const byLevel: JudgeParts = noFamilies();
  const known = new Map(run.judges.map((judge) => [judge.id, levelOf(judge)]));
  for (const { sample, judged: items, ratings } of rated) {
    const own = items.flatMap((item) => {
      const its = ratings[item.metric];
      return its === undefined ? [] : [{ ...item, human: mean(its) }];
    });
    addJudged(judged, sample, own);
    for (const item of own) addLevels(byLevel, sample, item, known.get(item.metric) ?? Math.round);
    // People count as a panel of judges.
    const people = Object.entries(ratings).map(([metric, values]) => ({
      metric,
      judges: values.map((value) => ({ ...noJudgment, value })),
    }));
    addJudged(among, sample, people);
  }
  const state = (parts: JudgeParts) => ({ ...noAnswers({ spreads: [] }, null), parts });
  const metrics = run.judges.map(({ id }) => id);
  const levels = new Map(
    partFigures(state(byLevel), levelFamily, levelStatistics, run.id).map(({ name, figures }) => [
      name,
      figures,
    ]),
  );
  const means = run.judges.map((judge) => [judge.id, correctedOf(rated, run.scores, judge)]);
  return {
    means: Object.fromEntries(means.filter(([, corrected]) => corrected !== null)),
    agreement: panelRows(state(among), run.id, metrics),
    judges: judgeRows(state(judged), run.id, metrics).flatMap(({ metric, judge, calibration }) => {
      if (calibration === null) return [];
      const its = levels.get(JSON.stringify([metric, judge])) ?? {};
      const [agreement, unweighted] = [measured(its, "agreement"), measured(its, "cohensKappa")];
      return [{ metric, judge, ...calibration, agreement, cohensKappa: unweighted }];
    }),
  };
}

/** Maps a value to the nearest level: a whole number, or the index of the nearest of a judge's own grades. */
function levelOf(judge: RatedJudge): (value: number) => number {
  if (judge.grades === undefined) return Math.round;
  const values = judge.rubric.levels.map(([grade]) => gradeValue(judge, grade));
  return (value) => {
    const distances = values.map((one) => Math.abs(one - value));
    return distances.indexOf(Math.min(...distances));
  };
}

/** Adds the levels of each judge and of people for an answer. Changes `parts`. */
function addLevels(
  parts: JudgeParts,
  { id, tags }: RatedAnswer["sample"],
  { metric, judges, human }: RatedAnswer["judged"][number] & { human: number },
  levelIn: (value: number) => number,
): void {
  const answer = { id, cluster: tags["cluster"] ?? null };
  for (const { judge, value } of judges) {
    if (value === null) continue;
    const numbers = levelNumbers(levelIn(value), levelIn(human));
    const columns = levelSums.map((name) => numbers[name]);
    addPart(parts, levelFamily, JSON.stringify([metric, judge]), answer, columns);
  }
}

type RatedPair = RatedUnit["rated"][number];

/** The corrected mean. Omits repeats of a rated sample that people did not rate. */
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
