import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { recordedJudges } from "#shared/contracts/judging/recorded-judges.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmissionRequest } from "#shared/contracts/submissions/submission.ts";
import {
  mostVariants,
  type PromptVariants,
  promptParameter,
  type SweepRequest,
  type Variant,
  type VariantValue,
} from "#shared/contracts/submissions/variant.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { illFormedPath } from "#shared/contracts/text/well-formed.ts";
import { variantText } from "#shared/measures/sweeps/sweep-parameters.ts";
import { planRun, type RunPlan, suiteOptionsOf } from "../engine/run-plan.ts";
import { resolveJudging } from "../judging/resolve-judging.ts";
import type { Reader } from "../keys/account.ts";
import type { Quota } from "../keys/quota.ts";
import { noSuite, type Platform } from "../platform/platform.ts";

/** The submitting account; `anyOwner`: may use model names of other owners, on a service without keys. */
export interface Submitter extends Reader {
  /** The person who acts for the account. */
  person?: string;
  /** Quota that is charged; null: none. */
  quota: Quota | null;
}

/** A valid submission with all its references resolved. */
export interface ResolvedSubmission {
  request: SubmissionRequest;
  suite: Suite;
  suiteOptions: unknown;
  /** Options as stored and shown, with defaults. */
  options: Record<string, unknown>;
  /** Options of each model's runs; without a sweep one set, equal to `options`. */
  variants: readonly RunVariant[];
  dataset: Pick<Dataset, "name" | "version" | "samples" | "visibility"> & { owner: string };
  /** The suite's note on the dataset for readers; null: none. */
  datasetNote: string | null;
  /** The version that corrects the dataset; only its boards take new runs. Null: not corrected. */
  correctedBy: string | null;
  plan: RunPlan;
  /** Judges of its runs; null if none. */
  judging: RunJudging | null;
  /** Judges of a run with the suite's default options. */
  standardJudging: RunJudging | null;
  judgingNotes: readonly string[];
  /** Ids of all samples of the dataset, drawn or not. */
  ids: ReadonlySet<string>;
}

const readOptions = (suite: Suite, options: Options) =>
  (suite.newOptionsSchema ?? suite.optionsSchema).safeParse(suiteOptionsOf(options));

/** Resolves the suite and dataset of a request, and checks the suite's options. */
export async function resolveSubmission(
  platform: Platform,
  request: SubmissionRequest,
  reader: Reader,
): Promise<Result<ResolvedSubmission, FieldError[]>> {
  const illFormed = illFormedPath({ ...request, models: request.models.map(withoutAnswers) });
  if (illFormed !== null) {
    const detail = "contains half of a surrogate pair, which is not valid Unicode";
    return err([{ pointer: pointerOf(illFormed), detail }]);
  }
  const suite = platform.suites.byId(request.suite);
  if (!suite) return err([{ pointer: "/suite", detail: noSuite(platform, request.suite) }]);
  const { sweep, prompts, ...plain } = request.options;
  const own = readOptions(suite, plain);
  const isSwept = sweep !== undefined || prompts !== undefined;
  const swept = isSwept ? planVariants(suite, { sweep, prompts }, plain) : ok([]);
  if (!own.success || !swept.ok) {
    const unfit = own.success ? [] : fieldErrors(own.error.issues, plain, "/options");
    return err([...unfit, ...(swept.ok ? [] : swept.error)]);
  }
  const answers = request.models.flatMap((model) => model.answers ?? []);
  const given = recordedJudges(answers);
  const resolved = resolveJudging(platform.judging, suite, own.data, given);
  if (!resolved.ok) return resolved;
  const found = await usableDataset(platform, suite.id, request.dataset, reader);
  if (!found.ok) return found;
  const { name, dataset } = found.value;
  const corrections = await platform.datasets.correctionsOf(suite.id, name, dataset.version);
  const correctedBy = corrections.at(-1)?.version ?? null;
  const index = await platform.datasets.index(suite.id, dataset.version);
  const options = { ...plain, ...(own.data as Record<string, unknown>) };
  const variants = isSwept ? swept.value : [{ values: null, suiteOptions: own.data, options }];
  const plan = planRun(suite, index, options, own.data);
  const ids = new Set(index.heads.map((head) => head.id));
  const { judging, notes: judgingNotes, standard: standardJudging } = resolved.value;
  return ok({
    request,
    suite: suiteFor(suite, own.data),
    suiteOptions: own.data,
    options,
    variants,
    dataset,
    datasetNote:
      suite.datasetNote?.(
        own.data,
        dataset.warnings.map(({ reason }) => reason),
      ) ?? null,
    plan,
    ids,
    correctedBy,
    judging,
    standardJudging,
    judgingNotes,
  });
}

/** The dataset of a submission with its rows: `name`, or `name@version`. */
async function usableDataset(platform: Platform, suite: string, named: string, reader: Reader) {
  const [name = "", version = null] = named.split("@");
  const dataset = await platform.datasets.find(suite, name, version, reader);
  const refused = (detail: string) => err([{ pointer: "/dataset", detail }]);
  if (!dataset) {
    return refused(
      `suite ${suite} has no dataset "${named}"; GET /v1/datasets lists them, POST /v1/datasets adds one`,
    );
  }
  if (dataset.stream?.rowsDeletedAt !== undefined) {
    return refused(
      `the rows of version ${dataset.version.slice(0, 12)} were deleted, because its stream keeps only newer ones: take "${name}", its newest version`,
    );
  }
  return ok({ name, dataset });
}

/** Removes the answers, which may contain anything. */
const withoutAnswers = ({ answers: _, ...model }: SubmissionRequest["models"][number]) => model;

/** Options for one run of each model. */
export interface RunVariant {
  /** Values set by a sweep, by its names; null without a sweep. */
  values: Variant | null;
  suiteOptions: unknown;
  /** Options as stored and shown, with defaults. */
  options: Record<string, unknown>;
}

type Options = Record<string, unknown>;

const base = "/options/sweep";
const ofPrompts = "/options/prompts";

/** The parts that create variants: lists of values, named prompts, or both. */
interface Varied {
  sweep: SweepRequest | undefined;
  prompts: PromptVariants | undefined;
}

/** The variants over the other options, each checked by the suite as a whole. */
function planVariants(
  suite: Suite,
  { sweep, prompts }: Varied,
  plain: Options,
): Result<RunVariant[], FieldError[]> {
  const all: SweepRequest = {
    ...sweep,
    ...(prompts && { [promptParameter]: Object.keys(prompts) }),
  };
  const errors = [
    ...(sweep ? nameErrors(suite, sweep, plain) : []),
    ...(prompts ? promptErrors(suite, prompts, plain) : []),
    ...countErrors(all, sweep === undefined ? ofPrompts : base),
  ];
  const lists = Object.entries(sweep ?? {}).filter(([, { length }]) => length <= mostVariants);
  errors.push(...lists.flatMap(([name, values]) => listErrors(suite, name, values, plain)));
  if (errors.length > 0) return err(errors);
  const read = combinations(all).map((values) => readVariant(suite, { values, prompts }, plain));
  const unfit = read.flatMap((one) => (one.ok ? [] : one.error));
  return unfit.length > 0 ? err(unfit) : ok(read.flatMap((one) => (one.ok ? [one.value] : [])));
}

/** The option that a name sets; null if the suite can't sweep it. */
const optionOf = ({ sweeps = {} }: Suite, name: string): string | null =>
  Object.hasOwn(sweeps, name) ? (sweeps[name] ?? null) : null;

function nameErrors(suite: Suite, sweep: SweepRequest, plain: Options): FieldError[] {
  const known = Object.keys(suite.sweeps ?? {}).join(", ");
  if (known === "") {
    return [{ pointer: base, detail: `suite "${suite.id}" can't be swept: leave it out` }];
  }
  const names = Object.keys(sweep);
  if (names.length === 0) {
    const detail = `names no parameter to sweep: leave it out, or give lists for some of ${known}`;
    return [{ pointer: base, detail }];
  }
  return names.flatMap((name): FieldError[] => {
    const pointer = base + pointerOf([name]);
    const option = optionOf(suite, name);
    if (option === null) {
      return [{ pointer, detail: `can't be swept in suite "${suite.id}"; these can: ${known}` }];
    }
    if (!(option in plain)) return [];
    const detail = `is given both as options.sweep.${name} and as a single value: leave one of them out`;
    return [{ pointer: `/options${pointerOf([option])}`, detail }];
  });
}

/** Errors for prompts that the suite does not have, or that are also given as a single value. */
function promptErrors(suite: Suite, prompts: PromptVariants, plain: Options): FieldError[] {
  const known = suite.promptOptions ?? [];
  if (known.length === 0) {
    const detail = `suite "${suite.id}" has no prompts to compare: leave it out`;
    return [{ pointer: ofPrompts, detail }];
  }
  const named = Object.entries(prompts);
  if (named.length === 0) {
    const detail = `names no prompt: leave it out, or give prompts by name with ${known.join(", ")}`;
    return [{ pointer: ofPrompts, detail }];
  }
  return named.flatMap(([name, options]) =>
    Object.keys(options).flatMap((option): FieldError[] => {
      const pointer = ofPrompts + pointerOf([name, option]);
      if (!known.includes(option)) {
        const detail = `is no prompt of suite "${suite.id}", which has ${known.join(", ")}`;
        return [{ pointer, detail }];
      }
      if (!(option in plain)) return [];
      const detail = `is also given as options.${option}: leave one of them out`;
      return [{ pointer, detail }];
    }),
  );
}

/** Checks the number of variants; the error says which list to shorten, and by how much. */
function countErrors(sweep: SweepRequest, pointer: string): FieldError[] {
  const lists = Object.entries(sweep).map(([name, { length }]) => ({ name, length }));
  const count = lists.reduce((product, { length }) => product * length, 1);
  if (count <= mostVariants) return [];
  const cuts = lists.flatMap(({ name, length }) => {
    const fits = Math.floor(mostVariants / (count / length));
    return length > 1 && fits >= 1 ? [`${name} to ${fits} (it has ${length})`] : [];
  });
  const product = lists.map(({ length }) => length).join(" × ");
  const advice = cuts.length > 0 ? `shorten ${cuts.join(", or ")}` : "shorten more than one list";
  const asked = lists.length > 1 ? `${product} = ${count}` : `${count}`;
  const detail = `makes ${asked} variants, but a sweep may have at most ${mostVariants}: ${advice}`;
  return [{ pointer, detail }];
}

/** Errors for duplicate values, and for values that the option itself would not accept. */
function listErrors(
  suite: Suite,
  name: string,
  values: readonly VariantValue[],
  plain: Options,
): FieldError[] {
  const option = optionOf(suite, name);
  const seen = new Set<string>();
  return values.flatMap((value, i): FieldError[] => {
    const pointer = base + pointerOf([name, i]);
    const key = JSON.stringify(value);
    if (seen.has(key)) return [{ pointer, detail: `duplicate ${key} in this list` }];
    seen.add(key);
    if (option === null) return [];
    const wanted = suiteOptionsOf({ ...plain, [option]: value });
    const read = suite.optionsSchema.safeParse(wanted);
    const issues = read.success ? [] : read.error.issues.filter(({ path }) => path[0] === option);
    return fieldErrors(issues, wanted).map(({ detail }) => ({ pointer, detail }));
  });
}

/** Every combination; the last parameter changes fastest. */
function combinations(sweep: SweepRequest): Variant[] {
  return Object.entries(sweep).reduce<Variant[]>(
    (variants, [name, values]) =>
      variants.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value }))),
    [{}],
  );
}

/** Reads a variant, because values that are valid alone may be invalid together. */
function readVariant(
  suite: Suite,
  { values, prompts }: { values: Variant } & Pick<Varied, "prompts">,
  plain: Options,
): Result<RunVariant, FieldError[]> {
  const prompt = prompts?.[String(values[promptParameter])];
  const swept = Object.entries(values).flatMap(([name, value]) => {
    const option = optionOf(suite, name);
    return option === null ? [] : [[option, value]];
  });
  const all = { ...plain, ...Object.fromEntries(swept), ...prompt };
  const own = readOptions(suite, all);
  if (own.success) {
    return ok({ values, suiteOptions: own.data, options: { ...all, ...(own.data as Options) } });
  }
  return err(
    fieldErrors(own.error.issues, all).map(({ detail }) => ({
      pointer: prompt === undefined ? base : ofPrompts,
      detail: `the variant ${variantText(values)}: ${detail}`,
    })),
  );
}
