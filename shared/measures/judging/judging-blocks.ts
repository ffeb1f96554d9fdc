import type { JudgingStudy } from "../../contracts/boards/judging-study.ts";
import { textOrJson } from "../../contracts/json.ts";
import type { TableBlock } from "../../contracts/report.ts";
import { intervalColumn, type NamedMetric, tableOf } from "../report/charts/blocks.ts";
import { figureText } from "../report/figures/figure-text.ts";

/** Sources of the variance of ranks. */
const sources = [
  ["models", "models"],
  ["judgings", "judgings"],
  ["samples", "choice of samples"],
  ["both", "judgings × samples"],
] as const;

/**
 * A study of judgings as tables: ranks, shares of their variance, and the judgings.
 * @example judgingBlocks(study, metric)[0]?.title // "Ranks by Memory citation score"
 */
export function judgingBlocks(
  { judgings, models, samples, dataset, variance }: JudgingStudy,
  { label, format }: Pick<NamedMetric, "label" | "format">,
): TableBlock[] {
  type Model = (typeof models)[number];
  const rankIn = (j: number) => (model: Model) =>
    `${model.results[j]!.rank} (${figureText(model.results[j]!.value, format)})`;
  const numbered = judgings.map((judging, j) => ({ ...judging, name: `J${j + 1}` }));
  const ranks = tableOf<Model>(
    `Ranks by ${label}`,
    [
      ["model", "model", "text", ({ model }) => model.name],
      ["first", "ranked first", "text", ({ first }) => `${first} of ${judgings.length}`],
      ...numbered.map(({ name }, j) => [name, name, "figure", rankIn(j)] as const),
    ],
    models,
    models.length,
  )[0];
  return [
    {
      ...ranks,
      below: `${samples} samples of ${dataset.name}; rank, then value. Tied models share their mean rank`,
    },
    tableOf<[string, number]>(
      "Share of the variance of ranks",
      [
        ["part", "source", "text", ([name]) => name],
        ["share", "share", "percent", ([, share]) => share],
      ],
      variance === null ? [] : sources.map(([part, name]) => [name, variance[part]]),
    )[0],
    tableOf<(typeof numbered)[number]>(
      "Judgings, and how often the longer of two answers scores higher",
      [
        ["name", "judging", "text"],
        ["options", "options", "text", ({ options }) => optionsText(options)],
        ["longer", "longer wins", "percent", ({ longerWins }) => longerWins?.value ?? null],
        intervalColumn(({ longerWins }) => longerWins?.interval ?? null, "percent"),
        ["judges", "judges", "text", judgesText],
      ],
      numbered,
      numbered.length,
    )[0],
  ];
}

const judgesText = ({ judges, simulated }: JudgingStudy["judgings"][number]) =>
  `${judges.join(", ") || "judges"}${simulated ? " (simulated)" : ""}`;

function optionsText(options: Readonly<Record<string, unknown>>): string {
  const names = Object.entries(options).flatMap(([name, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    return [`${name} ${textOrJson(value)}`];
  });
  return names.join(", ") || "default";
}
