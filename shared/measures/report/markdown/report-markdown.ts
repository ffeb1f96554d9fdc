import type { Metric } from "../../../contracts/metric.ts";
import type { ReportSection, ShownSample } from "../../../contracts/report.ts";
import type { RunReport } from "../../../contracts/run-report.ts";
import {
  type InferenceSettings,
  settingsLabel,
} from "../../../contracts/submissions/inference-settings.ts";
import { servedText } from "../../performance/served-models.ts";
import { pricesText } from "../../performance/token-cost.ts";
import { figureText, intervalText } from "../figures/figure-text.ts";
import { plannedTest } from "../run/planned-test-text.ts";
import { provenanceText, relayText } from "../run/provenance-text.ts";
import { blockMarkdown } from "./block-markdown.ts";
import { markdownTable, markdownText } from "./markdown-text.ts";

/**
 * A run's report as Markdown: model and setup, all metrics with intervals, the suite's sections with a table for each
 * chart, and the picked samples. Text from models or submitters is never markup.
 * @example reportMarkdown(report).startsWith("# ") // true
 */
export function reportMarkdown(report: RunReport): string {
  const { run, suite, sections, samples } = report;
  const [summary, ...others] = sections;
  const advice = others.filter(({ id }) => id === "recommendations");
  const middle = others.filter(({ id }) => id !== "recommendations");
  const parts = [
    `# ${markdownText(`${run.model.name}: ${suite.label || suite.id} report`)}`,
    ...(suite.question === "" ? [] : [markdownText(suite.question)]),
    ...noticesOf(report),
    ...(summary === undefined ? [] : sectionParts(summary)),
    "## How it was run",
    factTable(report),
    ...(run.notes.length === 0
      ? []
      : [run.notes.map((note) => `- ${markdownText(note)}`).join("\n")]),
    ...metricParts(report),
    ...middle.flatMap(sectionParts),
    ...sampleParts(samples, headlineFormat(report)),
    ...advice.flatMap(sectionParts),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Warnings before the numbers. */
function noticesOf({ run }: RunReport): string[] {
  const { simulated } = run.model;
  const status = run.status === "finished" ? [] : [`The run is ${run.status}: it has no scores.`];
  return [
    ...status,
    ...(simulated ? ["The model is simulated by a program."] : []),
    ...(run.provenance.kind === "self-reported" ? [selfReportedText(run)] : []),
  ].map((text) => `> ${markdownText(text)}`);
}

function selfReportedText({ provenance: { relay } }: RunReport["run"]): string {
  if (relay === undefined) {
    return "Self-reported: the submitter sent finished answers, which were scored here.";
  }
  return `Self-reported: the answers come from ${relayText(relay)}.`;
}

/** Where the answers come from. */
function sourceOf(provenance: RunReport["run"]["provenance"]): string {
  const { kind, endpointHost, relay } = provenance;
  if (kind === "called") return `called at ${endpointHost}`;
  if (kind === "runner") return provenanceText(provenance);
  return relay === undefined ? "sent in" : `from ${relayText(relay)}`;
}

function factTable(report: RunReport): string {
  const columns = ["Fact", "Value"].map((label) => ({ label, isNumber: false }));
  return markdownTable({ columns, rows: runFactRows(report) });
}

function metricParts({ run, suite }: RunReport): string[] {
  const metrics = run.metrics ?? {};
  const rows = suite.metrics.flatMap((metric) => {
    const estimate = metrics[metric.id];
    if (estimate === undefined || (estimate.value === null && estimate.n === 0)) return [];
    const { value, interval, n, coverage } = estimate;
    return [
      [
        metric.label,
        figureText(value, metric.format) ?? "–",
        intervalText(interval, metric.format) ?? "–",
        figureText(n, "count"),
        figureText(coverage, "percent"),
        metric.better,
        metric.definition,
      ],
    ];
  });
  if (rows.length === 0) return [];
  const numbers = new Set(["Value", "95% interval", "n", "Coverage"]);
  const labels = ["Metric", "Value", "95% interval", "n", "Coverage", "Better"];
  const columns = [...labels, "Definition"].map((label) => ({
    label,
    isNumber: numbers.has(label),
  }));
  return ["## Metrics", markdownTable({ columns, rows })];
}

const sectionParts = ({ title, intro, blocks }: ReportSection): string[] => [
  `## ${markdownText(title)}`,
  markdownText(intro),
  ...blocks.flatMap((block) => blockMarkdown(block, 3)),
];

const kinds: Readonly<Record<ShownSample["kind"], string>> = {
  worst: "lowest score",
  best: "highest score",
  odd: "odd",
};

const headlineFormat = ({ run, suite }: RunReport): Metric["format"] =>
  suite.metrics.find(({ id }) => id === run.headline)?.format ?? "score";

function sampleParts(samples: readonly ShownSample[], format: Metric["format"]): string[] {
  if (samples.length === 0) return [];
  return [
    "## Samples",
    "Samples with the lowest and highest scores and unusual ones, with request and answer.",
    ...samples.flatMap(({ kind, reason, id, repeat, score, status, blocks }) => {
      const which = repeat > 0 ? ` (repeat ${repeat + 1})` : "";
      const earned = score === null ? status.replaceAll("_", " ") : figureText(score, format);
      const why = reason === "" ? kinds[kind] : reason;
      return [
        `### ${markdownText(`${id}${which}: ${earned}, ${why}`)}`,
        ...blocks.flatMap((block) => blockMarkdown(block, 4)),
      ];
    }),
  ];
}

/**
 * How a run was made: where, when, with which data and options, as terms with texts; unknown facts are omitted.
 * @example runFactRows(report)[0] // ["Model", "acme/large"]
 */
function runFactRows({ run, suite }: RunReport): [term: string, text: string][] {
  const { model, provenance, dataset, progress, prices } = run;
  const plan = plannedTest(run, suite.metrics);
  const judges = Object.values(run.judging?.judges ?? {}).flatMap(({ routes }) => routes);
  const rows: [string, string | null][] = [
    ["Model", model.slug],
    ["Model id", model.asked?.join(", ") ?? null],
    ["Answered by", servedText(model)],
    ["Model page", model.url],
    ["License", model.license],
    ["Parameters", model.parameters],
    ["Quantization", model.quantization],
    ["Answers", sourceOf(provenance)],
    ["Cloud", run.hybrid?.cloudHost ?? null],
    ["Interface", provenance.protocol ?? null],
    ["Settings", settingsLabel(provenance.settings as InferenceSettings) || null],
    ["Suite", `${suite.label}, version ${run.suiteVersion}`],
    ["Dataset", `${dataset.name}, ${figureText(dataset.samples, "count")} samples`],
    ["Dataset version", dataset.version],
    ["Samples", samplesText(progress)],
    ["Planned test", plan && `${plan.text}; stated before the first answer`],
    ["Result of the planned test", plan?.result ?? null],
    ["Differs from the plan", plan && (plan.deviations.join("; ") || "nothing")],
    ["Differs from the other run", plan?.changes.join("; ") ?? null],
    ["Judged by", [...new Set(judges.map(routeText))].join(", ") || null],
    ["Scoring version", run.scoringVersion],
    ["Code revision", run.codeRevision],
    ["Prompt hash", run.promptHash ?? "not declared"],
    ["Concurrency", figureText(run.concurrency.wanted, "count")],
    ["Prices", prices && pricesText(prices)],
    ["Submitted", run.createdAt],
    ["Finished", run.finishedAt],
    ["Run", run.id],
    ["Options", Object.keys(run.options).length === 0 ? null : JSON.stringify(run.options)],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== "");
}

const samplesText = ({ done, total, failed }: RunReport["run"]["progress"]): string => {
  const [ready, all, lost] = [done, total, failed].map((count) => figureText(count, "count"));
  return `${ready} of ${all} done, ${lost} failed`;
};

const routeText = ({
  provider,
  model,
  simulated,
}: {
  provider: string;
  model: string;
  simulated: boolean;
}) => `${provider}:${model}${simulated ? " (simulated)" : ""}`;
