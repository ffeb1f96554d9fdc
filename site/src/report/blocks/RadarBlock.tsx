import type { RadarBlock as Radar } from "#shared/contracts/report.ts";
import { radarSvg } from "../../charts/radar.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";

/** Shares on axes from one centre. */
export const RadarBlock = ({ block }: { block: Radar }) => (
  <ChartFigure title={block.title} svg={radarSvg(block)}>
    <ChartNumbers block={block} />
  </ChartFigure>
);
