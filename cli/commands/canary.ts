import type { Writable } from "node:stream";
import {
  type CanaryReport,
  type CanaryResult,
  canaryReportSchema,
} from "#shared/contracts/canary.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { submissionSchema } from "#shared/contracts/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { intervalText } from "../compare/figure-text.ts";
import { NotPassed } from "../not-passed.ts";
import { printable } from "../printable.ts";
import { type FollowedRun, followRuns, hasStopped } from "../remote/follow-runs.ts";
import { KEY_VARIABLE } from "../remote/service-access.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { progressLine } from "../runs/progress-line.ts";
import { counted, formatCount, formatValue } from "../score/format-value.ts";
import { onTermination } from "../score/on-termination.ts";
import { chosenSuite } from "../score/score-paths.ts";
import { textTable } from "../score/text-table.ts";
import { command } from "./command.ts";

const hasCanaries = ({ judging }: Suite): boolean => (judging?.canaries ?? []).length > 0;

/** Ids of the suites that have canaries. */
const canarySuiteIds: readonly string[] = suites.filter(hasCanaries).map(({ id }) => id);

/** The suite that the arguments name, or the only one with canaries. Throws BadInput. */
function canarySuite(positionals: readonly string[]): Suite {
  const isNamed = positionals.length > 0 || canarySuiteIds.length > 1;
  const suite = chosenSuite(isNamed ? positionals : canarySuiteIds);
  if (hasCanaries(suite)) return suite;
  throw new BadInput(`suite ${suite.id} has no canaries; ${canarySuiteIds.join(", ")} has`);
}

const DATASET = "stock";

const help = `assay canary [suite] [--server URL] [--dataset NAME] [options]

Has the canaries of a suite judged by a service and prints what each earns against its bound. Canaries
are answers that say nothing, or that order the judge to give full marks: what they earn tells what the
judges let through.

  [suite]           ${canarySuiteIds.join(", ")}; may be left out where it is the only one
  ${serverHelp}
  --dataset NAME    what the canaries answer, a dataset of the service; without it, ${DATASET}
  --no-run          have nothing judged: print what the newest runs of the canaries earned
  --json            print the report as one JSON object instead of a table, as
                    GET /v1/suites/<suite>/canaries has it
  --help            show this

The API key is taken from the environment variable ${KEY_VARIABLE} and needs the scope admin, since whoever
runs the service pays its judges. --no-run needs none, nor does a service on your own machine. A key is
sent by https alone, or to this machine. Judgments that the service has kept cost nothing again.

A canary without a bound is only told. Runs go on at the service when this command is stopped.

Exit code: 0 when every bound holds; 1 when one is broken or was not measured, or when a run failed or was
stopped; 2 for input that needs a change, and when the service can't be reached or refuses.

Examples
  assay canary
  assay canary memory --server https://assay.example.com --dataset stock
  assay canary --no-run --json > canaries.json`;

const flags = {
  ...serviceFlags,
  dataset: { type: "string" },
  "no-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `assay canary`: what worthless answers earn from the judges of a service. */
export const canaryCommand = command({
  name: "canary",
  summary: "what worthless answers earn from a service's judges",
  help,
  flags,
  async run(values, positionals, { stdout, stderr }) {
    const suite = canarySuite(positionals);
    const { dataset = DATASET, "no-run": isReadOnly = false } = values;
    if (isReadOnly && values.dataset !== undefined) {
      throw new BadInput("--dataset says what to judge, and --no-run that nothing is: give one");
    }
    const service = serviceOf(values, "admin");
    const runs = isReadOnly ? [] : await judgeCanaries(service, suite.id, dataset, stderr);
    const { value: report } = await service.get(
      `/v1/suites/${suite.id}/canaries`,
      canaryReportSchema,
    );
    const printed = values.json ? JSON.stringify(report, null, 2) : canariesText(suite, report);
    stdout.write(`${printed}\n`);
    const short = shortcomings(report, runs);
    if (short.length > 0) throw new NotPassed(short.join("; "));
  },
});

/** Why a deployment's judges can't be said to keep within all bounds; none: they do. */
function shortcomings(report: CanaryReport, runs: readonly FollowedRun[]): string[] {
  const bounded = report.canaries.filter(({ bound }) => bound !== null);
  const idsOf = (verdict: CanaryResult["verdict"]) =>
    bounded.flatMap((canary) => (canary.verdict === verdict ? [canary.id] : []));
  const broken = idsOf("broken");
  const unmeasured = idsOf("unmeasured");
  return [
    ...runs.filter(({ status }) => status !== "finished").map(runText),
    ...(broken.length > 0 ? [`more than its bound: ${broken.join(", ")}`] : []),
    ...(unmeasured.length > 0 ? [`not measured: ${unmeasured.join(", ")}`] : []),
  ];
}

function runText({ id, model, status, statusReason }: FollowedRun): string {
  const state = status === "failed" ? "failed" : `is ${status}`;
  return `${model.name}: run ${id} ${state}${statusReason === null ? "" : `: ${statusReason}`}`;
}

const submittedSchema = submissionSchema.pick({ id: true, runs: true });

/**
 * Has the canaries of a suite judged and waits for it. Whoever stops waiting is told that the service goes
 * on.
 */
async function judgeCanaries(
  service: ServiceClient,
  suite: string,
  dataset: string,
  stderr: Writable,
): Promise<FollowedRun[]> {
  const { value } = await service.post(
    `/v1/suites/${suite}/canaries`,
    { dataset },
    submittedSchema,
  );
  const line = progressLine(stderr);
  const leave = () => {
    line.clear();
    stderr.write(
      `the service goes on judging; assay canary ${suite} --no-run prints the outcome\n`,
    );
  };
  const release = onTermination(leave);
  try {
    const ids = value.runs.map(({ id }) => id);
    const runs = await followRuns(service, ids, (known) =>
      line.show(`judging: ${progressText(known, ids.length)}`),
    );
    line.clear();
    return runs;
  } catch (error) {
    leave();
    throw error;
  } finally {
    release();
  }
}

/** How far so many runs are, of which some are known: "1 of 4 runs done, 120 of 400 samples …". */
function progressText(runs: readonly FollowedRun[], total: number): string {
  const sum = (of: "done" | "total") => runs.reduce((all, { progress }) => all + progress[of], 0);
  const over = `${runs.filter(hasStopped).length} of ${counted(total, "run")} done`;
  return `${over}, ${formatCount(sum("done"))} of ${counted(sum("total"), "sample")} …`;
}

const verdicts: Record<CanaryResult["verdict"], string> = {
  within: "within",
  broken: "BROKEN",
  unbounded: "told only",
  unmeasured: "not measured",
};

const SIMULATED =
  "These judges are simulated: this tests the machinery and says nothing of real judges.";

/** As bounds are declared: a percentage would have to be worked out to be compared. */
const FORMAT = "score";

const textColumns = ["canary", "bound", "verdict", "measured"];

/** What canaries earned against their bounds, as a table. */
function canariesText(suite: Suite, report: CanaryReport): string {
  const head = ["canary", "earned", "95% interval", "bound", "verdict", "samples", "measured"];
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

/** As many decimals as a score is shown with, but for zeros at the end. */
const plain = (value: number): string => `${Number(value.toFixed(3))}`;

/** Those that the value rests on, and of how many where some could not be judged. */
function samplesText(headline: Estimate | null): string {
  if (headline === null) return "";
  const { n, coverage } = headline;
  const all = coverage > 0 ? Math.round(n / coverage) : n;
  return all === n ? formatCount(n) : `${formatCount(n)} of ${formatCount(all)}`;
}
