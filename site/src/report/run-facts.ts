import type { Run } from "#shared/contracts/run.ts";
import { servedText } from "#shared/measures/performance/served-models.ts";
import { plannedTest } from "#shared/measures/report/run/planned-test-text.ts";
import { relayText } from "#shared/measures/report/run/provenance-text.ts";
import { paths } from "../data/paths.ts";
import { statusLabel } from "../data/runs/run-state.ts";
import { formatDuration, formatTime } from "../format/date.ts";
import { formatCount, formatValue } from "../format/number.ts";
import { shortUrl } from "../format/short-url.ts";
import type { Fact } from "./Facts.tsx";
import { type JudgedBy, judgedBy } from "./judged-by.ts";
import { metricIn, type ShownRun, siteUrl } from "./shown-run.ts";

function cloudText({ hybrid, options }: Pick<Run, "hybrid" | "options">): string {
  if (hybrid === null) return "";
  if (options["hybridSweep"]) return `, and ${hybrid.cloudHost} every time`;
  return `, and ${hybrid.cloudHost} if that failed or its confidence was below ${hybrid.confidenceThreshold}`;
}

function sourceText(run: ShownRun["run"]): string {
  const { kind, endpointHost, relay, runner } = run.provenance;
  if (relay !== undefined) return `Assay asked ${relayText(relay)}`;
  if (runner !== undefined) {
    return `The runner ${runner.name} of ${runner.owner} called an endpoint of its network${cloudText(run)}`;
  }
  if (kind !== "called") return "Answers sent by the submitter";
  const host = endpointHost ?? "the endpoint";
  if (run.options["mode"] === "batch") {
    return `Assay asked ${host} in batches, at half the live price; latency is not measured: answered in batches`;
  }
  return `Assay called ${host}${cloudText(run)}`;
}

/** Settings as they were submitted. */
const settingsText = ({ settings }: Run["provenance"]): string | null =>
  settings === undefined ? null : JSON.stringify(settings);

function judgesText({ judges, simulated }: JudgedBy): string {
  const names = judges.map((judge) =>
    simulated === "some" && judge.simulated ? `${judge.model} (simulated)` : judge.model,
  );
  return `${names.join(", ")}${simulated === "all" ? " (all simulated)" : ""}`;
}

/** A measured cost; null if prices are not known. */
function costText({ run, suite }: ShownRun, id: string): string | null {
  const value = run.metrics?.[id]?.value ?? null;
  return value === null ? null : formatValue(value, metricIn(suite.metrics, id).format);
}

function judgingFacts(report: ShownRun): Fact[] {
  const { run, suite } = report;
  if (run.judging === null) return [];
  return [
    { term: "Cost of the model's answers", text: costText(report, "costUsd") },
    { term: "Cost of judging (not included)", text: costText(report, "judgeCostUsd") },
    {
      term: "Judged by",
      href: siteUrl(report.place, paths.judges(run.suite)),
      text: judgesText(judgedBy(suite.judges, run.judging)),
    },
  ];
}

/** The test that was planned before the first answer, with its result. */
function planFacts({ run, suite, place }: ShownRun): Fact[] {
  const plan = plannedTest(run, suite.metrics);
  if (plan === null) return [];
  const query = new URLSearchParams({ runs: `${plan.against},${run.id}` });
  return [
    {
      term: "Planned test",
      text: `${plan.text}; stated before the first answer`,
      href: siteUrl(place, `${paths.compare}?${query}`),
    },
    {
      term: "Result of the planned test",
      text: plan.result,
      href: plan.parity === null ? undefined : siteUrl(place, paths.parity(plan.parity)),
    },
    { term: "Differs from the plan", text: plan.deviations.join("; ") || "nothing" },
    { term: "Differs from the other run", text: plan.changes.join("; ") || null },
  ];
}

const modelFacts = ({ run: { model }, place }: ShownRun): Fact[] => [
  { term: "Model", text: model.slug, href: siteUrl(place, paths.model(model.slug)) },
  { term: "Model id", text: model.asked?.join(", ") ?? null },
  { term: "Answered by", text: servedText(model) },
  { term: "Model page", text: model.url && shortUrl(model.url), href: model.url ?? undefined },
  { term: "License", text: model.license },
  { term: "Parameters", text: model.parameters },
  { term: "Quantization", text: model.quantization },
];

/** Origin, time and configuration of a run. */
export function runFacts(report: ShownRun): Fact[] {
  const { run, suite } = report;
  const { progress, dataset, startedAt, finishedAt } = run;
  const wallMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null;
  return [
    ...modelFacts(report),
    { term: "Answers", text: sourceText(run) },
    { term: "Interface", text: run.provenance.protocol ?? null, code: true },
    { term: "Settings", text: settingsText(run.provenance), code: true },
    {
      term: "Suite",
      href: siteUrl(report.place, paths.suite(run.suite)),
      text: `${suite.label}, version ${run.suiteVersion}`,
    },
    {
      term: "Dataset",
      href: report.place.dataset ?? undefined,
      text: `${dataset.name}, ${formatCount(dataset.samples)} samples`,
    },
    { term: "Status", text: statusLabel(run) },
    {
      term: "Samples",
      text: `${formatCount(progress.done)} of ${formatCount(progress.total)} done, ${formatCount(progress.failed)} failed`,
    },
    ...planFacts(report),
    { term: "Submitted", text: formatTime(run.createdAt) },
    { term: "Finished", text: finishedAt && formatTime(finishedAt) },
    { term: "Took", text: wallMs === null ? null : formatDuration(wallMs) },
    ...judgingFacts(report),
  ];
}
