import type { View } from "#shared/contracts/suite.ts";
import { paths } from "../../data/paths.ts";
import { formatCount, formatInterval, formatValue, testFamily } from "../../format/number.ts";
import { ModelMarks } from "../ModelMarks.tsx";
import { ScrollTable } from "../ScrollTable.tsx";
import { SiteLink } from "../SiteLink.tsx";
import { isEstimated, onSite, type ReportPlace } from "../shown-run.ts";
import { type Compared, marksSimulated, runNames, runPath } from "./compared.ts";
import { type OverviewColumn, overviewOf } from "./overview.ts";

type Place = Pick<ReportPlace, "siteOrigin">;

/** Notes on a column: whether it is tested, whether its samples differ from most columns', and its direction. */
function columnNote({ metric, samples }: OverviewColumn, common: number): string {
  const of = samples === null ? "whole runs" : `${formatCount(samples)} samples`;
  return [samples === common ? "" : of, metric.better === "lower" ? "lower is better" : ""]
    .filter(Boolean)
    .join(", ");
}

interface HeadingProps {
  place: Place;
  suite: string;
  column: OverviewColumn;
  /** Number of the headline's samples. */
  common: number;
}

const Heading = ({ place, suite, column, common }: HeadingProps) => {
  const { metric } = column;
  return (
    <th scope="col" class="num starred" data-score={isEstimated(metric) ? metric.id : undefined}>
      <SiteLink place={place} path={paths.metric(suite, metric.id)}>
        {metric.label}
      </SiteLink>
      <span class="below soft">{columnNote(column, common)}</span>
    </th>
  );
};

function intervalOf(
  value: number | null,
  interval: readonly [number, number] | null,
  metric: OverviewColumn["metric"] | undefined,
): string {
  if (interval !== null) return formatInterval(interval, metric?.format ?? "score");
  return value !== null && metric !== undefined && isEstimated(metric) ? "no interval" : "";
}

export const Overview = ({ compared, view }: { compared: Compared; view: View }) => {
  const { comparison, suite, place = onSite } = compared;
  const { columns, rows, unmeasured } = overviewOf(compared, view);
  const names = runNames(comparison);
  const marked = marksSimulated(comparison);
  const common = comparison.metrics[0]?.samples ?? 0;
  return (
    <>
      <p class="prose">
        <strong>{view.purpose}</strong> Figures are of the common samples; * and ** mark a run that
        differs from the best of its column at p &lt; 0.05 and p &lt; 0.01,{" "}
        <SiteLink place={place} path={`${paths.statistics}#many`}>
          {testFamily((rows.length * (rows.length - 1)) / 2)}
        </SiteLink>{" "}
        in each column.
        {columns.some(({ samples }) => samples === null) &&
          " Figures of whole runs are not tested."}
      </p>
      {columns.length === 0 ? (
        <p class="soft">None of these runs has a figure of this view.</p>
      ) : (
        <ScrollTable label="Runs by metric" wide>
          <caption>The best by the headline first</caption>
          <thead>
            <tr>
              <th scope="col">Run</th>
              {columns.map((column) => (
                <Heading place={place} suite={suite.id} column={column} common={common} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ run, cells }) => (
              <tr>
                <th scope="row" class="run">
                  <SiteLink place={place} path={runPath(run.run)}>
                    {names.get(run.run) ?? run.run}
                  </SiteLink>
                  <ModelMarks
                    provenance={run.provenance}
                    simulated={marked && run.model.simulated}
                  />
                </th>
                {cells.map(({ value, interval, stars }, i) => (
                  <td class="num starred">
                    {formatValue(value, columns[i]?.metric.format ?? "score")}
                    <Stars text={stars} />
                    <span class="below soft">
                      {intervalOf(value, interval, columns[i]?.metric)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
      {unmeasured.length > 0 && (
        <p class="small soft">
          Not measured in any of these runs: {unmeasured.map(({ label }) => label).join(", ")}.
        </p>
      )}
    </>
  );
};

/** Marks of significance after a number; they take no space, so that numbers are aligned. */
export const Stars = ({ text }: { text: string }) =>
  text === "" ? null : <span class="stars">{text}</span>;
