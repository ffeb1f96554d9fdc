import { type Scale, scales } from "../../contracts/judging/judge.ts";
import type { People } from "../../contracts/judging/rating.ts";
import type { ReportSection } from "../../contracts/report.ts";
import type { Suite } from "../../contracts/suite.ts";
import { type BlockParts, blocksOf, tableOf } from "../report/charts/blocks.ts";
import { intervalText } from "../report/figures/figure-text.ts";
import { fewestSamples, tooFewRated } from "../report/figures/part-interval.ts";
import { judgeName } from "./judge-blocks.ts";

/**
 * People's ratings of a run's answers as a section: the judges' means corrected by them, and agreement among people
 * and of judges with people.
 * Source: docs/spec/memory.md, people's ratings.
 * @example peopleSection(people, suite).id // "ratings"
 */
export function peopleSection(people: People, { judging }: Pick<Suite, "judging">): ReportSection {
  const judges = judging?.judges ?? [];
  const judgeOf = (metric: string): { label: string; scale: Scale } =>
    judges.find(({ id }) => id === metric) ?? { label: metric, scale: "ratio" };
  const { ratings, answers, raters } = people;
  const by = raters === 1 ? "1 person" : `${raters} people`;
  return {
    id: "ratings",
    title: "People's ratings",
    intro: `${by} gave ${ratings} ratings of ${answers} answers. They correct the judges' means of all answers (prediction-powered inference); valid if the rated answers are a random choice.`,
    blocks: blocksOf([
      meansTable(people, judgeOf),
      peopleTable(people, judgeOf),
      judgesTable(people, judgeOf),
    ]),
  };
}

type JudgeOf = (metric: string) => { label: string; scale: Scale };

const meansTable = ({ means }: People, judgeOf: JudgeOf): BlockParts =>
  tableOf(
    "Means corrected by people",
    [
      ["metric", "Metric", "text", ([metric]) => judgeOf(metric).label],
      ["scale", "Scale", "text", ([metric]) => scales[judgeOf(metric).scale].join("–")],
      ["judge", "Judge's mean", "score", ([, { judge }]) => judge],
      ["corrected", "Corrected mean", "score", ([, { value }]) => value],
      ["interval", "95% interval", "figure", ([, { interval }]) => intervalText(interval)],
      ["n", "Rated answers", "count", ([, { n }]) => n],
      ["toHalve", "For half the interval", "count", ([, { toHalve }]) => toHalve],
    ],
    Object.entries(means),
  );

function peopleTable({ agreement }: People, judgeOf: JudgeOf): BlockParts {
  if (agreement.length === 0) return null;
  return tableOf(
    "Agreement among people",
    [
      ["metric", "Metric", "text", ({ metric }) => judgeOf(metric).label],
      ["alpha", "Krippendorff's alpha", "score", ({ alpha }) => alpha.value],
      ["interval", "95% interval", "figure", ({ alpha }) => intervalText(alpha.interval)],
      ["answers", "Answers with several ratings", "count"],
      ["ratings", "Ratings", "count"],
    ],
    agreement,
  );
}

function judgesTable({ judges }: People, judgeOf: JudgeOf): BlockParts {
  const rows = judges.filter(({ n }) => n >= fewestSamples);
  const title = "Agreement of judges with people";
  if (rows.length === 0) return tooFewRated(title, Math.max(0, ...judges.map(({ n }) => n)));
  return tableOf(
    title,
    [
      ["metric", "Metric", "text", ({ metric }) => judgeOf(metric).label],
      ["judge", "Judge", "text", ({ judge }) => judgeName(judge)],
      ["n", "Answers", "count"],
      ["kappa", "Weighted kappa", "score", ({ kappa }) => kappa.value],
      ["kappaInterval", "95% interval", "figure", ({ kappa }) => intervalText(kappa.interval)],
      ["error", "Mean absolute error", "score", (its) => its.meanAbsoluteError.value],
    ],
    rows,
  );
}
