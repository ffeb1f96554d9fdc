import type { ScatterBlock as Scatter } from "#shared/contracts/report.ts";
import { scatterSvg } from "../../charts/scatter.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";
import { Legend } from "./Legend.tsx";

/** Rows of the table behind the dots; of more it says so, and where they are. */
const mostRows = 40;

/** Of shares, dots that lie all in one corner: the axes would stand empty. */
const leastSpan = 0.1;

const isShare = ({ format }: Scatter["y"]): boolean => format === "score" || format === "percent";

/** Where all dots lie, in words, of a drawing that would show one spot; null where they are spread. */
export function crowdedText({ x, y, points }: Scatter): string | null {
  if (!isShare(x) || !isShare(y)) return null;
  const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [across, up] = [ends(points.map((dot) => dot.x)), ends(points.map((dot) => dot.y))];
  if (across[1] - across[0] > leastSpan || up[1] - up[0] > leastSpan) return null;
  const within = ([low, high]: readonly [number, number], axis: Scatter["y"]) =>
    `${axis.label} ${formatValue(low, axis.format)} to ${formatValue(high, axis.format)}`;
  return `Nothing to show: all ${formatCount(points.length)} dots lie close together, at ${within(across, x)} and ${within(up, y)}.`;
}

/** Things in two quantities. */
export const ScatterBlock = ({ block }: { block: Scatter }) => {
  const { title, points, legend } = block;
  if (points.length === 0) return <NoChart title={title} text="No answer has both values." />;
  const crowded = crowdedText(block);
  return (
    <ChartFigure
      title={title}
      svg={crowded === null ? scatterSvg(block) : { text: crowded }}
      below={crowded === null && <Legend label="Colours" items={legend} />}
    >
      {points.length > mostRows && (
        <caption>
          The first {mostRows} of {formatCount(points.length)} dots; the other{" "}
          {formatCount(points.length - mostRows)} are left out here, and stand among{" "}
          <a href="#samples">all samples</a>.
        </caption>
      )}
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
