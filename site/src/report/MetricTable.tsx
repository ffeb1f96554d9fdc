import { paths } from "../data/paths.ts";
import { formatCount, formatInterval, formatShare, formatValue } from "../format/number.ts";
import type { MeasuredMetric } from "./metric-groups.ts";
import { ScrollTable } from "./ScrollTable.tsx";
import { SiteLink } from "./SiteLink.tsx";
import { isEstimated, type ShownRun } from "./shown-run.ts";

interface Props {
  report: Pick<ShownRun, "run" | "place">;
  label: string;
  groups: readonly { title: string | null; rows: readonly MeasuredMetric[] }[];
}

const Row = ({
  report: { run, place },
  row: { metric, estimate },
}: {
  report: Props["report"];
  row: MeasuredMetric;
}) => (
  <tr
    class={metric.id === run.headline ? "headline" : undefined}
    data-score={isEstimated(metric) && estimate.value !== null ? metric.id : undefined}
  >
    <th scope="row">
      <SiteLink place={place} path={paths.metric(run.suite, metric.id)}>
        {metric.label}
      </SiteLink>
      {place.siteOrigin === null && <span class="soft definition">{metric.definition}</span>}
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
export const MetricTable = ({ report, label, groups }: Props) => (
  <ScrollTable
    label={label}
    wide
    figures
    columns={[
      "Metric",
      { num: "Value" },
      { num: "95% interval" },
      { num: "n" },
      { num: "Coverage" },
      "Better",
    ]}
  >
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
          <Row report={report} row={row} />
        ))}
      </tbody>
    ))}
  </ScrollTable>
);
