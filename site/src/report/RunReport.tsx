import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { Contents } from "./Contents.tsx";
import { Facts } from "./Facts.tsx";
import { RunHead } from "./RunHead.tsx";
import { RunMethod } from "./RunMethod.tsx";
import { RunMetrics } from "./RunMetrics.tsx";
import { RunNotices } from "./RunNotices.tsx";
import { runFacts } from "./run-facts.ts";
import { SampleList } from "./SampleList.tsx";
import { Section } from "./Section.tsx";
import type { ShownRun } from "./shown-run.ts";

/** The suite's first section sums up, its last one advises; the page's own parts stand between. */
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

const RunReport = ({ report }: { report: ShownRun }) => (
  <>
    <RunHead report={report} />
    <RunNotices report={report} />
    <Facts facts={runFacts(report)} />
    {report.run.metrics === null ? <RunMethod report={report} /> : <FinishedRun report={report} />}
  </>
);

/** A run's report as HTML: the same where the site is built and in a browser. */
export const runReportHtml = (report: ShownRun): string => String(<RunReport report={report} />);
