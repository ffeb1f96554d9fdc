import { coverageFloor, coverageReason } from "#shared/contracts/boards/coverage-floor.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { ModelSweep, Sweep, SweptVariant } from "#shared/contracts/submissions/sweep.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { sweepMaps } from "#shared/measures/sweeps/sweep-maps.ts";
import {
  compareVariants,
  type SweepParameter,
  sweepParameters,
} from "#shared/measures/sweeps/sweep-parameters.ts";
import { sweepVerdict } from "#shared/measures/sweeps/sweep-verdict.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { readableSubmission } from "../runs/access.ts";
import { pollAfterSeconds } from "../runs/run-progress.ts";
import type { RunRecord } from "../runs/schema.ts";
import { provenanceOf, runLinks } from "../runs/view.ts";
import { isSwept } from "../submissions/submission-view.ts";
import { samplesOf } from "./compare.ts";
import { INLINE_VARIANT_SAMPLES, type SweepTests, sweepTests } from "./variant-tests.ts";

type SweepProblem =
  | { type: "not-found"; detail: string }
  | { type: "not-ready"; detail: string; retryAfterSeconds: number };

type SweptRun = RunRecord & { variant: NonNullable<RunRecord["variant"]> };

/**
 * The sweep of a submission that the caller may read; null while the queue tests its variants. Failed and cancelled
 * variants are listed, but excluded from tests and maps.
 */
export async function readVariants(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<Result<Sweep | null, SweepProblem>> {
  const stored = await readableSubmission(platform, account, id);
  if (stored === null) return err({ type: "not-found", detail: `there is no submission "${id}"` });
  const runs = stored.runs.filter(isSwept) as SweptRun[];
  const [first] = runs;
  if (!first) {
    const detail = `submission "${id}" has no sweep: only one with options.sweep has`;
    return err({ type: "not-found", detail });
  }
  const open = whyOpen(runs, platform.now());
  if (open !== null) return err(open);
  const suite = platform.suites.byId(first.suite);
  if (!suite) throw new Error(`suite ${first.suite} is not registered`);
  const parameters = sweepParameters(runs.map((run) => run.variant));
  const models = await modelSweeps(platform, suite, runs, parameters);
  if (models === null) return ok(null);
  return ok({
    submission: id,
    suite: first.suite,
    dataset: {
      name: first.datasetName,
      version: first.datasetVersion,
      samples: first.datasetSamples,
    },
    headline: first.headline,
    createdAt: new Date(stored.submission.createdAt).toISOString(),
    parameters,
    models,
  });
}

/** Null if every run has ended. */
function whyOpen(runs: readonly RunRecord[], now: number): SweepProblem | null {
  const waits = runs.flatMap((run) => pollAfterSeconds(run, now) ?? []);
  if (waits.length === 0) return null;
  const detail = `${waits.length} of the sweep's ${runs.length} runs have not ended; variants are compared when all have`;
  return { type: "not-ready", detail, retryAfterSeconds: Math.max(...waits) };
}

/** Null while tests of some model's variants are pending; requests the tests of all models first. */
async function modelSweeps(
  platform: Platform,
  suite: Suite,
  runs: readonly SweptRun[],
  parameters: readonly SweepParameter[],
): Promise<ModelSweep[] | null> {
  const isSmall = samplesOf(runs) <= INLINE_VARIANT_SAMPLES;
  const swept: ModelSweep[] = [];
  let isComplete = true;
  // One model at a time, to bound memory.
  for (const its of Map.groupBy(runs, (run) => run.modelSlug).values()) {
    const sorted = its.sort((a, b) => compareVariants(a.variant, b.variant));
    const tests = await sweepTests(
      platform,
      sorted.filter((run) => reasonLeftOut(run) === null),
      isSmall,
    );
    if (tests === null) isComplete = false;
    else swept.push(modelSweep(suite, sorted, parameters, tests));
  }
  return isComplete ? swept : null;
}

function modelSweep(
  suite: Suite,
  runs: readonly SweptRun[],
  parameters: readonly SweepParameter[],
  { tests, untested }: SweepTests,
): ModelSweep {
  const [first] = runs as [SweptRun];
  const shown = [...new Set([first.headline, ...suite.boardMetrics])];
  const variants = runs.map((run) => sweptVariant(run, shown));
  const mapped = variants.map(({ variant, metrics, leftOut }) => ({
    variant,
    value: (id: string) => (leftOut === null ? (metrics?.[id]?.value ?? null) : null),
  }));
  const headline = suite.metrics.find(({ id }) => id === first.headline);
  const tested = tests.find(({ metric }) => metric === first.headline) ?? null;
  return {
    model: first.model,
    provenance: provenanceOf(first),
    variants,
    tests,
    untested,
    verdict: headline ? sweepVerdict(variants, tested, headline, untested) : "",
    maps: sweepMaps(parameters, mapped, shown),
  };
}

function sweptVariant(run: SweptRun, shown: readonly string[]): SweptVariant {
  const { self, report } = runLinks(run);
  const known = shown.flatMap((id) => {
    const estimate = run.metrics?.[id];
    return estimate ? [[id, estimate] as const] : [];
  });
  return {
    run: run.id,
    variant: run.variant,
    status: run.status,
    leftOut: reasonLeftOut(run),
    metrics: run.metrics === null ? null : Object.fromEntries(known),
    links: { self, report },
  };
}

type EndedRun = Pick<
  RunRecord,
  "status" | "statusReason" | "variant" | "refused" | "metrics" | "headline" | "endpoint"
>;

/**
 * Why an ended variant is excluded from tests; null if it is included. Failed requests count as zeros, so a variant
 * that mostly failed would look bad. If an endpoint refused a parameter, it was left out of the requests, so the
 * answers are not those of the variant.
 */
export function reasonLeftOut(run: EndedRun): string | null {
  const { status, statusReason } = run;
  if (status !== "finished") return statusReason === null ? status : `${status}: ${statusReason}`;
  const refused = refusedNames(run);
  if (refused.length > 0) {
    return `the endpoint refuses ${refused.join(" and ")}, so it was asked without`;
  }
  const headline = run.metrics?.[run.headline];
  if (headline === undefined || headline.value === null) return "no sample could be scored";
  return headline.coverage < coverageFloor ? coverageReason(headline.coverage) : null;
}

/** Parameters that the variant sets and the endpoint refused; null values set nothing. */
function refusedNames({ variant, refused, endpoint }: EndedRun): string[] {
  const sent = Object.entries(variant ?? {}).filter(([, value]) => value !== null);
  return sent.flatMap(([name]) => {
    const wire = name === "max_tokens" ? (endpoint?.maxTokensParam ?? name) : name;
    return refused.parameters.includes(wire) ? [name] : [];
  });
}
