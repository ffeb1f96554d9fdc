import type { SamplePage } from "#shared/contracts/run.ts";
import type { RunReport, SampleReport } from "#shared/contracts/run-report.ts";
import { paths } from "../../data/paths.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { Block } from "../../report/blocks/Block.tsx";
import { CautionLine } from "../../report/CautionLine.tsx";
import { ModelMarks } from "../../report/ModelMarks.tsx";
import { SampleTable } from "../../report/SampleTable.tsx";
import { headlineMetric } from "../../report/shown-run.ts";
import { mostSorted, pageSearch, type SampleQuery } from "./sample-query.ts";

type Listed = Pick<RunReport, "run" | "suite">;

const Choice = ({
  query,
  more,
  text,
}: {
  query: SampleQuery;
  more: Partial<SampleQuery>;
  text: string;
}) => {
  const target = { ...query, cursor: null, sample: null, repeat: 0, ...more };
  const isCurrent =
    target.order === query.order && target.only === query.only && query.sample === null;
  return (
    <a href={pageSearch(target)} aria-current={isCurrent ? "true" : undefined}>
      {text}
    </a>
  );
};

const choices: readonly [text: string, more: Partial<SampleQuery>][] = [
  ["Lowest scores first", { order: "score", only: "all" }],
  ["In the run's order", { order: "seq", only: "all" }],
  ["Failed requests", { order: "seq", only: "failed" }],
  ["Unscored", { order: "seq", only: "unscored" }],
];

const unsorted: typeof choices = [["In the run's order", { order: "seq", only: "all" }]];

/** The run of the samples, and the ways to list them. */
export const SamplesHead = ({
  report: { run, suite },
  query,
}: {
  report: Listed;
  query: SampleQuery;
}) => (
  <>
    <p>
      <a href={`${paths.viewer}?id=${encodeURIComponent(run.id)}`}>
        {run.model.name} on {suite.label}
      </a>
      , dataset {run.dataset.name}, {formatCount(run.progress.total)} answers{" "}
      <ModelMarks provenance={run.provenance} simulated={run.model.simulated} />
    </p>
    <CautionLine suite={suite} />
    <nav class="contents" aria-label="Which samples">
      <ul>
        {(run.progress.total > mostSorted ? unsorted : choices).map(([text, more]) => (
          <li>
            <Choice query={query} more={more} text={text} />
          </li>
        ))}
      </ul>
    </nav>
  </>
);

/** A page of the list, and the way to the next one. */
export const SamplesPage = ({
  report,
  page: { samples, nextCursor },
  query,
}: {
  report: Listed;
  page: SamplePage;
  query: SampleQuery;
}) => {
  const { run } = report;
  const metric = headlineMetric(report);
  const repeats = Number(run.options["repeats"] ?? 1);
  if (samples.length === 0) {
    return <p class="soft">No sample matches{query.cursor && " after these"}.</p>;
  }
  return (
    <>
      <SampleTable
        rows={samples}
        format={metric.format}
        scoreLabel={metric.label}
        hrefOf={({ id, seq }) => pageSearch({ ...query, sample: id, repeat: seq % repeats })}
      />
      {nextCursor !== null && (
        <p>
          <a href={pageSearch({ ...query, cursor: nextCursor })}>Next samples</a>
        </p>
      )}
    </>
  );
};

/** One sample as its suite shows it. */
export const SampleView = ({
  report,
  shown: { sample, blocks },
  query,
}: {
  report: Listed;
  shown: SampleReport;
  query: SampleQuery;
}) => {
  const metric = headlineMetric(report);
  return (
    <section aria-labelledby="sample">
      <h2 id="sample">
        <code>{sample.id}</code>
        {sample.repeat > 0 && `, repeat ${sample.repeat + 1}`}
      </h2>
      <p>
        {metric.label} {formatValue(sample.score, metric.format)}; latency{" "}
        {formatValue(sample.latencyMs, "ms")}.{" "}
        <a href={pageSearch({ ...query, sample: null, repeat: 0 })}>Back to all samples</a>
      </p>
      <div class="blocks">
        {blocks.map((block) => (
          <Block block={block} />
        ))}
      </div>
    </section>
  );
};
