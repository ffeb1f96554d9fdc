import type { Metric } from "../../contracts/metric.ts";
import type { BarsBlock, ReportBlock, TableBlock } from "../../contracts/report.ts";
import { folded, intervalText, type ToneSteps, tableOf, toneOf } from "./blocks.ts";
import { tellingTags } from "./telling-tags.ts";

/** A part of a run, such as the answers with one value of a tag. */
interface Part {
  name: string;
  n: number;
  figures: Readonly<
    Record<string, { value: number; interval: readonly [number, number] | null } | undefined>
  >;
}

/** Which figures of parts are shown: the first as bars with intervals, all of them in the table. */
export interface PartFigures {
  figures: readonly [Pick<Metric, "id" | "label" | "format">, ...PartFigure[]];
  steps: ToneSteps;
  /** What `n` counts. */
  things: string;
}
type PartFigure = Pick<Metric, "id" | "label" | "format">;

/** Tags that are shown, and of each its values. */
const mostTags = 5;
const mostBars = 12;
const mostRows = 15;

/**
 * Parts of a run side by side: their main figure as bars with intervals, of at most 12, and a table of all
 * figures of at most 15. Nothing without parts.
 * @example partBlocks("User", users, { figures: [f1], steps, things: "Sessions" })[0]?.title // "F1 by user"
 */
export function partBlocks(
  name: string,
  parts: readonly Part[],
  { figures, steps, things }: PartFigures,
): ReportBlock[] {
  if (parts.length === 0) return [];
  const [main] = figures;
  const by = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const bars: BarsBlock = {
    ...{ kind: "bars", title: `${main.label} by ${by}`, format: main.format },
    bars: parts.slice(0, mostBars).map(({ name: label, n, figures: known }) => {
      const { value = null, interval = null } = known[main.id] ?? {};
      const ends: [number, number] | null = interval === null ? null : [interval[0], interval[1]];
      return { label, value, interval: ends, n, tone: toneOf(value, steps) };
    }),
  };
  const table = tableOf(
    `Figures by ${by}`,
    [
      ["name", name, "text"],
      [main.id, main.label, main.format],
      ["interval", "95% interval", "text"],
      ...figures
        .slice(1)
        .map(({ id, label, format }): [string, string, typeof format] => [
          ...([id, label, format] as const),
        ]),
      ["n", things, "count"],
    ],
    parts.map(({ name: label, n, figures: known }): TableBlock["rows"][number] => ({
      ...Object.fromEntries(figures.map(({ id }) => [id, known[id]?.value ?? null])),
      ...{ name: label, n },
      interval: intervalText(known[main.id]?.interval ?? null, main.format),
    })),
    mostRows,
  );
  return [bars, ...folded<ReportBlock>(table)];
}

/** Of more values than bars those of most answers come first. */
const largestFirst = <Its extends Part>(parts: readonly Its[]): readonly Its[] =>
  parts.length <= mostBars ? parts : [...parts].sort((a, b) => b.n - a.n);

/**
 * Parts by each tag that tells samples apart, of the first five tags; a sentence names the others.
 * @example tagBlocks([], { figures: [overall], steps, things: "Answers" }) // []
 */
export function tagBlocks(
  tags: readonly (Part & { tag: string })[],
  shown: PartFigures,
): ReportBlock[] {
  const byTag = tellingTags(tags);
  const left = byTag.slice(mostTags).map(([tag]) => tag);
  const text = `The run's breakdown in the API has ${left.join(", ")}, too.`;
  return [
    ...byTag.slice(0, mostTags).flatMap(([tag, parts]) => partBlocks(tag, largestFirst(parts), shown)),
    ...(left.length === 0
      ? []
      : [{ kind: "note", title: "More tags", tone: "neutral", text } as const]),
  ];
}
