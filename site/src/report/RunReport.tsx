import type { Child } from "hono/jsx";
import type { GaugeBlock, ReportBlock, ReportSection } from "#shared/contracts/report.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { formatCount } from "../format/number.ts";
import { Blocks } from "./blocks/Block.tsx";
import { MetricTable } from "./MetricTable.tsx";
import { metricGroups } from "./metric-groups.ts";
import { type ContentsEntry, PageContents } from "./PageContents.tsx";
import { RunHead } from "./RunHead.tsx";
import { RunMethod } from "./RunMethod.tsx";
import { RunNotices } from "./RunNotices.tsx";
import { stripMetrics } from "./RunStrip.tsx";
import { SampleList } from "./SampleList.tsx";
import { drawLinked, sampleHrefs } from "./samples/sample-links.ts";
import { metricIn, type ShownRun } from "./shown-run.ts";

/** A run's report as HTML, identical in a build of the site and in a browser. */
export const runReportHtml = (report: ShownRun): string =>
  runHeadHtml(report) + runPartsHtml(report);

/** The report's head, the only part that shows the run's place on its board. */
export const runHeadHtml = (report: ShownRun): string =>
  String(<RunHead report={report} gauge={headlineGauge(report)} />);

/** The parts of a report that its head needs. */
export const reportOfHead = ({ sections, samples, ...report }: RunReport): RunReport => ({
  ...report,
  sections: sections.map((section) => ({
    ...section,
    blocks: section.blocks.filter(({ kind }) => kind === "gauge"),
  })),
  samples: samples.map((sample) => ({ ...sample, blocks: [] })),
});

/** Everything below the head. */
export const runPartsHtml = (report: ShownRun): string =>
  drawLinked(
    report.run.hiddenSamples ? () => undefined : sampleHrefs(report.place, report.run.id),
    () => String(<RunParts report={report} />),
  );

const RunParts = ({ report }: { report: ShownRun }) => (
  <>
    <RunNotices report={report} />
    {report.run.metrics === null ? (
      <>
        <AnswersSoFar report={report} />
        <OpenPart part={methodPart(report)} />
      </>
    ) : (
      <FinishedRun report={report} />
    )}
  </>
);

/** A link to the answers of a run that has no metrics yet. */
const AnswersSoFar = ({ report: { run, place } }: { report: ShownRun }) => {
  const href = sampleHrefs(place, run.id)({});
  if (run.progress.done === 0 || run.hiddenSamples || href === undefined) return null;
  return (
    <p>
      <a href={href}>{formatCount(run.progress.done)} answers so far</a>, with score and first
      error.
    </p>
  );
};

const headlineGauge = ({ run, suite, sections }: ShownRun): GaugeBlock | undefined =>
  sections[0]?.blocks.find(
    (block) =>
      block.kind === "gauge" && block.title === metricIn(suite.metrics, run.headline).label,
  ) as GaugeBlock | undefined;

interface Part extends ContentsEntry {
  /** One or two sentences. */
  intro: string;
  isOpen: boolean;
  content: Child;
}

/** The parts that readers need first are open, in this order; the rest is folded. */
const FinishedRun = ({ report }: { report: ShownRun }) => {
  const parts = partsOf(report);
  return (
    <div class="text-and-contents">
      <PageContents entries={parts} />
      <div>
        {parts.map((part) => (part.isOpen ? <OpenPart part={part} /> : <FoldedPart part={part} />))}
      </div>
    </div>
  );
};

const OpenPart = ({ part: { id, title, intro, content } }: { part: Part }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {intro !== "" && <p class="prose">{intro}</p>}
    {content}
  </section>
);

/** A part that opens for links to the anchor inside, which browsers do without a script. */
const FoldedPart = ({ part: { id, title, intro, content } }: { part: Part }) => (
  <section class="fold" aria-labelledby={`${id}-title`}>
    <details>
      <summary>
        <h2 id={`${id}-title`}>{title}</h2>
        {intro !== "" && <span class="soft small">{intro}</span>}
      </summary>
      <div class="fold-body" id={id}>
        {content}
      </div>
    </details>
  </section>
);

function partsOf(report: ShownRun): Part[] {
  const { run, sections } = report;
  const of = (section: ReportSection): Part => ({
    id: `report-${section.id}`,
    title: section.title,
    intro: section.intro,
    isOpen: isUnanswered(run) || isOpen(section),
    content: <Blocks blocks={shownBlocks(report, section)} />,
  });
  const [summary, ...others] = sections.map(of);
  const [open, folded] = [
    others.filter((part) => part.isOpen),
    others.filter((part) => !part.isOpen),
  ];
  const performance = open.filter(({ id }) => id === "report-performance");
  return [
    ...(summary ? [summary] : []),
    ...open.filter((part) => !performance.includes(part)),
    samplesPart(report),
    ...performance,
    ...folded,
    ...(isUnanswered(run) ? [] : [metricsPart(report)]),
    methodPart(report),
  ];
}

/** Whether a part is open: those on what went wrong, and on speed and cost. */
const isOpen = ({ id, losses = [] }: ReportSection): boolean =>
  losses.length > 0 || ["summary", "failed-requests", "performance"].includes(id);

/** Ids of the metrics in the rows of tables. */
const metricsIn = (blocks: readonly ReportBlock[]): unknown[] =>
  blocks.flatMap((block) => (block.kind === "table" ? block.rows.map(({ metric }) => metric) : []));

/**
 * The blocks of a section. Open sections omit the metrics of the head and, except for the summary itself, those of the
 * summary.
 */
function shownBlocks(report: ShownRun, section: ReportSection): readonly ReportBlock[] {
  const gauge = headlineGauge(report);
  if (!isOpen(section)) return section.blocks;
  const summary = report.sections[0]?.blocks ?? [];
  const above = new Set<unknown>([
    report.run.headline,
    ...stripMetrics,
    ...(section.id === "summary" ? [] : metricsIn(summary)),
  ]);
  return section.blocks.flatMap((block) => {
    if (block === gauge) return [];
    if (block.kind !== "table" || metricsIn([block]).every((id) => id === undefined))
      return [block];
    const rows = block.rows.filter(({ metric }) => !above.has(metric));
    return rows.length === 0 ? [] : [{ ...block, rows }];
  });
}

const samplesPart = (report: ShownRun): Part => ({
  id: "samples",
  title: "Samples",
  intro: "",
  isOpen: true,
  content: <SampleList report={report} />,
});

const methodPart = (report: ShownRun): Part => ({
  id: "method",
  title: "How it was run",
  intro: "Model, dataset, versions and hashes, options, and the command that repeats it.",
  isOpen: false,
  content: <RunMethod report={report} />,
});

/** All metrics: key metrics first. */
function metricsPart(report: ShownRun): Part {
  const { key, others } = metricGroups(report);
  const links = report.place.siteOrigin === null ? "" : " A metric's name links to its definition.";
  return {
    id: "metrics",
    title: "All metrics",
    intro: `Every metric with interval, number of samples and coverage, the one that ranks in bold.${links}`,
    isOpen: false,
    content: (
      <MetricTable
        report={report}
        groups={[{ title: null, rows: key }, ...others]}
        label="All metrics of this run"
      />
    ),
  };
}
