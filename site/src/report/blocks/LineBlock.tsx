import type { LineBlock as Line } from "#shared/contracts/report.ts";
import { lineSvg } from "../../charts/line.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";

/** A value that depends on another one. */
export const LineBlock = ({ block }: { block: Line }) => {
  const { title, points } = block;
  if (points.length === 0) return <NoChart title={title} text="Nothing to show." />;
  return (
    <ChartFigure title={title} svg={lineSvg(block)}>
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
