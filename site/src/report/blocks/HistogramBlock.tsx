import type { HistogramBlock as Histogram } from "#shared/contracts/report.ts";
import { histogramSvg } from "../../charts/histogram.ts";
import { formatCount, formatTick, formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";

/** How often values fall where. */
export const HistogramBlock = ({ block }: { block: Histogram }) => {
  const { title, x, unit, bins, lines } = block;
  if (bins.every(({ count }) => count === 0)) {
    return <NoChart title={title} text="Nothing was measured." />;
  }
  const named = lines.map((line) => `${line.label} ${formatValue(line.x, x.format)}`);
  const isSparse = bins.some(({ count }) => count === 0);
  const caption = [...named, ...(isSparse ? ["empty ranges are left out"] : [])].join(", ");
  return (
    <ChartFigure title={title} svg={histogramSvg(block)}>
      {caption !== "" && <caption>{caption}</caption>}
      <Head columns={[{ num: `${x.label} from` }, { num: "to below" }, { num: unit }]} />
      <tbody>
        {bins
          .filter(({ count }) => count > 0)
          .map(({ from, to, count }) => (
            <tr>
              <td>{formatTick(from, x.format)}</td>
              <td>{formatTick(to, x.format)}</td>
              <td>{formatCount(count)}</td>
            </tr>
          ))}
      </tbody>
    </ChartFigure>
  );
};
