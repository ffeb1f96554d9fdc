import type { MarginTests, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { orientedPairs } from "#shared/measures/comparison/words/oriented-pairs.ts";
import { pText } from "#shared/measures/report/figures/figure-text.ts";
import { formatDifference, formatValue } from "../../format/number.ts";
import { ScrollTable } from "../ScrollTable.tsx";

interface Props {
  tested: MetricComparison;
  metric: Metric;
  names: ReadonlyMap<string, string>;
  /** The API's tests of `tested`. */
  margin: MarginTests;
}

const columns = [
  "Pair",
  { num: "Difference" },
  { num: "p (first no worse)" },
  { num: "p (second no worse)" },
  { num: "p (same)" },
  "Shown at 0.05",
];

/** The tests of two runs, in either order. */
const testsOf = ({ pairs }: MarginTests, one: string, other: string) =>
  pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one))!;

/** Whether runs are equal within a margin, or one is no worse. */
export const MarginTable = ({ tested, metric, names, margin }: Props) => {
  const within = formatValue(margin.margin, metric.format);
  const name = (run: string) => names.get(run) ?? run;
  const verdicts = {
    same: () => `the same within ${within}`,
    "a-no-worse": (a: string) => `${name(a)} is no worse`,
    "b-no-worse": (_: string, b: string) => `${name(b)} is no worse`,
    "not-shown": () => "not shown",
  };
  return (
    <>
      <h3>Within {within}</h3>
      <ScrollTable label={`${metric.label} within ${within}`} wide columns={columns}>
        <tbody>
          {orientedPairs(tested).map(({ first, second, difference }) => {
            const { a, b, aNoWorse, bNoWorse, same, verdict } = testsOf(margin, first, second);
            const [firstNoWorse, secondNoWorse] =
              first === a ? [aNoWorse, bNoWorse] : [bNoWorse, aNoWorse];
            return (
              <tr>
                <th scope="row" class="pair">
                  {name(first)} − {name(second)}
                </th>
                <td class="num">{formatDifference(difference.value, metric.format)}</td>
                <td class="num">{pText(firstNoWorse)}</td>
                <td class="num">{pText(secondNoWorse)}</td>
                <td class="num">{pText(same)}</td>
                <td>{verdicts[verdict](a, b)}</td>
              </tr>
            );
          })}
        </tbody>
      </ScrollTable>
      <p class="small soft prose">
        One-sided paired t-tests, corrected by Holm: no worse by {within}, in either direction. “The
        same” needs both tests. “Not shown” does not mean different: more samples may show it.
      </p>
    </>
  );
};
