import { isEstimated } from "../data/is-estimated.ts";
import { paths } from "../data/paths.ts";
import { formatCount, formatInterval, formatShare, formatValue } from "../format/number.ts";
import { Head } from "./blocks/Head.tsx";
import type { MeasuredMetric } from "./metric-groups.ts";
import { ScrollTable } from "./ScrollTable.tsx";
import type { ShownRun } from "./shown-run.ts";

interface Props {
  run: ShownRun["run"];
  label: string;
  groups: readonly { title: string | null; rows: readonly MeasuredMetric[] }[];
}

const Row = ({ run, row: { metric, estimate } }: { run: Props["run"]; row: MeasuredMetric }) => (
  <tr
    class={metric.id === run.headline ? "headline" : undefined}
    data-score={isEstimated(metric) && estimate.value !== null ? metric.id : undefined}
  >
    <th scope="row">
      <a href={paths.metric(run.suite, metric.id)}>{metric.label}</a>
    </th>
    <td>{formatValue(estimate.value, metric.format)}</td>
    <td>
      {estimate.interval === null && estimate.value !== null && isEstimated(metric)
        ? "no interval"
        : formatInterval(estimate.interval, metric.format)}
    </td>
    <td>{formatCount(estimate.n)}</td>
    <td>{formatShare(estimate.coverage)}</td>
    <td class="text soft">{metric.better}</td>
  </tr>
);

/** Metrics with interval, n and coverage; the headline in bold. */
export const MetricTable = ({ run, label, groups }: Props) => (
  <ScrollTable label={label} wide figures>
    <Head
      columns={[
        ...["Metric", { num: "Value" }, { num: "95% interval" }],
        ...[{ num: "n" }, { num: "Coverage" }, "Better"],
      ]}
    />
    {groups.map(({ title, rows }) => (
      <tbody>
        {title !== null && (
          <tr class="group">
            <th scope="rowgroup" colspan={6}>
              {title}
            </th>
          </tr>
        )}
        {rows.map((row) => (
          <Row run={run} row={row} />
        ))}
      </tbody>
    ))}
  </ScrollTable>
);
