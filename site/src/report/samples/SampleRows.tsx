import type { Metric } from "#shared/contracts/metric.ts";
import type { ListedSample } from "#shared/contracts/run.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { CodeText } from "../Code.tsx";
import { ScrollTable } from "../ScrollTable.tsx";
import { headlineMetric, metricIn } from "../shown-run.ts";

type Listed = Pick<RunReport, "run" | "suite">;

interface Props {
  report: Listed;
  rows: readonly ListedSample[];
  hrefOf: (sample: string, repeat: number) => string;
}

const states: Readonly<Record<ListedSample["status"], string>> = {
  scored: "no score",
  unscored: "unscored",
  not_applicable: "not applicable",
  answered: "not judged yet",
};

/** A listed metric of one answer, which is 1 or 0, in words. */
export const listedValue = (value: number | null | undefined): string =>
  value == null ? "–" : value === 1 ? "yes" : "no";

/** The metrics that a suite lists for each sample. */
export const listedMetrics = ({ suite }: Listed): Metric[] =>
  (suite.listed?.metrics ?? []).map((id) => metricIn(suite.metrics, id));

/** Number of wrong parts; empty if the suite does not call parts right or wrong. */
export const wrongText = ({ look }: Pick<ListedSample, "look">): string =>
  look?.wrong == null ? "–" : `${formatCount(look.wrong)} of ${formatCount(look.parts)}`;

const partsOf = ({ suite }: Listed): string => `${suite.listed?.part || "part"}s`;

/** Samples with score, validity, wrong parts and first error; ids link to the answers. */
export const SampleRows = ({ report, rows, hrefOf }: Props) => {
  const headline = headlineMetric(report);
  const metrics = listedMetrics(report);
  const repeats = Number(report.run.options["repeats"] ?? 1);
  const hasWrong = rows.some(({ look }) => look?.wrong != null);
  return (
    <ScrollTable label="Samples" look="sample-rows">
      <thead>
        <tr>
          <th scope="col">Sample</th>
          <th scope="col" class="num">
            {headline.label}
          </th>
          {metrics.map(({ label }) => (
            <th scope="col" class="if-room">
              {label}
            </th>
          ))}
          {hasWrong && (
            <th scope="col" class="num">
              Wrong {partsOf(report)}
            </th>
          )}
          <th scope="col">First error</th>
          <th scope="col" class="num if-room">
            Latency
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              <a href={hrefOf(row.id, row.seq % repeats)}>
                <code>{row.id}</code>
                {repeats > 1 && ` (repeat ${(row.seq % repeats) + 1})`}
              </a>
            </th>
            <td class="num">
              {row.score === null ? states[row.status] : formatValue(row.score, headline.format)}
            </td>
            {metrics.map(({ id }) => (
              <td class="if-room">{listedValue(row.look?.values[id])}</td>
            ))}
            {hasWrong && <td class="num">{wrongText(row)}</td>}
            <td class="first-error">{errorText(row)}</td>
            <td class="num if-room">{formatValue(row.latencyMs, "ms")}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
};

function errorText({ look, errorClass }: ListedSample) {
  if (look?.firstError) return <CodeText text={look.firstError} />;
  return errorClass === null ? <span class="soft">none</span> : errorClass.replaceAll("_", " ");
}
