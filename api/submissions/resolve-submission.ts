import type { Dataset } from "#shared/contracts/dataset.ts";
import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import type { RunJudging } from "#shared/contracts/judging.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmissionRequest } from "#shared/contracts/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { illFormedPath } from "#shared/contracts/well-formed.ts";
import type { Reader } from "../datasets/dataset-ports.ts";
import { planRun, type RunPlan, suiteOptionsOf } from "../engine/run-plan.ts";
import { resolveJudging, standardJudgingOf } from "../judging/resolve-judging.ts";
import type { Ports } from "../platform/ports.ts";
import { type RunVariant, sweepVariants } from "./plan-variants.ts";

/** What a valid submission asks for, with everything it names found. */
export interface ResolvedSubmission {
  request: SubmissionRequest;
  suite: Suite;
  suiteOptions: unknown;
  /** The options as they are stored and shown: defaults filled in. */
  options: Record<string, unknown>;
  /** What a run of each model is made of; one, of the options above, without a sweep. */
  variants: readonly RunVariant[];
  dataset: Pick<Dataset, "name" | "version" | "samples" | "visibility"> & { owner: string };
  /** The version that corrects the dataset's, whose boards alone take new runs; null: it stands. */
  correctedBy: string | null;
  plan: RunPlan;
  /** Who judges its runs; null: no judge is asked. */
  judging: RunJudging | null;
  /** Who would judge a run with the suite's default options. */
  standardJudging: RunJudging | null;
  /** What readers of its runs should know of that. */
  judgingNotes: readonly string[];
  /** Ids of all samples of the dataset, drawn or not. */
  ids: ReadonlySet<string>;
}

/** Finds the suite and dataset that a request names and checks the suite's own options. */
export async function resolveSubmission(
  ports: Ports,
  request: SubmissionRequest,
  reader: Reader,
): Promise<Result<ResolvedSubmission, FieldError[]>> {
  const illFormed = illFormedPath({ ...request, models: request.models.map(withoutAnswers) });
  if (illFormed !== null) {
    const detail = "holds half of a surrogate pair, which is no Unicode text";
    return err([{ pointer: pointerOf(illFormed), detail }]);
  }
  const suite = ports.suites.byId(request.suite);
  if (!suite) {
    const known = ports.suites.all.map((known) => known.id).join(", ");
    return err([
      { pointer: "/suite", detail: `there is no suite "${request.suite}"; try ${known}` },
    ]);
  }
  const { sweep, ...plain } = request.options;
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(plain));
  const swept = sweep === undefined ? ok([]) : sweepVariants(suite, sweep, plain);
  if (!own.success || !swept.ok) {
    const unfit = own.success ? [] : fieldErrors(own.error.issues, plain, "/options");
    return err([...unfit, ...(swept.ok ? [] : swept.error)]);
  }
  const resolved = resolveJudging(ports.judging, suite, own.data);
  if (!resolved.ok) return resolved;
  const [name = "", version = null] = request.dataset.split("@");
  const dataset = await ports.datasets.find(suite.id, name, version, reader);
  if (!dataset) {
    const detail = `suite ${suite.id} has no dataset "${request.dataset}"; GET /v1/datasets lists them, POST /v1/datasets adds one`;
    return err([{ pointer: "/dataset", detail }]);
  }
  const corrections = await ports.datasets.correctionsOf(suite.id, name, dataset.version);
  const correctedBy = corrections.at(-1)?.version ?? null;
  const index = await ports.datasets.index(suite.id, dataset.version);
  const options = { ...plain, ...(own.data as Record<string, unknown>) };
  const variants =
    sweep === undefined ? [{ values: null, suiteOptions: own.data, options }] : swept.value;
  const plan = planRun(suite, index, options, own.data);
  const ids = new Set(index.heads.map((head) => head.id));
  const { judging, notes: judgingNotes } = resolved.value;
  const standardJudging = standardJudgingOf(ports.judging, suite);
  return ok({
    request,
    suite,
    suiteOptions: own.data,
    options,
    variants,
    dataset,
    plan,
    ids,
    correctedBy,
    judging,
    standardJudging,
    judgingNotes,
  });
}

/** Answers may hold anything that a model can say. */
const withoutAnswers = ({ answers: _, ...model }: SubmissionRequest["models"][number]) => model;
