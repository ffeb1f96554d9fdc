import type { TreeBlock as Tree } from "#shared/contracts/report.ts";
import { namelessTiles, treeMapSvg } from "../../charts/tree-map.ts";
import { formatCount } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";
import { Legend } from "./Legend.tsx";

/** Of fewer things areas say no more than their names. */
const fewest = 5;

/** Counts in groups. */
export const TreeBlock = ({ block }: { block: Tree }) => {
  const { title, unit, groups } = block;
  const parts = groups.flatMap((group) => group.parts.map((part) => ({ ...part, group })));
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <NoChart title={title} text={`No ${unit}.`} />;
  const isFew = total < fewest;
  const nameless = namelessTiles(block);
  return (
    <ChartFigure
      title={title}
      svg={isFew ? { text: `Too few to draw: ${formatCount(total)} ${unit}.` } : treeMapSvg(block)}
      above={
        !isFew && (
          <p class="small soft">
            {formatCount(total)} {unit}; areas are counts
          </p>
        )
      }
      below={
        !isFew && (
          <>
            <Legend label="Groups" items={groups} />
            {nameless > 0 && (
              <p class="small soft">
                {formatCount(nameless)} {nameless === 1 ? "area is" : "areas are"} too small for a
                name; the table has all.
              </p>
            )}
          </>
        )
      }
    >
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
