import { MetricTable } from "./MetricTable.tsx";
import { metricGroups } from "./metric-groups.ts";
import type { ShownRun } from "./shown-run.ts";

/** All that was measured: key metrics at a glance, the others folded. */
export const RunMetrics = ({ report }: { report: ShownRun }) => {
  const { key, others } = metricGroups(report);
  const otherCount = others.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <section aria-labelledby="metrics">
      <h2 id="metrics">Primary metrics</h2>
      <p class="prose">
        The metric that ranks, in bold, with those that boards show next to it or that have grades.
        {report.place.siteOrigin !== null && " A metric's name leads to its definition."}
      </p>
      <MetricTable
        report={report}
        groups={[{ title: null, rows: key }]}
        label="Key metrics of this run"
      />
      {otherCount > 0 && (
        <details>
          <summary>{otherCount} more metrics</summary>
          <MetricTable report={report} groups={others} label="More metrics of this run" />
        </details>
      )}
    </section>
  );
};
