import type { BarsBlock, MatrixBlock } from "../../../contracts/report.ts";
import {
  asBrief,
  type BlockParts,
  note,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { decimalText } from "../../../measures/report/figures/figure-text.ts";
import { barsOfParts, partInterval } from "../../../measures/report/figures/part-interval.ts";
import type { PairsBreakdown } from "../sum/breakdown.ts";
import { pairingFamily } from "../sum/state.ts";
import type { ReportFacts } from "./advice-rules.ts";

type Strength = PairsBreakdown["models"][number];

/** Maximum models in a matrix: more would not fit on a page. */
const mostModels = 20;

/** Probability of beating a model with the mean score. */
const chanceOf = (score: number): number => 1 / (1 + Math.exp(-score));

/**
 * The models that wrote the answers: their Bradley–Terry scores with intervals, and which won against which. Null if
 * the samples name no models.
 * Source: Bradley and Terry 1952, Rank analysis of incomplete block designs.
 * @example modelSection(facts)?.id // "models"
 */
export function modelSection({ breakdown }: ReportFacts): SectionParts | null {
  const { models, crowded } = breakdown;
  const isCrowded = crowded.some(({ family }) => family === pairingFamily);
  if (models.length === 0 && !isCrowded) return null;
  return {
    id: "models",
    title: "The models that were compared",
    intro:
      "Bradley–Terry scores in log odds, 0 for the mean: how often a model's answers win by this judge. Ties, and pairs whose orders differ, are half a win for each.",
    blocks: [
      models.length > 0 ? [strengthTable(models), limitsNote(models), chanceBars(models)] : null,
      winMatrix(breakdown),
      isCrowded
        ? note(
            "Too many models",
            "The samples have more than 200 pairs of models: more than are counted separately, so there are no scores.",
            "fair",
          )
        : null,
    ],
  };
}

function strengthTable(models: readonly Strength[]): BlockParts {
  const hasGroups = new Set(models.map(({ group }) => group)).size > 1;
  return asBrief(
    tableOf(
      "Bradley–Terry scores",
      [
        ["model", "Model", "text"],
        ["score", "Score", "figure", ({ score }: Strength) => decimalText(score, 2)],
        [
          "interval",
          "95% interval",
          "figure",
          ({ n, interval }) =>
            partInterval(n, interval)
              ?.map((end) => decimalText(end, 2))
              .join(" to ") ?? null,
        ],
        ["winRate", "Wins", "percent"],
        ["n", "Pairs", "count"],
        ...(hasGroups
          ? [["group", "Group", "count", ({ group }: Strength) => group + 1] as const]
          : []),
      ],
      models,
      mostModels,
    ),
  );
}

/** The limits of the scores. */
function limitsNote(models: readonly Strength[]): BlockParts {
  const groups = new Set(models.map(({ group }) => group)).size;
  const named = (its: readonly Strength[]) => its.map(({ model }) => model).join(", ");
  const always = named(models.filter(({ winRate }) => winRate === 1));
  const never = named(models.filter(({ winRate }) => winRate === 0));
  const unbounded = models.some(({ interval }) => interval === null);
  const texts = [
    ...(groups > 1
      ? [
          `The models are in ${groups} groups without a comparison between them: scores of different groups can't be compared.`,
        ]
      : []),
    ...(always === "" ? [] : [`Won every comparison: ${always}.`]),
    ...(never === "" ? [] : [`Lost every comparison: ${never}.`]),
    ...(unbounded
      ? [
          "Where some models win all comparisons with the others of their group, or all pairs have one source, the data bound no score: there are no intervals, and scores are finite only because a small part of a win is added to both sides of each pair of models.",
        ]
      : []),
  ];
  return texts.length === 0 ? null : asBrief(note("Limits of the scores", texts.join(" "), "fair"));
}

function chanceBars(models: readonly Strength[]): BarsBlock {
  return barsOfParts({
    kind: "bars",
    title: "Chance to beat a model of the mean score",
    format: "percent",
    legend: [],
    bars: models.slice(0, mostModels).map(({ model, score, interval, n }) => ({
      label: model,
      value: chanceOf(score),
      interval: interval && [chanceOf(interval[0]), chanceOf(interval[1])],
      n,
      tone: "neutral",
    })),
  });
}

function winMatrix({ models, pairings }: PairsBreakdown): MatrixBlock | null {
  const names = models.slice(0, mostModels).map(({ model }) => model);
  if (names.length < 3) return null;
  const rate = (row: string, column: string): number | null => {
    const pairing = pairings.find(
      ({ first, second }) =>
        (first === row && second === column) || (first === column && second === row),
    );
    if (pairing === undefined) return null;
    const share = pairing.wins / pairing.n;
    return pairing.first === row ? share : 1 - share;
  };
  return {
    kind: "matrix",
    title: "Share of pairs that the row's model wins against the column's model",
    rows: { label: "Model", names },
    columns: { label: "Against", names },
    cells: names.map((row) => names.map((column) => rate(row, column))),
    format: "percent",
    scale: "share",
  };
}
