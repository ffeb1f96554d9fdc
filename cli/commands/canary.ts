import type { Writable } from "node:stream";
import {
  type CanaryReport,
  type CanaryResult,
  canaryReportSchema,
} from "#shared/contracts/judging/canary.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { runSchema } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { suites } from "#shared/suites/registry.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import { intervalText } from "../compare/figure-text.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { rubricOption } from "../files/yaml-file.ts";
import { type FollowedRun, followRuns, hasStopped, untilLeft } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { startedSchema } from "../remote/start-runs.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { formatCount, formatValue, printable, textTable } from "../terminal/text.ts";

const DATASET = "stock";

const flags = {
  dataset: valueFlag("NAME", "Dataset of the service that the canaries answer", {
    default: DATASET,
  }),
  rubric: valueFlag("FILE", "For the suite rubric: criteria instead of the default ones"),
  "no-run": {
    type: "boolean",
    help: "Call no judge: print the results of the newest runs of the canaries",
  },
  json: jsonFlag(
    canaryReportSchema,
    "Print the report as one JSON object, as in GET /v1/suites/<suite>/canaries",
  ),
  ...serviceFlags,
} as const;

const verdicts: Record<CanaryResult["verdict"], string> = {
  within: "within",
  broken: "BROKEN",
  unbounded: "no bound",
  unmeasured: "not measured",
};

const SIMULATED =
  "These judges are simulated: this tests the service and says nothing about real judges.";

/** The format in which bounds are declared. */
const FORMAT = "score";

const textColumns = ["canary", "bound", "verdict", "measured"];

const hasCanaries = ({ judging }: Suite): boolean => (judging?.canaries ?? []).length > 0;

/** Ids of the suites that have canaries. */
const canarySuiteIds: readonly string[] = suites.filter(hasCanaries).map(({ id }) => id);

/** `assay canary`: scores of worthless answers by the judges of a service. */
export const canaryCommand = command({
  name: "canary",
  summary: "score worthless answers with the judges of a service",
  description: [
    "Lets the judges of a service score the canaries of a suite and prints each score with its bound. Canaries are answers that say nothing, or that order the judge to give full marks: their scores show how much the judges can be misled.",
  ],
  positionals: [
    {
      name: "suite",
      help: `Suite with canaries; default ${canarySuiteIds[0]}`,
      choices: canarySuiteIds,
      optional: true,
    },
  ],
  flags,
  environment: keyVariable,
  exitCodes: {
    0: "Every score is within its bound",
    1: "A bound is exceeded or was not measured, or a run failed or was stopped",
  },
  notes: [
    "The key needs the scope admin, because the operator of the service pays its judges. No key is needed with --no-run, or for a service on this machine. Judgments that the service has stored cost nothing.",
    "Canaries without a bound are only reported. Runs at the service continue when this command is stopped.",
  ],
  examples: [
    "assay canary",
    "assay canary memory --server https://assay.example.com --dataset stock",
    "assay canary rubric --rubric rubric.yaml",
    "assay canary --no-run --json > canaries.json",
  ],
  async run(values, [suiteId = canarySuiteIds[0] ?? ""], { stdout, stderr }) {
    const suite = suiteNamed(suiteId);
    const { dataset = DATASET, "no-run": isReadOnly = false } = values;
    for (const name of ["dataset", "rubric"] as const) {
      if (!isReadOnly || values[name] === undefined) continue;
      throw new BadInput(`--${name} and --no-run exclude each other`);
    }
    const service = serviceOf(values, "admin");
    const body = { dataset, ...(values.rubric && { options: rubricOption(values.rubric) }) };
    const runs = isReadOnly ? [] : await judgeCanaries(service, suite.id, body, stderr);
    const [first] = runs;
    const query = values.rubric && first ? `?${await versionQuery(service, first.id)}` : "";
    const report = await service.get(`/v1/suites/${suite.id}/canaries${query}`, canaryReportSchema);
    const printed = values.json ? flags.json.text(report) : canariesText(suite, report);
    stdout.write(`${printed}\n`);
    const short = shortcomings(report, runs);
    if (short.length > 0) throw new NotPassed(short.join("; "));
  },
});

/** The query that selects the canary report of a run's scoring version. */
async function versionQuery(service: ServiceClient, run: string): Promise<URLSearchParams> {
  const path = `/v1/runs/${encodeURIComponent(run)}`;
  const value = await service.get(path, runSchema.pick({ scoringVersion: true }));
  return new URLSearchParams(value);
}

/**
 * Starts the runs of the canaries and waits for them. An interrupted command says that the service continues.
 */
async function judgeCanaries(
  service: ServiceClient,
  suite: string,
  body: object,
  stderr: Writable,
): Promise<FollowedRun[]> {
  const value = await service.post(`/v1/suites/${suite}/canaries`, body, startedSchema);
  const { show, clear } = progressLine(stderr);
  const advice = `the service continues; assay canary ${suite} --no-run prints the result`;
  return untilLeft({ clear, advice, stderr }, async () => {
    const ids = value.runs.map(({ id }) => id);
    const runs = await followRuns(service, ids, (known) =>
      show(`judging: ${progressText(known, ids.length)}`),
    );
    clear();
    return runs;
  });
}

/** Progress of runs, some of which have not been fetched yet: "1 of 4 runs done, 120 of 400 samples …". */
function progressText(runs: readonly FollowedRun[], total: number): string {
  const sum = (of: "done" | "total") => runs.reduce((all, { progress }) => all + progress[of], 0);
  const over = `${runs.filter(hasStopped).length} of ${counted(total, "run")} done`;
  return `${over}, ${formatCount(sum("done"))} of ${counted(sum("total"), "sample")} …`;
}

/** Scores of canaries with their bounds, as a table. */
function canariesText(suite: Suite, report: CanaryReport): string {
  const head = ["canary", "score", "95% interval", "bound", "verdict", "samples", "measured"];
  const rows = report.canaries.map((canary) => [
    canary.id,
    formatValue(canary.headline?.value ?? null, FORMAT),
    intervalText(canary.headline?.interval ?? null, FORMAT),
    boundText(canary.bound, report.canaries),
    verdicts[canary.verdict],
    samplesText(canary.headline),
    canary.finishedAt?.slice(0, "2026-01-01".length) ?? "",
  ]);
  const { label } = suite.metrics.find(({ id }) => id === suite.headline)!;
  const lines = [
    `Canaries of ${suite.id}: ${label} by judges of scoring version ${report.scoringVersion}`,
    ...(report.simulated ? [SIMULATED] : []),
    "",
    ...textTable([head, ...rows], (k) => textColumns.includes(head[k]!)),
  ];
  return lines.map(printable).join("\n");
}

/** @example boundText({ most: 0.45 }, []) // "at most 0.45" */
function boundText(bound: CanaryResult["bound"], canaries: readonly CanaryResult[]): string {
  if (bound === null) return "none";
  if ("most" in bound) return `at most ${plain(bound.most)}`;
  const base = canaries.find(({ id }) => id === bound.over)?.headline?.value ?? null;
  const most = base === null ? "" : ` = ${plain(base + bound.margin)}`;
  return `at most ${bound.over} + ${plain(bound.margin)}${most}`;
}

/** Three decimals, without trailing zeros. */
const plain = (value: number): string => `${Number(value.toFixed(3))}`;

/** Number of judged samples, and the total if some could not be judged. */
function samplesText(headline: Estimate | null): string {
  if (headline === null) return "";
  const { n, coverage } = headline;
  const all = coverage > 0 ? Math.round(n / coverage) : n;
  return all === n ? formatCount(n) : `${formatCount(n)} of ${formatCount(all)}`;
}

/** Reasons of a failed check; empty if every bound is met. */
function shortcomings(report: CanaryReport, runs: readonly FollowedRun[]): string[] {
  const bounded = report.canaries.filter(({ bound }) => bound !== null);
  const idsOf = (verdict: CanaryResult["verdict"]) =>
    bounded.flatMap((canary) => (canary.verdict === verdict ? [canary.id] : []));
  const broken = idsOf("broken");
  const unmeasured = idsOf("unmeasured");
  return [
    ...runs.filter(({ status }) => status !== "finished").map(runText),
    ...(broken.length > 0 ? [`above its bound: ${broken.join(", ")}`] : []),
    ...(unmeasured.length > 0 ? [`not measured: ${unmeasured.join(", ")}`] : []),
  ];
}

function runText({ id, model, status, statusReason }: FollowedRun): string {
  const state = status === "failed" ? "failed" : `is ${status}`;
  return `${model.name}: run ${id} ${state}${statusReason === null ? "" : `: ${statusReason}`}`;
}
