import type { Estimate } from "../../contracts/metric.ts";
import type { ReportSection, TableBlock, Tone } from "../../contracts/report.ts";
import type { Summary } from "../../contracts/suite.ts";
import {
  brief,
  intervalText,
  metricBars,
  type ToneSteps,
  tableOf,
  toneOf,
} from "../../measures/report/blocks.ts";
import { ratesBlocks, timesBlocks } from "../../measures/report/performance-blocks.ts";
import { breakdownSchema, type SlotsBreakdown } from "./breakdown.ts";
import { slotsMetrics } from "./metrics.ts";
import type { SlotsOptions } from "./options.ts";
import { judgeSections } from "./report-judge.ts";

type Metrics = Readonly<Record<string, Estimate>>;
type Part = SlotsBreakdown["topics"][number];

/**
 * The report of a slots run: which slots were stored, with which values, by topic, user and session, what
 * judges say of the values where there are judges, how the answers were read, and performance.
 * Source: specification of the slots suite, metrics.
 * @example slotsReport(summary, { options })[0]?.id // "summary"
 */
export function slotsReport(
  { metrics, breakdown }: Summary,
  { options }: { options: SlotsOptions },
): ReportSection[] {
  const tables = breakdownSchema.parse(breakdown);
  return [
    summarySection(metrics, tables, options),
    valueSection(metrics),
    topicSection(tables),
    partsSection(tables),
    ...judgeSections(metrics, tables, steps),
    outputSection(tables),
    performanceSection(metrics),
  ];
}

function summarySection(
  metrics: Metrics,
  { units }: SlotsBreakdown,
  { memory }: SlotsOptions,
): ReportSection {
  const remembered =
    memory === "cumulative"
      ? "The model was given what it had stored of the user's earlier sessions."
      : "Each session was read on its own.";
  const clusters =
    units.kind === "clusters"
      ? ` Intervals resample ${units.count} users with all their sessions.`
      : "";
  return {
    id: "summary",
    title: "Which slots were stored",
    intro: `A slot is a field of a topic. It counts as stored with any value; whether the value is right comes next. ${remembered}${clusters}`,
    blocks: [...brief([bars("Slots stored", metrics, ["f1", "precision", "recall", "f1Macro"])])],
  };
}

function valueSection(metrics: Metrics): ReportSection {
  return {
    id: "values",
    title: "With which values",
    intro:
      "Values are compared in canonical form: lower case, without punctuation, in any order. Tokens give credit for a value that is right in part.",
    blocks: [
      bars("By value", metrics, ["valueF1", "valuePrecision", "valueRecall", "exactMatchCoverage"]),
      bars("By token", metrics, ["tokenF1", "tokenPrecision", "tokenRecall", "bleu1"]),
    ],
  };
}

function topicSection({ topics, counts }: SlotsBreakdown): ReportSection {
  // Nothing is expected of a topic that the model made up, so it is neither easy nor hard.
  const asked = topics.filter(({ figures }) => figures["expectedSlots"]?.value !== 0);
  const [easiest, hardest] = [asked[0], asked.at(-1)];
  const note =
    easiest && hardest && easiest !== hardest
      ? brief([
          {
            ...{ kind: "note" as const, title: "Easiest and hardest", tone: "neutral" as const },
            text: `Easiest: ${named(easiest)}. Hardest: ${named(hardest)}.`,
          },
        ])
      : [];
  return {
    id: "topics",
    title: "By topic",
    intro: `Topics from the easiest to the hardest, those that the model made up among them, over ${Object.values(counts).length === 0 ? "no" : "all"} sessions.`,
    blocks: [
      {
        ...{ kind: "bars", title: "F1 by topic", format: "score" },
        bars: topics.map((topic) => ({
          ...{
            label: topic.name,
            n: topic.n,
            tone: toneOf(topic.figures["f1"]?.value ?? null, steps),
          },
          value: topic.figures["f1"]?.value ?? null,
          interval: topic.figures["f1"]?.interval ?? null,
        })),
      },
      ...note,
      ...partTable("Topics", "Topic", topics),
    ],
  };
}

const named = ({ name, figures }: Part) => `${name} (F1 ${(figures["f1"]?.value ?? 0).toFixed(3)})`;

function partsSection({ users, sessions }: SlotsBreakdown): ReportSection {
  return {
    id: "users",
    title: "By user and session",
    intro: "Sessions go by their name, over all users; later ones change what earlier ones said.",
    blocks: [...partTable("Users", "User", users), ...partTable("Sessions", "Session", sessions)],
  };
}

function partTable(title: string, label: string, parts: readonly Part[]) {
  const value = ({ figures }: Part, id: string) => figures[id]?.value ?? null;
  return tableOf(
    title,
    [
      ["name", label, "text"],
      ["f1", "F1", "score"],
      ["interval", "95% interval", "text"],
      ["precision", "Precision", "score"],
      ["recall", "Recall", "score"],
      ["valueF1", "Value F1", "score"],
      ["bleu1", "BLEU-1", "score"],
      ["extraSlots", "Extra slots", "count"],
      ["extraValues", "Extra values", "count"],
      ["n", "Sessions", "count"],
    ],
    parts.map((part): TableBlock["rows"][number] => ({
      ...{ name: part.name, f1: value(part, "f1"), n: part.n },
      interval: intervalText(part.figures["f1"]?.interval ?? null),
      ...{ precision: value(part, "precision"), recall: value(part, "recall") },
      ...{ valueF1: value(part, "valueF1"), bleu1: value(part, "bleu1") },
      ...{ extraSlots: value(part, "extraSlots"), extraValues: value(part, "extraValues") },
    })),
  );
}

/** How answers came back, in the order of the page. */
const readings = [
  ["parse clean", "Read as they are", "good"],
  ["parse recovered", "Recovered from a broken or wrapped output", "fair"],
  ["parse failed", "Not readable", "missed"],
  ["status refused", "Refused", "missed"],
  ["status empty", "Empty", "missed"],
  ["status error", "Request failed", "missed"],
] as const satisfies readonly (readonly [string, string, Tone])[];

function outputSection({ counts }: SlotsBreakdown): ReportSection {
  return {
    id: "outputs",
    title: "How answers were read",
    intro: "What could not be read stores nothing, so that all its expected slots are missed.",
    blocks: [
      {
        ...{ kind: "stack", title: "Answers", unit: "answers" },
        parts: readings.map(([name, label, tone]) => ({
          ...{ label, count: counts[name] ?? 0, tone, definition: `${label}.` },
        })),
      },
    ],
  };
}

function performanceSection(metrics: Metrics): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds, one request a session.",
    blocks: [
      ...timesBlocks(metrics),
      ...ratesBlocks(metrics, slotsMetrics, ["latencyTotal", "p95Source"]),
    ],
  };
}

const steps = [
  [0.9, "excellent"],
  [0.75, "good"],
  [0.5, "fair"],
] as const satisfies ToneSteps;

const bars = (title: string, metrics: Metrics, ids: readonly string[]) =>
  metricBars(title, ids, metrics, { catalogue: slotsMetrics, steps });
