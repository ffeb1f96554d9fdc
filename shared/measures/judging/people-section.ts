import { type Scale, scales } from "../../contracts/judging/judge.ts";
import type { People } from "../../contracts/judging/rating.ts";
import type { ReportSection } from "../../contracts/report.ts";
import type { Suite } from "../../contracts/suite.ts";
import { blocksOf, tableOf } from "../report/charts/blocks.ts";
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
  const { ratings, answers, raters, means, agreement, judges } = people;
  const judgeOf = (metric: string): { label: string; scale: Scale } =>
    judging?.judges.find(({ id }) => id === metric) ?? { label: metric, scale: "ratio" };
  const label = ({ metric }: { metric: string }) => judgeOf(metric).label;
  const by = raters === 1 ? "1 person" : `${raters} people`;
  const compared = judges.filter(({ n }) => n >= fewestSamples);
  const most = Math.max(0, ...judges.map(({ n }) => n));
  const title = "Agreement of judges with people";
  return {
    id: "ratings",
    title: "People's ratings",
    intro: `${by} gave ${ratings} ratings of ${answers} answers. They correct the judges' means of all answers (prediction-powered inference); valid if the rated answers are a random choice.`,
    blocks: blocksOf([
      tableOf(
        "Means corrected by people",
        [
          ["metric", "Metric", "text", ([metric]) => judgeOf(metric).label],
          ["scale", "Scale", "text", ([metric]) => scales[judgeOf(metric).scale].join("–")],
          ["judge", "Judge's mean", "score", ([, its]) => its.judge],
          ["corrected", "Corrected mean", "score", ([, its]) => its.value],
          ["interval", "95% interval", "figure", ([, its]) => intervalText(its.interval)],
          ["n", "Rated answers", "count", ([, its]) => its.n],
          ["toHalve", "For half the interval", "count", ([, its]) => its.toHalve],
        ],
        Object.entries(means),
      ),
      agreement.length === 0
        ? null
        : tableOf(
            "Agreement among people",
            [
              ["metric", "Metric", "text", label],
              ["alpha", "Krippendorff's alpha", "score", ({ alpha }) => alpha.value],
              ["interval", "95% interval", "figure", ({ alpha }) => intervalText(alpha.interval)],
              ["answers", "Answers with several ratings", "count"],
              ["ratings", "Ratings", "count"],
            ],
            agreement,
          ),
      compared.length === 0
        ? tooFewRated(title, most)
        : tableOf(
            title,
            [
              ["metric", "Metric", "text", label],
              ["judge", "Judge", "text", ({ judge }) => judgeName(judge)],
              ["n", "Answers", "count"],
              ["kappa", "Weighted kappa", "score", ({ kappa }) => kappa.value],
              ["interval", "95% interval", "figure", ({ kappa }) => intervalText(kappa.interval)],
              ["error", "Mean absolute error", "score", (its) => its.meanAbsoluteError.value],
            ],
            compared,
          ),
    ]),
  };
}
