import type { BoxesBlock as Boxes } from "#shared/contracts/report.ts";
import { boxesSvg } from "../../charts/boxes.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";

const _numbers = ["min", "q1", "median", "q3", "max"] as const;
const _names = ["Least", "Lower quartile", "Median", "Upper quartile", "Most"];

/** That all answers have one value, which boxes could only repeat; null where they have several. */
function singleText({ y, groups }: Boxes): string | null {
  const [low, high] = [
    Math.min(...groups.map(({ min }) => min)),
    Math.max(...groups.map(({ max }) => max)),
  ];
  if (low !== high) return null;
  const n = groups.reduce((sum, group) => sum + group.n, 0);
  return `Nothing to show: all ${formatCount(n)} answers have ${formatValue(low, y.format)}.`;
}

/** Distributions side by side. */
export const BoxesBlock = ({ block }: { block: Boxes }) => {
  const { title, groups } = block;
  if (groups.length === 0) return <NoChart title={title} text="No group is large enough." />;
  const single = singleText(block);
  return (
    <ChartFigure
      title={title}
      svg={single === null ? boxesSvg(block) : { text: single }}
      below={
        single === null && (
          <p class="small soft">
            Box: the middle half; thick line: the median, also in numbers; thin line: least to most.
          </p>
        )
      }
    >
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
