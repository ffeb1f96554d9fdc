import type { BarsBlock, SampleFilter } from "../../../contracts/report.ts";
import {
  asFolded,
  type BlockParts,
  type Column,
  metricValue,
  noteIf,
  type SectionParts,
  tableOf,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import {
  barsOfParts,
  belowParts,
  partInterval,
} from "../../../measures/report/figures/part-interval.ts";
import {
  aboveBelowLegend,
  toneAgainstWhole,
} from "../../../measures/report/parts/strength-blocks.ts";
import type { GroupFigures, TagsBreakdown } from "../sum/breakdown/breakdown-parts.ts";
import { comparableGroups } from "./compared-figures.ts";
import { mostFrequentError } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Maximum number of tags, and of their values in the chart and in the table. */
const mostTags = 4;
const mostBars = 10;
const mostRows = 10;

/**
 * EQS by value of each tag, the headline figures of each, and the omitted values; null if no tag has several values.
 * Source: docs/spec/extraction.md, section 6.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown, metrics }: ReportFacts): SectionParts | null {
  const { left } = breakdown.tags;
  const keys = comparableGroups(breakdown.tags);
  if (keys.length === 0) return null;
  const more = keys.length > mostTags ? ` The first ${mostTags} of ${keys.length} tags.` : "";
  const whole = metricValue(metrics, "eqs");
  return {
    id: "tags",
    title: "By tag",
    intro:
      "Tags with at least two values of at least ten samples, largest first; a value is coloured if its 95% interval does not contain the EQS of the run.",
    blocks: [
      keys
        .slice(0, mostTags)
        .map(([key, its]) => [
          tagBars(key, its, whole),
          asFolded(
            groupTable(`Figures by ${key}`, key, its, mostRows, ({ name }) => tagged(key, name)),
          ),
        ]),
      noteIf("Not shown", `${more}${leftText(left)}`),
    ],
  };
}

function tagBars(key: string, groups: TagsBreakdown["groups"], whole: number | null): BarsBlock {
  const shown = groups.slice(0, mostBars);
  const part = shown.length < groups.length ? `, the ${mostBars} largest of ${groups.length}` : "";
  return barsOfParts({
    kind: "bars",
    title: `EQS by ${key}${part}`,
    format: "score",
    legend: aboveBelowLegend,
    bars: shown.map(({ name, n, figures }) => {
      const { value = null, interval = null } = figures["eqs"] ?? {};
      const tone = toneAgainstWhole(partInterval(n, interval), whole);
      return { label: name, value, interval, n, tone, samples: tagged(key, name) };
    }),
  });
}

const tagged = (key: string, name: string): SampleFilter => ({ tag: `${key}:${name}` });

function leftText({ small, large, tags }: TagsBreakdown["left"]): string {
  const parts = [
    ...(small > 0 ? [`${small} values of fewer than ten samples`] : []),
    ...(large > 0 ? [`${large} values after the 200 largest`] : []),
    ...tags.map(({ key, moreThan }) =>
      key === null
        ? `other tags, since there are more than ${moreThan}`
        : `the tag “${key}”, which has more than ${moreThan} values`,
    ),
  ];
  return parts.length === 0 ? "" : ` Left out: ${parts.join("; ")}.`;
}

const figures = [
  ["eqs", "EQS", "score"],
  ["validity", "Validity", "percent"],
  ["partialPrecision", "Partial precision", "score"],
  ["partialRecall", "Partial recall", "score"],
  ["partialF1", "Partial F1", "score"],
  ["typeAccuracy", "Type accuracy", "score"],
  ["hallucinationRate", "Hallucination", "percent"],
  ["exactMatch", "Exact match", "percent"],
  ["omissionRate", "Omission", "percent"],
  ["latencyP95", "Latency p95", "ms"],
] as const;

/**
 * Groups of samples with their main figures; the API returns the other figures. Shows `most` groups, with links to
 * their samples.
 * @example groupTable("Figures by language", "Language", groups)[0].rows[0]?.eqs
 */
export function groupTable(
  title: string,
  label: string,
  groups: readonly GroupFigures[],
  most: number = groups.length,
  samplesOf: (group: GroupFigures) => SampleFilter | null = () => null,
): BlockParts {
  const [table, ...more] = tableOf(
    title,
    [
      ["name", label, "text"],
      ["n", "Samples", "count"],
      ...figures.map(
        ([id, of, format]): Column<GroupFigures> => [
          id,
          of,
          format,
          ({ figures: known }) => known[id]?.value ?? null,
        ],
      ),
      [
        "interval",
        "EQS, 95% interval",
        "figure",
        ({ n, figures: known }) => intervalText(partInterval(n, known["eqs"]?.interval ?? null)),
      ],
      ["error", "Most frequent error", "text", (group) => mostFrequentError(group)?.text ?? null],
    ],
    groups,
    most,
  );
  const parts = groups.slice(0, most).map(({ n, figures: known }) => {
    return { n, value: known["eqs"]?.value ?? null };
  });
  const [linked] = withSamples([table], groups, samplesOf);
  return [{ ...linked, ...belowParts(parts) }, ...more];
}
