import { coverageFloor } from "../../../contracts/boards/coverage-floor.ts";
import type { NoteBlock, RadarBlock, Tone } from "../../../contracts/report.ts";
import {
  noRecommendation,
  recommendation,
} from "../../../measures/report/advice/recommendation-note.ts";
import {
  asBrief,
  asFolded,
  type BlockParts,
  intervalColumn,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { glanceTable } from "../../../measures/report/charts/glance-blocks.ts";
import { toneGauge } from "../../../measures/report/charts/tone-steps.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import { type MeasuredReading, measureReadings } from "../../../measures/report/figures/reading.ts";
import { levelNames, lowestTier } from "../../../measures/report/figures/tier.ts";
import { strengthBlocks } from "../../../measures/report/parts/strength-blocks.ts";
import { extractionMetrics } from "../metrics.ts";
import { eqsSteps, extractionReadings } from "../thresholds.ts";
import { comparedFigures } from "./compared-figures.ts";
import { lostText, lostTotals } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * EQS on its scale and in its components, the recommendation, the thresholds met, and the strongest and weakest
 * parts.
 * Source: docs/spec/extraction.md, sections 5 to 7.
 * @example summarySection(facts).id // "summary"
 */
export function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, breakdown } = facts;
  return {
    id: "summary",
    title: "Summary",
    intro:
      "EQS and its components are means over all samples, with 0 for an invalid output; parts are compared by partial F1, groups of samples also by EQS and exact match.",
    blocks: [
      asBrief(toneGauge({ label: "EQS", format: "score" }, metrics["eqs"], eqsSteps)),
      verdictBlocks(facts),
      intervalNote(breakdown.units),
      strengthBlocks(comparedFigures(facts)),
      asFolded([radar(facts), componentTable(facts)]),
    ],
  };
}

interface Component {
  name: keyof ReportFacts["options"]["weights"];
  axis: string;
  label: string;
  metric: string;
}

const components: readonly Component[] = [
  { name: "validity", axis: "Validity", label: "Schema validity", metric: "validity" },
  {
    name: "partialF1",
    axis: "Partial F1, mean",
    metric: "partialF1Macro",
    label: "Partial F1, mean of samples",
  },
  { name: "typeAccuracy", axis: "Types", label: "Type accuracy", metric: "typeAccuracy" },
  {
    name: "noHallucination",
    axis: "Not invented",
    metric: "hallucinationRate",
    label: "1 − hallucination rate",
  },
];

/**
 * The four components of EQS, as a radar chart and as a table with their weights, whose shares
 * add up to EQS.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example componentBlocks(facts)[0]?.kind // "radar"
 */
function componentTable(facts: ReportFacts): BlockParts {
  const { breakdown, options } = facts;
  const value = ({ name }: Component) => breakdown.eqs.components?.[name] ?? null;
  const weight = ({ name }: Component) => options.weights[name];
  return tableOf(
    "Components",
    [
      ["component", "Component", "text", ({ label }) => label],
      ["value", "Value", "score", value],
      intervalColumn<Component>((component) => intervalOf(component, facts)),
      ["weight", "Weight", "score", weight],
      [
        "share",
        "Share of EQS",
        "score",
        (component) => {
          const known = value(component);
          return known === null ? null : known * weight(component);
        },
      ],
    ],
    components,
  );
}

function intervalOf(
  { name, metric }: Component,
  { metrics }: ReportFacts,
): [number, number] | null {
  const interval = metrics[metric]?.interval ?? null;
  const isTurned = interval !== null && name === "noHallucination";
  return isTurned ? [1 - interval[1], 1 - interval[0]] : interval;
}

function radar(facts: ReportFacts): RadarBlock {
  return {
    kind: "radar",
    title: "Components of EQS",
    axes: components.map((component) => ({
      label: component.axis,
      interval: intervalOf(component, facts),
      value: facts.breakdown.eqs.components?.[component.name] ?? null,
    })),
  };
}

/**
 * The recommendation, and the measures with the levels they reach.
 * Source: docs/spec/extraction.md, section 6.
 * @example verdictBlocks(facts)[1]?.title // "At a glance"
 */
function verdictBlocks(facts: ReportFacts): BlockParts {
  const { metrics } = facts;
  const measured = measureReadings(extractionReadings, metrics, extractionMetrics);
  return [recommendationNote(measured, facts), glanceTable(measured, { isOwn: false })];
}

const tones: Readonly<Record<string, Tone>> = {
  "deploy without human review": "excellent",
  "spot-check": "good",
  "mandatory review": "fair",
  "not recommended": "poor",
};

/** Recommendations that leave outputs unreviewed. */
const unread = new Set(["deploy without human review", "spot-check"]);

/** Below this, more than half of the outputs differ from the expected ones. */
const leastExact = 0.5;

function recommendationNote(
  measured: readonly MeasuredReading[],
  { metrics, breakdown }: ReportFacts,
): NoteBlock {
  const { recommendation: rule } = breakdown;
  const { n, coverage } = metrics["eqs"] ?? { n: 0, coverage: 0 };
  const small = noRecommendation(n, rule !== null);
  if (small !== null || rule === null) return small ?? noRecommendation(0, false)!;
  const of = (metric: string) => measured.find((one) => one.metric === metric);
  const failed = measured.filter(({ tier }) => tier === "fails").map(({ label }) => label);
  const exact = of("exactMatch")?.value ?? null;
  const isMisleading = unread.has(rule) && exact !== null && exact < leastExact;
  const ruled = `By EQS and hallucination rate: ${rule}.`;
  const text = [
    ...(failed.length > 0 ? [`Below the minimum: ${failed.join(", ")}.`] : []),
    ...inOrder(isMisleading, exactText(of("exactMatch"), isMisleading), ruled),
    ...madeUpText(metrics, breakdown),
    ...(failed.length > 0 ? [] : [tierText(measured)]),
    ...uncoveredText(coverage),
  ].join(" ");
  const tone = failed.length > 0 || isMisleading ? "poor" : (tones[rule] ?? "neutral");
  return recommendation(text, tone);
}

/** Puts exact match before the rule if it contradicts the rule. */
const inOrder = (isMisleading: boolean, exact: readonly string[], rule: string): string[] =>
  isMisleading ? [...exact, rule] : [rule, ...exact];

/** Excludes unused answers, which count as hallucinated but do not show what a model invents. */
function madeUpText(
  metrics: ReportFacts["metrics"],
  breakdown: ReportFacts["breakdown"],
): string[] {
  const { lost } = breakdown.errorAnalysis;
  const valid = metrics["hallucinationRateOfValid"]?.value ?? null;
  const answers = lostTotals(lost);
  if (valid === null || answers.invalidOutput.answers + answers.failedRequest.answers === 0)
    return [];
  return [
    `The hallucination rate counts ${lostText(lost)} as entirely hallucinated; of valid outputs it is ${figureText(valid, "percent")}.`,
  ];
}

/** The share of entirely right outputs, which is not part of the rule. */
function exactText(exact: MeasuredReading | undefined, isMisleading: boolean): string[] {
  if (exact === undefined || exact.value === null) return [];
  const { value } = exact;
  const share = `${figureText(value, "percent")} of the outputs equal the expected one in every value (exact match)`;
  return isMisleading
    ? [
        `Not without review: only ${share}; the other ${figureText(1 - value, "percent")} differ in some value, which the following rule does not consider.`,
      ]
    : [`In addition: ${share}.`];
}

const uncoveredText = (coverage: number): string[] =>
  coverage >= coverageFloor
    ? []
    : [
        `Only ${figureText(coverage, "percent")} of the samples are covered; the others count as 0.`,
      ];

function tierText(measured: readonly MeasuredReading[]): string {
  const held = measured.filter(({ limits }) => limits !== null);
  const known = held.every(({ tier }) => tier !== null) ? "Every measure" : "Every known measure";
  const lowest = lowestTier(held.map(({ tier }) => tier));
  return lowest === null
    ? ""
    : `${known} with thresholds reaches at least “${levelNames[lowest]}”.`;
}
