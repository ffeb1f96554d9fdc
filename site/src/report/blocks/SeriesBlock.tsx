import type { SeriesBlock as Series } from "#shared/contracts/report.ts";
import { seriesSvg } from "../../charts/parts/series.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";
import { Legend } from "./Legend.tsx";

const swatchOf = (tone: Series["series"][number]["tone"]) =>
  tone === "neutral" ? ("accent" as const) : tone;

/** Values over time. */
export const SeriesBlock = ({ block }: { block: Series }) => {
  const { title, series } = block;
  const first = series[0];
  if (!first || first.points.length === 0) {
    return <NoChart title={title} text="Nothing to show." />;
  }
  return (
    <ChartFigure
      title={title}
      svg={seriesSvg(block)}
      below={
        series.length > 1 && (
          <Legend
            label="Lines"
            items={series.map(({ tone, label }) => ({ tone: swatchOf(tone), label }))}
          />
        )
      }
    >
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
