import type { Metric } from "#shared/contracts/metric.ts";
import type { ListedRun } from "#shared/contracts/run.ts";
import type {
  ModelSweep,
  Sweep,
  SweepTest,
  SweptVariant,
} from "#shared/contracts/submissions/sweep.ts";
import type { Variant } from "#shared/contracts/submissions/variant.ts";
import { sweepVerdict } from "#shared/measures/sweeps/sweep-verdict.ts";
import { metricOf } from "../metrics.ts";
import { paths } from "../paths.ts";
import { runs, sweeps } from "../results.ts";

const published = new Set(runs.map(({ id }) => id));
const bySubmission = new Map(sweeps.map((sweep) => [sweep.submission, sweep]));

/** The sweep of a variant, if this site has it. */
export const sweepOfRun = ({ variant, parent, submission }: ListedRun): Sweep | undefined =>
  variant === null || parent !== null ? undefined : bySubmission.get(submission);

/** Path of a run's report, if this site has it. */
export const reportPath = (run: string): string | undefined =>
  published.has(run) ? paths.run(run) : undefined;

/** The swept parameters, in words. */
export const sweepTitle = ({ parameters }: Pick<Sweep, "parameters">): string =>
  parameters.map(({ name }) => name).join(" × ");

/** The metrics shown for variants of a sweep, the headline first. */
export function sweepMetrics({ suite, headline, models }: Sweep): Metric[] {
  const known = models.flatMap(({ variants }) =>
    variants.flatMap(({ metrics }) => Object.keys(metrics ?? {})),
  );
  return [...new Set([headline, ...known])].map((id) => metricOf(suite, id));
}

export const testOf = ({ tests }: ModelSweep, metric: Pick<Metric, "id">): SweepTest | null =>
  tests.find((test) => test.metric === metric.id) ?? null;

/** The best variant by a metric; a metric without a value per sample can't be tested. */
export function verdictOf(model: ModelSweep, metric: Metric): string {
  const test = testOf(model, metric);
  const untested =
    model.untested ??
    `${metric.label} is measured for whole runs, so it can't be tested sample by sample`;
  return sweepVerdict(model.variants, test, metric, untested);
}

/**
 * The interval of a map's cell for a single variant; null for a mean over several, because they share samples and
 * a build does not have their scores.
 */
export function sweepCellInterval(
  variants: readonly Pick<SweptVariant, "variant" | "leftOut" | "metrics">[],
  metric: string,
  at: Variant,
): [number, number] | null {
  const [only, ...others] = variants.filter(({ variant }) =>
    Object.entries(at).every(([name, value]) => (variant[name] ?? null) === value),
  );
  if (only === undefined || others.length > 0 || only.leftOut !== null) return null;
  return only.metrics?.[metric]?.interval ?? null;
}
