import type { ScatterBlock as Scatter } from "#shared/contracts/report.ts";
import { scatterSvg } from "../../charts/scatter.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";
import { Legend } from "./Legend.tsx";

/** Rows of the table behind the dots; of more it says so, and where they are. */
const mostRows = 40;

/** Things in two quantities. */
export const ScatterBlock = ({ block }: { block: Scatter }) => {
  const { title, x, y, points, legend } = block;
  if (points.length === 0) return <NoChart title={title} text="Nothing was measured in both." />;
  return (
    <ChartFigure
      title={title}
      svg={scatterSvg(block)}
      below={<Legend label="Colours" items={legend} />}
    >
      {points.length > mostRows && (
        <caption>
          The first {mostRows} of {formatCount(points.length)} dots; the other{" "}
          {formatCount(points.length - mostRows)} are left out here, and stand among{" "}
          <a href="#samples">all samples</a>.
        </caption>
      )}
      <Head columns={["Dot", { num: x.label }, { num: y.label }]} />
      <tbody>
        {points.slice(0, mostRows).map((point) => (
          <tr>
            <th scope="row">{point.label}</th>
            <td>{formatValue(point.x, x.format)}</td>
            <td>{formatValue(point.y, y.format)}</td>
          </tr>
        ))}
      </tbody>
    </ChartFigure>
  );
};
