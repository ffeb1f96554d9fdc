import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import {
  formatCount,
  formatInterval,
  formatShare,
  formatValue,
  testFamily,
} from "../../format/number.ts";
import { ScrollTable } from "../ScrollTable.tsx";

interface Props {
  tested: MetricComparison;
  metric: Metric;
  names: ReadonlyMap<string, string>;
}

/** Ranks from best to worst; a single one if they are equal. */
function ranksText([from, to]: readonly [number, number]): string {
  return from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`;
}

/** A tie group in words; the others do not differ significantly from its first run. */
export function tieText(
  { standings, units }: Pick<MetricComparison, "standings" | "units">,
  place: number,
  names: ReadonlyMap<string, string>,
): string {
  const group = standings[place]?.tieGroup;
  const first = standings.findIndex(({ tieGroup }) => tieGroup === group);
  const name = names.get(standings[first]?.run ?? "") ?? "";
  const apart = units.count < 2 ? "not tested against" : "not significantly different from";
  if (place !== first) return `${group}, ${apart} ${name}`;
  if (group === 1) return "1, the first";
  return group === 2
    ? "2, different from the first"
    : `${group}, different from the first of each above`;
}

/** The rank of each run by a metric over the common samples. */
export const Standings = ({ tested, metric, names }: Props) => (
  <>
    <ScrollTable
      label={`Standings by ${metric.label}`}
      wide
      columns={[
        "Run",
        { num: metric.label },
        { num: "95% interval" },
        { num: "Rank, 95% interval" },
        { num: "First in" },
        "Group",
      ]}
    >
      <tbody>
        {tested.standings.map(({ run, value, interval, rankInterval, best }, place) => (
          <tr>
            <th scope="row">{names.get(run) ?? run}</th>
            <td class="num">{formatValue(value, metric.format)}</td>
            <td class="num">{formatInterval(interval, metric.format)}</td>
            <td class="num">{ranksText(rankInterval)}</td>
            <td class="num">{formatShare(best)}</td>
            <td class="group-text">{tieText(tested, place, names)}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
    <p class="small soft prose">
      Rank intervals contain the ranks of 95% of resamples, without a correction. Groups are based
      on paired t-tests, {testFamily(tested.pairs.length)}: they are stricter, so runs can be in one
      group although their rank intervals do not overlap. Runs that differ by the same on every
      sample can't be tested, and are in different groups.
    </p>
  </>
);
