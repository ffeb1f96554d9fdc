import type { Estimates } from "../../../contracts/metric.ts";
import type { SampleFilter } from "../../../contracts/report.ts";
import { enforcementOf } from "../../../measures/json-output/enforcement-of.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import {
  asBrief,
  type BlockParts,
  countRows,
  intervalColumn,
  metricValue,
  type SectionParts,
  tableOf,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { extractionMetrics } from "../metrics.ts";
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

/**
 * The report of an extraction run, one file per section, recommendations last; values that were not measured stay null.
 * Source: docs/spec/extraction.md, sections 5 to 11.
 * @example extractionReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const extractionReport = suiteReport(breakdownSchema, [
  summarySection,
  fieldSection,
  partSection,
  pathSection,
  typeSection,
  similaritySection,
  errorSection,
  hallucinationSection,
  outputSection,
  passSection,
  (facts: ReportFacts) =>
    performanceSection(facts, {
      intro:
        "Times of answered requests, in milliseconds; rates over requests; throughput over the run's wall time. None of it is part of EQS.",
      headline: { label: "EQS", format: "score" },
      catalogue: extractionMetrics,
      ids: ["parseFailureRate", "schemaFailureRate", "fieldsPerSecond", "tokenEfficiency"],
      more: levelTable(facts.breakdown.sla),
    }),
  complexitySection,
  calibrationSection,
  consistencySection,
  tagSection,
  (facts) => adviceSection(extractionAdvice(facts)),
]);

/**
 * How answers were read, how many of them are valid, and which structured-output mode gave them.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example outputSection(facts).id // "outputs"
 */
function outputSection({ breakdown, metrics, isEnforcing = false }: ReportFacts): SectionParts {
  const { parse, refused, empty, truncated, structuredModes, unfitByMode, errors } = breakdown;
  const { answers, unscored } = breakdown;
  const modes = Object.entries(structuredModes).map(([mode, count]): [string, number] => [
    `${mode}: ${enforcementOf(mode, count, unfitByMode[mode] ?? 0, isEnforcing)}`,
    count,
  ]);
  const counts: [string, number, SampleFilter?][] = [
    ["Parsed at once", parse.clean],
    ["Recovered", parse.recovered],
    ["Not JSON", parse.failed, { verdict: "not_json" }],
    ["Refused", refused, { verdict: "refused" }],
    ["Empty", empty, { verdict: "empty" }],
    ...Object.entries(errors).map(([error, count]): [string, number, SampleFilter] => [
      `Request failed: ${error}`,
      count,
      { error },
    ]),
    ...(unscored === 0 ? [] : [["Not scored", unscored] satisfies [string, number]]),
    ["Cut off at the token limit (also counted above)", truncated],
  ];
  const table = (title: string, label: string, rows: typeof counts) =>
    withSamples(
      tableOf(
        title,
        [
          ["name", label, "text"],
          ["count", "Answers", "count"],
          ["share", "Share", "percent"],
        ],
        countRows(
          rows.map(([name, count]) => [name, count]),
          answers + unscored,
        ),
      ),
      rows,
      ([, , samples]) => samples ?? null,
    );
  return {
    id: "outputs",
    title: "Outputs",
    intro:
      "How answers were read, how many fit their schema, and whether the accepted structured-output mode was ignored; “valid as is” does not ignore nulls at optional properties.",
    blocks: [
      asBrief(table("Output handling", "Outcome", counts)),
      validityTable(metrics),
      modes.length === 0 ? null : table("Structured output", "Mode", modes),
    ],
  };
}

const validityTable = (metrics: Estimates): BlockParts =>
  tableOf(
    "Validity",
    [
      ["name", "Against the schema", "text"],
      ["value", "Share", "percent", ({ id }) => metricValue(metrics, id)],
      intervalColumn<{ id: string }>(({ id }) => metrics[id]?.interval ?? null, "percent"),
    ],
    [
      { id: "validity", name: "Valid" },
      { id: "validAsIs", name: "Valid as is" },
    ],
  );

function levelTable(sla: ReportFacts["breakdown"]["sla"]): BlockParts {
  const word = (met: boolean | null) => (met === null ? null : met ? "yes" : "no");
  return asBrief(
    tableOf(
      "Service levels",
      [
        ["level", "Level", "text"],
        ["met", "Met", "text"],
      ],
      [
        { level: "p95 below 2,000 ms", met: word(sla.p95Under2000Ms) },
        { level: "p99 below 5,000 ms", met: word(sla.p99Under5000Ms) },
      ],
    ),
  );
}
