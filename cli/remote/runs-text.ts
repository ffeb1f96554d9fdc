import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { asObject, type Json } from "#shared/contracts/json.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { awaitedText, queuedText } from "#shared/measures/report/run/provenance-text.ts";
import { variantText } from "#shared/measures/sweeps/sweep-parameters.ts";
import { suites } from "#shared/suites/registry.ts";
import { intervalText } from "../compare/figure-text.ts";
import { hasSimulatedJudges, simulatedText } from "../run/estimate.ts";
import { emptyText, formatCount, formatValue, printable, textTable } from "../terminal/text.ts";
import type { ServiceClient } from "./service-client.ts";

const head = ["run", "model", "suite", "dataset", "status", "samples", "failed", "metric", "value"];
const interval = "95% interval";
const numbers = ["samples", "failed", "value", interval];

/** Maximum listed reasons per run; the report has all. */
const SHOWN = 3;

const idsSchema = submissionSchema.pick({ runs: true });

/** Help on arguments of runIds(). */
export const RUN_OR_SUBMISSION = "Id of a run, or of a submission for all its runs";

/** Notes about missing judgments, replaced judges or ignored settings. */
const matters =
  /\bhas no model\b|\bis not judged\b|\bjudgments? (?:is|are) missing\b|\bare ignored\b/;

/**
 * Runs as a table with headlines, in colour if `stream` shows it; below, reasons of failures, lost answers and
 * important notes.
 */
export function runsText(runs: readonly Run[], stream?: Writable): string {
  const columns = [...head, interval];
  const rows = runs.map(rowOf);
  const reasons = runs.flatMap((run) => [
    ...(run.statusReason === null ? [] : [`${run.id}: ${run.statusReason}`]),
    ...failureLines(run),
    ...lostLines(run),
    ...noteLines(run),
  ]);
  const simulated = runs.some(({ judging }) => hasSimulatedJudges(judging)) ? [simulatedText] : [];
  const table = textTable([columns, ...rows], (column) => !numbers.includes(columns[column]!));
  const lines = [...table, ...reasons, ...simulated].map(printable);
  return lines.map((line, i) => painted(line, runs[i - 1]?.status, stream)).join("\n");
}

const colors = { finished: "green", failed: "red", cancelled: "red", paused: "yellow" } as const;

/** A row of the table with its status in colour if the stream is a terminal; the first line is the head. */
function painted(line: string, status: Run["status"] | undefined, stream?: Writable): string {
  const color = status !== undefined && status in colors && colors[status as keyof typeof colors];
  if (!color || stream === undefined) return line;
  return line.replace(` ${status}`, ` ${styleText(color, `${status}`, { stream })}`);
}

function rowOf(run: Run): string[] {
  const { done, total, failed } = run.progress;
  const metric = metricOf(run);
  // Scores of failed requests say nothing about the model.
  const isSilent = run.status === "finished" && isUnanswered(run);
  const headline = isSilent ? null : run.metrics?.[run.headline];
  return [
    run.id,
    modelName(run),
    run.suite,
    run.dataset.name,
    isSilent ? `${run.status}, nothing answered` : `${run.status}${waitText(run)}`,
    `${formatCount(done)}/${formatCount(total)}`,
    formatCount(failed),

    metric?.label ?? run.headline,
    formatValue(headline?.value ?? null, metric?.format ?? "score"),
    intervalText(headline?.interval ?? null, metric?.format ?? "score"),
  ];
}

/** The model of a run, with its variant. */
export const modelName = ({ model, variant }: Pick<Run, "model" | "variant">): string =>
  variant === null ? model.slug : `${model.slug}, ${variantText(variant)}`;

type Waits = {
  [name in "batches" | "waitsFor" | "waitingUntil" | "runsBefore"]?: Run[name] | undefined;
};

/** What an active run waits for, as text after its status; empty if nothing. */
export function waitText({ batches, waitsFor, waitingUntil, runsBefore }: Waits): string {
  if (runsBefore !== undefined) return `, ${queuedText(runsBefore)}`;
  if (waitsFor) return `, ${awaitedText(waitsFor)}`;
  if (waitingUntil) return `, asks the endpoint again at ${waitingUntil.slice(11, 19)} UTC`;
  return batches ? `, waits for ${counted(batches.requests, "answer")} in batches` : "";
}

/** The metric that ranks a run; undefined for an unknown suite of a newer service. */
export const metricOf = ({ suite, headline }: Run): Metric | undefined =>
  suites.find(({ id }) => id === suite)?.metrics.find(({ id }) => id === headline);

/**
 * Why requests of a run failed permanently, with advice, the most frequent reason first; empty without failures.
 * @example failureLines(run)[0] // "run_1: 5 of 5 requests failed: network (the connection failed)"
 */
export function failureLines({ id, points, progress }: Run): string[] {
  const failures = points?.failures ?? [];
  return failures.slice(0, SHOWN).flatMap(({ class: name, count, message }) => {
    const share = `${formatCount(count)} of ${formatCount(progress.total)} requests failed`;
    const reason = message === "" ? "" : ` (${message})`;
    return [
      `${id}: ${share}: ${name.replaceAll("_", " ")}${reason}`,
      `    → ${failureActions[name].action}`,
    ];
  });
}

/** Counts of empty, refused and truncated answers, for example after long thoughts. */
function lostLines({ id, breakdown, judging }: Run): string[] {
  const { counts, answers, unscored, ...own } = asObject((breakdown ?? null) as Json);
  const others = asObject(counts);
  const empty = Number(own["empty"] ?? others["status empty"] ?? 0);
  const refused = Number(own["refused"] ?? others["status refused"] ?? 0);
  const cut = Number(own["truncated"] ?? others["truncated"] ?? 0);
  const share = (count: number, one: string, more: string) =>
    `${formatCount(count)} of ${counted(Number(answers), "answer")} ${count === 1 ? one : more}`;
  const isAll = typeof unscored === "number" && answers === empty + unscored;
  const unjudged = `${isAll ? "no answer was judged: only " : ""}${emptyText(empty)}`;
  const cutText = share(cut, "was cut off", "were cut off");
  return [
    ...(empty > 0
      ? [`${id}: ${judging === null ? share(empty, "is empty", "are empty") : unjudged}`]
      : []),
    ...(refused > 0 ? [`${id}: ${share(refused, "is a refusal", "are refusals")}`] : []),
    ...(cut > 0 ? [`${id}: ${cutText} at the token limit: raise max_tokens (maxTokens)`] : []),
  ];
}

function noteLines({ id, notes }: Run): string[] {
  const important = notes.filter((note) => matters.test(note));
  const more = important.length - SHOWN;
  return [
    ...important.slice(0, SHOWN).map((note) => `${id}: ${note}`),
    ...(more > 0 ? [`${id}: ${counted(more, "more note")} in its report`] : []),
  ];
}

/** Ids of runs; the id of a submission is replaced by its run ids. */
export async function runIds(service: ServiceClient, given: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const id of given) {
    if (!id.startsWith("sub_")) ids.add(id);
    else {
      const path = `/v1/submissions/${encodeURIComponent(id)}`;
      for (const run of (await service.get(path, idsSchema)).runs) ids.add(run.id);
    }
  }
  return [...ids];
}

/** Reads runs by id, in order. */
export const runsOf = (service: ServiceClient, ids: readonly string[]): Promise<Run[]> =>
  Promise.all(ids.map((id) => service.get(`/v1/runs/${encodeURIComponent(id)}`, runSchema)));
