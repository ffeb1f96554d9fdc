import type { BoxesBlock as Boxes } from "#shared/contracts/report.ts";
import { boxesSvg } from "../../charts/boxes.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";

const numbers = ["min", "q1", "median", "q3", "max"] as const;
const names = ["Least", "Lower quartile", "Median", "Upper quartile", "Most"];

/** Distributions side by side. */
export const BoxesBlock = ({ block }: { block: Boxes }) => {
  const { title, y, groups } = block;
  if (groups.length === 0) return <NoChart title={title} text="No group is large enough." />;
  return (
    <ChartFigure
      title={title}
      svg={boxesSvg(block)}
      below={
        <p class="small soft">
          Box: the middle half; thick line: the median, also in numbers; thin line: least to most.
        </p>
      }
    >
      <Head columns={["Group", ...names.map((num) => ({ num })), { num: "n" }]} />
      <tbody>
        {groups.map((group) => (
          <tr>
            <th scope="row">{group.label}</th>
            {numbers.map((id) => (
              <td>{formatValue(group[id], y.format)}</td>
            ))}
            <td>{formatCount(group.n)}</td>
          </tr>
        ))}
      </tbody>
    </ChartFigure>
  );
};
