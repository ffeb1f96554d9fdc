import type { Estimate } from "../../../contracts/metric.ts";
import type { ReportBlock, ReportSection, TableBlock } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import { asBrief, countRows, tableOf } from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import { latencyBlocks } from "../../../measures/report/performance/latency-blocks.ts";
import {
  ratesBlocks,
  timesBlocks,
} from "../../../measures/report/performance/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/performance/timeline-blocks.ts";
import { extractionMetrics } from "../metrics.ts";
import type { ExtractionOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown/breakdown.ts";
import { extractionAdvice } from "./advice-rules.ts";
import { calibrationSection, complexitySection } from "./complexity-section.ts";
import { errorSection } from "./error-section.ts";
import { fieldSection } from "./field-section.ts";
import { hallucinationSection, similaritySection } from "./hallucination-section.ts";
import { consistencySection, partSection } from "./part-section.ts";
import type { ReportFacts } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";
import { tagSection } from "./tag-section.ts";
import { pathSection, typeSection } from "./type-section.ts";

const headline = { id: "eqs", label: "EQS", format: "score" } as const;

/** Metrics in addition to those of every suite. */
const ownIds = ["parseFailureRate", "schemaFailureRate", "fieldsPerSecond", "tokenEfficiency"];

/** In the order of the page. */
const sections = [
  summarySection,
  fieldSection,
  partSection,
  pathSection,
  typeSection,
  similaritySection,
  errorSection,
  hallucinationSection,
  outputSection,
  performanceSection,
  complexitySection,
  calibrationSection,
  consistencySection,
  tagSection,
] as const;

/**
 * The report of an extraction run, a file a section, recommendations last; sections without anything to show
 * are left out, values that were not measured stay null.
 * Source: docs/spec/extraction.md, sections 5 to 11.
 * @example extractionReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function extractionReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<ExtractionOptions>,
): ReportSection[] {
  const facts = { ...run, metrics, breakdown: breakdownSchema.parse(breakdown) };
  const drawn = sections.map((section) => section(facts)).filter((section) => section !== null);
  return [...drawn, adviceSection(extractionAdvice(facts))];
}

/**
 * How answers were read, how many of them are valid, and which structured-output mode gave them.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example outputSection(facts).id // "outputs"
 */
function outputSection({ breakdown, metrics }: ReportFacts): ReportSection {
  const { parse, refused, empty, truncated, structuredModes, errors } = breakdown;
  const { answers, unscored } = breakdown;
  const modes = Object.entries(structuredModes);
  const counts: [string, number][] = [
    ["Parsed at once", parse.clean],
    ["Recovered", parse.recovered],
    ["No JSON", parse.failed],
    ["Refused", refused],
    ["Empty", empty],
    ...Object.entries(errors).map(([name, count]): [string, number] => [
      `Request failed: ${name}`,
      count,
    ]),
    ...(unscored === 0 ? [] : [["Not scored", unscored] satisfies [string, number]]),
    ["Cut off at the token limit (also counted above)", truncated],
  ];
  const table = (title: string, label: string, rows: readonly [string, number][]) =>
    tableOf(
      title,
      [
        ["name", label, "text"],
        ["count", "Answers", "count"],
        ["share", "Share", "percent"],
      ],
      countRows(rows, answers + unscored),
    );
  return {
    id: "outputs",
    title: "Outputs",
    intro:
      "How answers were read, how many are valid against their schema, and which way of asking for structure the endpoint accepted. A null at a property that the schema does not require says the same as leaving it out, so it makes no output invalid; valid as is are those that fit with such nulls left in.",
    blocks: [
      ...asBrief(table("Output handling", "Outcome", counts)),
      ...validityTable(metrics),
      ...(modes.length === 0 ? [] : table("Structured output", "Mode", modes)),
    ],
  };
}

function validityTable(metrics: ReportFacts["metrics"]): ReportBlock[] {
  const row = (name: string, { value = null, interval = null }: Partial<Estimate> = {}) => {
    return { name, value, interval: intervalText(interval) };
  };
  return tableOf(
    "Validity",
    [
      ["name", "Against the schema", "text"],
      ["value", "Share", "percent"],
      ["interval", "95% interval", "figure"],
    ],
    [row("Valid", metrics["validity"]), row("Valid as is", metrics["validAsIs"])],
  );
}

/**
 * Times, service levels, throughput over time, rates, tokens and cost.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
function performanceSection(facts: ReportFacts): ReportSection {
  const { breakdown, metrics, points, timeline } = facts;
  return {
    id: "performance",
    title: "Performance",
    intro:
      "Times of answered requests, in milliseconds; rates over requests; throughput over the run's wall time. None of it is part of EQS.",
    blocks: [
      ...latencyBlocks(metrics, points, { headline }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
      ...asBrief(
        tableOf(
          "Service levels",
          [
            ["level", "Level", "text"],
            ["met", "Met", "text"],
          ],
          levels(breakdown.sla),
        ),
      ),
      ...ratesBlocks(metrics, extractionMetrics, ownIds),
    ],
  };
}

function levels(sla: ReportFacts["breakdown"]["sla"]): TableBlock["rows"] {
  const word = (met: boolean | null) => (met === null ? null : met ? "yes" : "no");
  return [
    { level: "p95 below 2,000 ms", met: word(sla.p95Under2000Ms) },
    { level: "p99 below 5,000 ms", met: word(sla.p99Under5000Ms) },
  ];
}
