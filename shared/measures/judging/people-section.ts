import { type Judge, scales } from "../../contracts/judging/judge.ts";
import type { People } from "../../contracts/judging/rating.ts";
import type { ReportSection } from "../../contracts/report.ts";
import {
  type BlockParts,
  blocksOf,
  type Column,
  intervalColumn,
  tableOf,
} from "../report/charts/blocks.ts";
import { fewestSamples, tooFewRated } from "../report/figures/part-interval.ts";
import { judgeName } from "./judge-blocks.ts";

type Judges = readonly Pick<Judge, "id" | "label" | "scale">[];

/** A metric's label and scale: units differ from row to row. */
function metricColumns(judges: Judges): Column<{ metric: string }>[] {
  const of = ({ metric }: { metric: string }) => judges.find(({ id }) => id === metric);
  return [
    ["metric", "Metric", "text", (item) => of(item)?.label ?? item.metric],
    ["scale", "Scale", "text", (item) => scales[of(item)?.scale ?? "ratio"].join("–")],
  ];
}

/**
 * People's ratings of a run's answers as a section: the judges' means corrected by them, and agreement among people
 * and of judges with people.
 * Source: docs/spec/memory.md, people's ratings.
 * @example peopleSection(people, judges).id // "ratings"
 */
export function peopleSection(people: People, all: Judges): ReportSection {
  const { ratings, answers, raters, agreement, judges } = people;
  const means = Object.entries(people.means).map(([metric, its]) => ({ metric, ...its }));
  const by = raters === 1 ? "1 person" : `${raters} people`;
  const corrected = tableOf<(typeof means)[number]>(
    "Means corrected by people",
    [
      ...metricColumns(all),
      ["judge", "Judge's mean", "score"],
      ["value", "Corrected mean", "score"],
      intervalColumn((its) => its.interval),
      ["n", "Rated answers", "count"],
      ["toHalve", "Rated answers to halve it", "count"],
    ],
    means,
  );
  const among = tableOf<People["agreement"][number]>(
    "Agreement among people",
    [
      ...metricColumns(all),
      ["alpha", "Krippendorff's alpha", "score", ({ alpha }) => alpha.value],
      intervalColumn(({ alpha }) => alpha.interval),
      ["answers", "Answers with several ratings", "count"],
      ["ratings", "Ratings", "count"],
    ],
    agreement,
  );
  const blocks = [corrected, agreement.length === 0 ? null : among, judgesAgreement(judges, all)];
  return {
    id: "ratings",
    title: "People's ratings",
    intro: `${by} gave ${ratings} ratings of ${answers} answers. They correct the judges' means of all answers (prediction-powered inference); valid if the rated answers are a random choice.`,
    blocks: blocksOf(blocks),
  };
}

type Levels = "agreement" | "cohensKappa";
type Compared = Omit<People["judges"][number], Levels> &
  Partial<Pick<People["judges"][number], Levels>>;

/**
 * Each judge's agreement with people on each metric, from 20 rated answers on; with fewer, a note.
 * @example judgesAgreement([], judges) // note: people rated 0 answers
 */
export function judgesAgreement(rows: readonly Compared[], judges: Judges): BlockParts {
  const title = "Agreement of judges with people";
  const compared = rows.filter(({ n }) => n >= fewestSamples);
  if (compared.length === 0) return tooFewRated(title, Math.max(0, ...rows.map(({ n }) => n)));
  // Comparisons with a dataset's labels don't have them.
  const hasLevels = compared.some((its) => its.cohensKappa !== undefined);
  const levels: Column<Compared>[] = [
    ["unweighted", "Cohen's kappa", "score", (its) => its.cohensKappa?.value ?? null],
    intervalColumn((its) => its.cohensKappa?.interval ?? null, "score", "unweightedInterval"),
    ["agreement", "Same level", "percent", (its) => its.agreement?.value ?? null],
    intervalColumn((its) => its.agreement?.interval ?? null, "percent", "agreementInterval"),
  ];
  const columns: Column<Compared>[] = [
    ...metricColumns(judges),
    ["judge", "Judge", "text", ({ judge }) => judgeName(judge)],
    ["n", "Answers", "count"],
    ["kappa", "Weighted kappa", "score", ({ kappa }) => kappa.value],
    intervalColumn(({ kappa }) => kappa.interval),
    ...(hasLevels ? levels : []),
    ["error", "Mean absolute error", "score", (its) => its.meanAbsoluteError.value],
  ];
  return tableOf(title, columns, compared);
}
