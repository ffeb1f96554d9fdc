import type { Scale } from "../../contracts/judge.ts";
import type { Estimate } from "../../contracts/metric.ts";
import type {
  NoteBlock,
  ReportSection,
  StackBlock,
  TableBlock,
  Tone,
} from "../../contracts/report.ts";
import { judges } from "../../judges/judges.ts";
import {
  brief,
  intervalText,
  metricBars,
  type ToneSteps,
  tableOf,
} from "../../measures/report/blocks.ts";
import type { MemoryBreakdown } from "./breakdown.ts";
import { memoryMetrics } from "./metrics.ts";
import type { MemoryOptions } from "./options.ts";

type Metrics = Readonly<Record<string, Estimate>>;

/** Where a value turns good, by scale. */
const steps: Readonly<Record<Scale, ToneSteps>> = {
  ratio: [
    [0.9, "excellent"],
    [0.75, "good"],
    [0.5, "fair"],
  ],
  level: [
    [4.5, "excellent"],
    [3.5, "good"],
    [2.5, "fair"],
  ],
};

/** The ends of a scale, for tables in which scales differ from row to row. */
export const scaleText: Readonly<Record<Scale, string>> = { ratio: "0–1", level: "1–5" };

const bars = (title: string, ids: readonly string[], metrics: Metrics, scale: Scale) =>
  metricBars(title, ids, metrics, { catalogue: memoryMetrics, steps: steps[scale] });

const note = (title: string, text: string, tone: Tone = "neutral"): NoteBlock => ({
  ...{ kind: "note", title, tone, text },
});

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/**
 * The headline, what it is made of, and what it lacks.
 * @example summarySection(metrics, tables, options).id // "summary"
 */
export function summarySection(
  metrics: Metrics,
  tables: MemoryBreakdown,
  { weights }: Pick<MemoryOptions, "weights">,
): ReportSection {
  const formula = [
    `${weights.memory.toFixed(2)} · memory F1`,
    `${weights.groundedness.toFixed(2)} · groundedness`,
    `${weights.safety.toFixed(2)} · safety`,
    `${weights.helpfulness.toFixed(2)} · helpfulness`,
    `${weights.others.toFixed(2)} · mean of the other eight`,
  ].join(" + ");
  return {
    id: "summary",
    title: "Memory citation score",
    intro: `Of each sample: ${formula}, levels 1–5 taken as (x − 1)/4. The score is ours, not the source's.`,
    blocks: [
      ...brief([bars("Memory citation score", ["mcs"], metrics, "ratio")]),
      ...unscoredNote(tables),
      ...statusNote(tables),
    ],
  };
}

function unscoredNote({ unscored, answers }: MemoryBreakdown): NoteBlock[] {
  if (unscored === 0) return [];
  const text = `${unscored} of ${answers} answers have no score, since memory F1, groundedness or safety is unjudged for them. No score was made up: they are left out of the mean, and the coverage says so.`;
  return brief([note("Unscored answers", text, "fair")]);
}

function statusNote({ counts }: MemoryBreakdown): NoteBlock[] {
  const parts = (
    [
      ["status error", "requests failed, which earn 0 and are judged by nobody"],
      ["status empty", "answers are empty, which have the set value of each metric"],
      ["status refused", "answers are refusals, judged by their words"],
      ["truncated", "answers were cut off at the token limit"],
      ["stage emotion", "queries have no text emotion, since the reply could not be read"],
      ["stage personality", "people have no traits, since the reply could not be read"],
    ] as const
  ).flatMap(([name, text]) => (counts[name] ? [`${counts[name]} ${text}`] : []));
  return parts.length === 0 ? [] : [note("Beside that", `${parts.join("; ")}.`)];
}

const mainIds = (scale: Scale) =>
  judges.filter((judge) => judge.scale === scale).map(({ figures: [main] }) => main.metric.id);

/**
 * Every judged metric, with its spread over samples, on how many answers it was judged, and by whom.
 * @example metricsSection(metrics, tables).id // "metrics"
 */
export function metricsSection(metrics: Metrics, tables: MemoryBreakdown): ReportSection {
  return {
    id: "metrics",
    title: "The metrics",
    intro:
      "Shares from 0 to 1, and levels from 1 to 5. Memory F1 and groundedness are worked out over all samples together; median and spread are over samples.",
    blocks: [
      bars("Shares", mainIds("ratio"), metrics, "ratio"),
      bars("Levels, 1–5", mainIds("level"), metrics, "level"),
      ...brief(
        tableOf(
          "Metrics and their judges",
          [
            ["label", "Metric", "text"],
            ["scale", "Scale", "text"],
            ["value", "Value", "score"],
            ["interval", "95% interval", "text"],
            ["coverage", "Judged", "percent"],
            ["judges", "Judged by", "text"],
          ],
          tables.scores.map((row) => scoreRow(row, metrics, tables)),
        ),
      ),
      ...tableOf(
        "Spread over samples",
        [
          ["label", "Metric", "text"],
          ["scale", "Scale", "text"],
          ["mean", "Mean", "score"],
          ["median", "Median", "score"],
          ["sd", "SD", "score"],
          ["min", "Min", "score"],
          ["max", "Max", "score"],
        ],
        tables.scores.map(({ label, scale, mean, median, sd, min, max }) => ({
          ...{ label, scale: scaleText[scale], mean, median, sd, min, max },
        })),
      ),
      ...levelTables(tables),
    ],
  };
}

type ScoreRow = MemoryBreakdown["scores"][number];

function scoreRow(
  { metric, label, scale, coverage }: ScoreRow,
  metrics: Metrics,
  { judges: rows }: MemoryBreakdown,
): TableBlock["rows"][number] {
  const { value = null, interval = null } = metrics[metric] ?? {};
  const by = rows.filter((row) => row.metric === metric && row.judged > 0);
  const names = by.map(({ judge }) => judge ?? "not said");
  return {
    ...{ label, scale: scaleText[scale], value, interval: intervalText(interval), coverage },
    judges: names.length === 0 ? null : names.join(", "),
  };
}

const ends: Readonly<Record<Scale, readonly string[]>> = {
  level: ["1", "2", "3", "4", "5"],
  ratio: ["0", "0.25", "0.5", "0.75", "1"],
};

function levelTables({ scores }: MemoryBreakdown): (TableBlock | NoteBlock)[] {
  return (["level", "ratio"] as const).flatMap((scale) => {
    const rows = scores.filter((row) => row.scale === scale && row.judged > 0);
    if (rows.length === 0) return [];
    return tableOf(
      scale === "level" ? "Answers by level" : "Answers by the share next to their value",
      [
        ["label", "Metric", "text"],
        ...ends[scale].map((end, i): [string, string, "count"] => [`at${i}`, end, "count"]),
      ],
      rows.map(({ label, levels }) => ({
        label,
        ...Object.fromEntries(levels.map((count, i) => [`at${i}`, count])),
      })),
    );
  });
}

/**
 * Memories used, micro and macro, and how often.
 * @example keysSection(metrics, tables).id // "keys"
 */
export function keysSection(metrics: Metrics, { keys }: MemoryBreakdown): ReportSection {
  const part = (label: string, count: number, tone: Tone, definition: string) => ({
    ...{ label, count, tone, definition },
  });
  return {
    id: "keys",
    title: "Memories used",
    intro:
      "A required key that the answer uses is a hit, a forbidden one a false alarm. Neutral and unknown keys count nowhere.",
    blocks: [
      bars(
        "Over all samples together",
        ["memory_utilization", "memory_precision", "memory_recall"],
        metrics,
        "ratio",
      ),
      bars(
        "Means of samples",
        ["memory_utilization_macro", "memory_precision_macro", "memory_recall_macro"],
        metrics,
        "ratio",
      ),
      {
        ...{ kind: "stack", title: "Keys that count", unit: "keys" },
        parts: [
          part("Hits", keys.tp, "good", "Required keys that answers use."),
          part("Misses", keys.fn, "missed", "Required keys that answers do not use."),
          part("False alarms", keys.fp, "extra", "Forbidden keys that answers use."),
        ],
      },
    ],
  };
}

const sourceText = {
  memory: ["From memory", "excellent", "Profile or conversation bears the claim out."],
  query: ["From the query", "good", "The query bears it out."],
  general_knowledge: ["General knowledge", "fair", "It is well established."],
  hallucinated: ["Hallucinated", "poor", "Nothing bears it out."],
} as const satisfies Record<string, readonly [string, Tone, string]>;

/**
 * Claims by what bears them out.
 * @example claimsSection(metrics, tables).id // "claims"
 */
export function claimsSection(metrics: Metrics, { claims }: MemoryBreakdown): ReportSection {
  const sources = Object.entries(sourceText) as [
    keyof typeof sourceText,
    readonly [string, Tone, string],
  ][];
  const stack: StackBlock = {
    ...{ kind: "stack", title: "Claims by source", unit: "claims" },
    parts: sources.map(([source, [label, tone, definition]]) => ({
      ...{ label, tone, definition, count: claims.sources[source] },
    })),
  };
  return {
    id: "claims",
    title: "Claims",
    intro:
      "Every claim of an answer, by what bears it out. Counts are those of the listed claims, never the judge's own.",
    blocks: [bars("Groundedness", ["groundedness", "groundedness_macro"], metrics, "ratio"), stack],
  };
}

const labelTones = ["excellent", "good", "fair", "poor"] as const satisfies readonly Tone[];

/**
 * Whatever else judges count and name: contradictions, validation, warmth; of every metric that has any.
 * @example countedSection(metrics, tables).id // "counted"
 */
export function countedSection(metrics: Metrics, { labels }: MemoryBreakdown): ReportSection {
  const named = new Map<string, MemoryBreakdown["labels"]>();
  for (const row of labels) {
    const key = `${row.name} ${row.metric}`;
    named.set(key, [...(named.get(key) ?? []), row]);
  }
  const stacks = [...named.values()].map((rows): StackBlock => {
    const { name, metric } = rows[0]!;
    const label = judges.find(({ id }) => id === metric)?.label ?? metric;
    return {
      ...{ kind: "stack", title: `${label}: ${name}`, unit: "answers" },
      parts: rows.map(({ label: word, count }, i) => ({
        ...{ label: word, count, definition: `The judge calls the ${name} ${word}.` },
        tone: labelTones[Math.min(i, labelTones.length - 1)]!,
      })),
    };
  });
  return {
    id: "counted",
    title: "Contradictions, validation, warmth",
    intro: "What judges count in answers, beside their grades.",
    blocks: [...tableOf("Counted in answers", countedColumns, countedRows(metrics)), ...stacks],
  };
}

const countedColumns: Parameters<typeof tableOf>[1] = [
  ["label", "What", "text"],
  ["value", "Value", "text"],
  ["interval", "95% interval", "text"],
  ["n", "Samples judged", "count"],
];

/** Units differ from row to row, so values are printed as text. */
function countedRows(metrics: Metrics): TableBlock["rows"] {
  const shown = new Set(["memory_utilization", "groundedness"]);
  return judges.flatMap(({ id, figures: [, ...more] }) =>
    more
      .filter(({ metric }) => !shown.has(id) || metric.format === "count")
      .map(({ metric }) => {
        const { value = null, interval = null, n = 0 } = metrics[metric.id] ?? {};
        const text = (one: number) =>
          metric.format === "percent" ? percent(one) : String(Number(one.toPrecision(4)));
        return {
          ...{ label: metric.label, n, value: value === null ? null : text(value) },
          interval: interval === null ? null : interval.map(text).join("–"),
        };
      }),
  );
}
