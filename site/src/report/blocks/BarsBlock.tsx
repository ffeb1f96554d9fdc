import type { BarsBlock as Bars } from "#shared/contracts/report.ts";
import { barsSvg } from "../../charts/bars.ts";
import { formatCount, formatInterval, formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";
import { Legend } from "./Legend.tsx";

/** Values side by side. */
export const BarsBlock = ({ block }: { block: Bars }) => {
  const { title, bars, format, legend, below } = block;
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
      <Head
        columns={[
          "Group",
          { num: "Value" },
          ...(hasIntervals ? [{ num: "95% interval" }] : []),
          { num: "n" },
        ]}
      />
      <tbody>
        {bars.map(({ label, value, interval, n }) => (
          <tr>
            <th scope="row">{label}</th>
            <td>{formatValue(value, format)}</td>
            {hasIntervals && <td>{formatInterval(interval, format)}</td>}
            <td>{formatCount(n)}</td>
          </tr>
        ))}
      </tbody>
    </ChartFigure>
  );
};
