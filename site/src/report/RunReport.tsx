import type { ReportSection } from "#shared/contracts/report.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { Block } from "./blocks/Block.tsx";
import { Facts } from "./Facts.tsx";
import { MetricTable } from "./MetricTable.tsx";
import { metricGroups } from "./metric-groups.ts";
import { RunHead } from "./RunHead.tsx";
import { RunMethod } from "./RunMethod.tsx";
import { RunNotices } from "./RunNotices.tsx";
import { runFacts } from "./run-facts.ts";
import { SampleList } from "./SampleList.tsx";
import type { ShownRun } from "./shown-run.ts";

/** A run's report as HTML: the same in a build of the site and in a browser. */
export const runReportHtml = (report: ShownRun): string => String(<RunReport report={report} />);

const RunReport = ({ report }: { report: ShownRun }) => (
  <>
    <RunHead report={report} />
    <RunNotices report={report} />
    <Facts facts={runFacts(report)} />
    {report.run.metrics === null ? <RunMethod report={report} /> : <FinishedRun report={report} />}
  </>
);

const FinishedRun = ({ report }: { report: ShownRun }) => {
  const { sections } = report;
  return (
    <>
      <Contents entries={contentsOf(report)} />
      {sections.filter(isFirst).map((section) => (
        <Section section={section} />
      ))}
      <RunMethod report={report} />
      {!isUnanswered(report.run) && <RunMetrics report={report} />}
      {sections
        .filter((section) => !isFirst(section) && !isLast(section))
        .map((section) => (
          <Section section={section} />
        ))}
      <SampleList report={report} />
      {sections.filter(isLast).map((section) => (
        <Section section={section} />
      ))}
    </>
  );
};

/** The suite's first section is the summary, its last one the advice; the page's own parts are between. */
const isFirst = ({ id }: { id: string }) => id === "summary";
const isLast = ({ id }: { id: string }) => id === "recommendations";

function contentsOf({ run, sections }: ShownRun) {
  const entry = ({ id, title }: { id: string; title: string }) => ({ id: `report-${id}`, title });
  return [
    ...sections.filter(isFirst).map(entry),
    { id: "method", title: "How it was run" },
    ...(isUnanswered(run) ? [] : [{ id: "metrics", title: "Primary metrics" }]),
    ...sections.filter((section) => !isFirst(section) && !isLast(section)).map(entry),
    { id: "samples", title: "Samples" },
    ...sections.filter(isLast).map(entry),
  ];
}

/** Links to the sections of a long page. */
const Contents = ({ entries }: { entries: readonly { id: string; title: string }[] }) => (
  <nav class="contents" aria-label="On this page">
    <ul>
      {entries.map(({ id, title }) => (
        <li>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);

/** A part of the report that the suite supplies. */
const Section = ({ section: { id, title, intro, blocks } }: { section: ReportSection }) => (
  <section aria-labelledby={`report-${id}`}>
    <h2 id={`report-${id}`}>{title}</h2>
    <p class="prose">{intro}</p>
    <div class="blocks">
      {blocks.map((block) => (
        <Block block={block} />
      ))}
    </div>
  </section>
);

/** All metrics: key metrics visible, the others folded. */
const RunMetrics = ({ report }: { report: ShownRun }) => {
  const { key, others } = metricGroups(report);
  const otherCount = others.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <section aria-labelledby="metrics">
      <h2 id="metrics">Primary metrics</h2>
      <p class="prose">
        The metric that ranks, in bold, with those that boards show next to it or that have grades.
        {report.place.siteOrigin !== null && " A metric's name links to its definition."}
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
