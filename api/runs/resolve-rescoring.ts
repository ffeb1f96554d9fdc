import { headlineOf, optionsFor } from "#shared/contracts/boards/ranking.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { recordedIn } from "#shared/contracts/judging/recorded-judges.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { runOptionsSchema } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { illFormedPath } from "#shared/contracts/text/well-formed.ts";
import { judgeBatchErrors } from "../batches/batch-errors.ts";
import { boardIdentity } from "../boards/board-identity.ts";
import type { DatasetIndex } from "../datasets/store.ts";
import { planRun, type RunPlan, suiteOptionsOf } from "../engine/run-plan.ts";
import { resolveJudging } from "../judging/resolve-judging.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRefusal } from "./access.ts";
import { type ReadOptions, requestsDiffer } from "./requests-differ.ts";
import type { RunRecord } from "./schema.ts";

/** Why stored answers are not rescored. Quotas are checked later, when the run is stored. */
export type RescoringRefusal = Exclude<RunRefusal, { type: "quota-exceeded" }>;

/** What to score stored answers with. */
export interface Rescoring {
  suite: Suite;
  /** The run's dataset version, or its newest correction. */
  dataset: Pick<Dataset, "version" | "samples">;
  options: Record<string, Json>;
  scoringVersion: string;
  headline: string;
  /** Judges of the answers; null if none. */
  judging: RunJudging | null;
  notes: string[];
  /** The board of its configuration; null if the parent counts on none. */
  board: ReturnType<typeof boardIdentity> | null;
}

/**
 * Resolves a rescoring: the requested scoring options over the run's, with the current suite and the latest corrected
 * gold answers.
 */
export async function resolveRescoring(
  platform: Platform,
  parent: RunRecord,
  wanted: Record<string, unknown>,
): Promise<Result<Rescoring, RescoringRefusal>> {
  const suite = platform.suites.byId(parent.suite);
  if (!suite) return conflict(`suite "${parent.suite}" is no longer part of this service`);
  const read = rescoringOptions(suite, parent.options, wanted);
  const unfit = read.ok ? [] : read.error;
  // Also checks the valid options, to report all errors at once.
  const left = read.ok ? wanted : withoutErrors(wanted, unfit);
  const fit = read.ok ? read : rescoringOptions(suite, parent.options, left);
  if (!fit.ok) return invalid(unfit);
  const dataset = await correctedDataset(platform, parent);
  const index = await platform.datasets.index(suite.id, dataset.version);
  const plan = planRun(suite, index, fit.value.all, fit.value.own);
  const samples = await firstSamples(platform, suite, dataset.version, plan);
  if (samples === null) return conflict(changeOf(suite, parent, "does not accept the samples"));
  const asking = askingErrors(suite, index, samples, parent.options, left, fit.value);
  const errors = [...unfit, ...asking];
  if (errors.length > 0) return invalid(errors);
  if (plan.units.length !== parent.units || plan.total !== parent.total) {
    return conflict(changeOf(suite, parent, "groups samples differently from those"));
  }
  const own = optionsFor(suite, fit.value.own, { isHybrid: parent.hybrid !== null, sources: [] });
  return rescoringBy(platform, { suite, parent, dataset, plan }, { ...fit.value, own });
}

async function correctedDataset(
  { datasets }: Pick<Platform, "datasets">,
  { suite, datasetName, datasetVersion, datasetSamples }: RunRecord,
): Promise<Rescoring["dataset"]> {
  const corrections = await datasets.correctionsOf(suite, datasetName, datasetVersion);
  return corrections.at(-1) ?? { version: datasetVersion, samples: datasetSamples };
}

/** The stored answers, and what they are scored against. */
interface Rescored {
  suite: Suite;
  parent: RunRecord;
  dataset: Rescoring["dataset"];
  plan: RunPlan;
}

/** The scoring rules that differ from the parent's; if there are none, there is nothing to rescore. */
function rescoringBy(
  { judging: client }: Pick<Platform, "judging">,
  rescored: Rescored,
  { all, own }: ReadOptions,
): Result<Rescoring, RescoringRefusal> {
  const { suite, parent, dataset } = rescored;
  const resolved = resolveJudging(client, suite, own, recordedIn(parent.judging));
  if (!resolved.ok) return invalid(resolved.error);
  const { judging, notes, standard: standardJudging } = resolved.value;
  const { judgeMode } = all;
  // An inherited mode is not required: judges without batches are called live.
  const isWanted = judgeMode !== parent.options["judgeMode"];
  const unbatched = isWanted ? judgeBatchErrors(client, suite, judging, judgeMode) : [];
  if (unbatched.length > 0) return invalid(unbatched);
  const scoringVersion = scoringVersionOf(suite, own, judging);
  const headline = headlineOf(suite, own);
  const isSame = scoringVersion === parent.scoringVersion && headline === parent.headline;
  if (isSame && dataset.version === parent.datasetVersion) {
    return conflict(
      `run "${parent.id}" has already been scored with suite version ${suite.version} and these options: give other scoring options`,
    );
  }
  const options = { ...all, ...(own as object) } as Record<string, Json>;
  const board = boardOf(rescored, own, { judging, standardJudging });
  return ok({ suite, dataset, options, scoringVersion, headline, judging, notes, board });
}

/** The samples of the first unit; null if the suite finds one malformed. */
async function firstSamples(platform: Platform, suite: Suite, version: string, plan: RunPlan) {
  const positions = (plan.units[0]?.samples ?? []).map((sample) => plan.positions[sample] ?? 0);
  const rows = await Promise.all(
    positions.map((position) => platform.datasets.row(suite.id, version, position)),
  );
  const checked = rows.map((row) => suite.checkSample(row));
  const samples: unknown[] = checked.flatMap((one) => (one.ok ? [one.value.sample] : []));
  return samples.length === rows.length ? samples : null;
}

function boardOf(
  { suite, parent, dataset: { version, samples }, plan }: Rescored,
  suiteOptions: unknown,
  judges: Record<"judging" | "standardJudging", RunJudging | null>,
) {
  if (parent.countedOn === null && parent.boardId === null) return null;
  const visibility = parent.samplesOwner === null ? ("public" as const) : ("private" as const);
  const dataset = { name: parent.datasetName, version, samples, visibility };
  return boardIdentity({ suite, suiteOptions, dataset, plan, ...judges }, parent.promptHash);
}

const changeOf = (suite: Suite, parent: RunRecord, what: string): string =>
  `suite "${suite.id}" in its version ${suite.version} ${what} of run "${parent.id}" (version ${parent.suiteVersion}): submit the model again`;

const conflict = (detail: string) => err({ type: "conflict" as const, detail });

function invalid(errors: FieldError[]) {
  const detail = `nothing was done: ${counted(errors.length, "invalid option")}`;
  return err({ type: "invalid-request" as const, detail, errors });
}

const judgeModeSchema = runOptionsSchema.pick({ judgeMode: true });

const MAX_QUOTED = 60;

type Options = Record<string, unknown>;

/**
 * A run's options with the requested ones over them, checked by its current suite. Requested judges replace all of the
 * run's judges.
 */
function rescoringOptions(
  suite: Suite,
  given: RunRecord["options"],
  wanted: Options,
): Result<ReadOptions, FieldError[]> {
  const illFormed = illFormedPath(wanted);
  if (illFormed !== null) {
    const detail = "contains half of a surrogate pair, which is not valid Unicode";
    return err([{ pointer: `/options${pointerOf(illFormed)}`, detail }]);
  }
  const replaced = Object.keys(wanted).flatMap((name) => suite.judging?.replaces[name] ?? []);
  const kept = Object.entries(given).filter(([name]) => !replaced.includes(name));
  const all = { ...Object.fromEntries(kept), ...wanted };
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(all));
  const isFixed = (name: string) => !(name in suiteOptionsOf(wanted)) && name !== "judgeMode";
  const runWide = changedNames(given, wanted).filter(isFixed);
  const mode = judgeModeSchema.safeParse(wanted);
  if (own.success && mode.success && runWide.length === 0) return ok({ all, own: own.data });
  const issues = [...(own.error?.issues ?? []), ...(mode.error?.issues ?? [])];
  const unfit = fieldErrors(issues, all, "/options");
  return err([...runWide.map((name) => refusal(name, given, wanted)), ...unfit]);
}

function withoutErrors(wanted: Options, errors: readonly FieldError[]): Options {
  const pointers = errors.map(({ pointer }) => `${pointer}/`);
  const isFit = (name: string) => {
    const own = `/options${pointerOf([name])}/`;
    return !pointers.some((pointer) => pointer.startsWith(own));
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => isFit(name)));
}

/** Requested options that would change the model's requests, found by reverting each option alone. */
function askingErrors(
  suite: Suite,
  index: DatasetIndex,
  samples: readonly unknown[],
  given: RunRecord["options"],
  wanted: Options,
  read: ReadOptions,
): FieldError[] {
  const asked = changedNames(given, wanted).filter((name) => {
    const { [name]: _, ...others } = wanted;
    const undone = rescoringOptions(suite, given, others);
    return undone.ok && requestsDiffer(suite, index, samples, read, undone.value);
  });
  return asked.map((name) => refusal(name, given, wanted));
}

const changedNames = (given: Options, wanted: Options): string[] =>
  Object.keys(wanted).filter(
    (name) => JSON.stringify(wanted[name]) !== JSON.stringify(given[name]),
  );

function refusal(name: string, given: Options, wanted: Options): FieldError {
  const change = `${quoted(wanted[name])} instead of ${quoted(given[name])}`;
  const detail = `${change} would change the model's requests, but rescoring sends none: leave it out, or submit the model again with it`;
  return { pointer: `/options${pointerOf([name])}`, detail };
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
