import type { BarsBlock as Bars } from "#shared/contracts/report.ts";
import { barsSvg } from "../../charts/bars.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";
import { Legend } from "./Legend.tsx";

/** Values side by side. */
export const BarsBlock = ({ block }: { block: Bars }) => {
  const { title, bars, legend, below } = block;
  if (bars.length === 0) {
    return <NoChart title={title} text="Nothing to show: no group is large enough." />;
  }
  const hasIntervals = bars.some(({ interval }) => interval !== null);
  return (
    <ChartFigure
      title={title}
      svg={barsSvg(block)}
      below={
        <>
          <Legend label="Colours" items={legend} />
          {below !== undefined && <p class="small soft">{below}</p>}
        </>
      }
    >
      <ChartNumbers block={block} without={hasIntervals ? undefined : "95% interval"} />
    </ChartFigure>
  );
};
