import type { RadarBlock as Radar } from "#shared/contracts/report.ts";
import { radarSvg } from "../../charts/radar.ts";
import { formatInterval, formatValue } from "../../format/number.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";

/** Shares on axes from one centre. */
export const RadarBlock = ({ block }: { block: Radar }) => (
  <ChartFigure title={block.title} svg={radarSvg(block)}>
    <Head columns={["Axis", { num: "Value" }, { num: "95% interval" }]} />
    <tbody>
      {block.axes.map(({ label, value, interval }) => (
        <tr>
          <th scope="row">{label}</th>
          <td>{formatValue(value, "score")}</td>
          <td>{formatInterval(interval, "score")}</td>
        </tr>
      ))}
    </tbody>
  </ChartFigure>
);
