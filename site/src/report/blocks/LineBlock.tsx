import type { LineBlock as Line } from "#shared/contracts/report.ts";
import { lineSvg } from "../../charts/line.ts";
import { formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";

/** A value that depends on another one. */
export const LineBlock = ({ block }: { block: Line }) => {
  const { title, x, y, points } = block;
  if (points.length === 0) return <NoChart title={title} text="Nothing to show." />;
  return (
    <ChartFigure title={title} svg={lineSvg(block)}>
      <Head columns={[{ num: x.label }, { num: y.label }]} />
      <tbody>
        {points.map((point) => (
          <tr>
            <td>{point.text ?? formatValue(point.x, x.format)}</td>
            <td>{formatValue(point.y, y.format)}</td>
          </tr>
        ))}
      </tbody>
    </ChartFigure>
  );
};
