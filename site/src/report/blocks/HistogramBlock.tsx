import type { HistogramBlock as Histogram } from "#shared/contracts/report.ts";
import { histogramSvg } from "../../charts/histogram.ts";
import { formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";

/** How often values fall where. */
export const HistogramBlock = ({ block }: { block: Histogram }) => {
  const { title, x, bins, lines } = block;
  if (bins.every(({ count }) => count === 0)) {
    return <NoChart title={title} text="Nothing was measured." />;
  }
  const named = lines.map((line) => `${line.label} ${formatValue(line.x, x.format)}`);
  const isSparse = bins.some(({ count }) => count === 0);
  const caption = [...named, ...(isSparse ? ["empty ranges are left out"] : [])].join(", ");
  return (
    <ChartFigure title={title} svg={histogramSvg(block)}>
      {caption !== "" && <caption>{caption}</caption>}
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
