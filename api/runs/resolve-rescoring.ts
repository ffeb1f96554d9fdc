import { headlineOf, optionsFor } from "#shared/contracts/boards/ranking.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { illFormedPath } from "#shared/contracts/text/well-formed.ts";
import { boardIdentity } from "../boards/board-identity.ts";
import type { DatasetIndex } from "../datasets/store.ts";
import { planRun, type RunPlan, suiteOptionsOf } from "../engine/run-plan.ts";
import { resolveJudging } from "../judging/resolve-judging.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRefusal } from "./access.ts";
import { type ReadOptions, requestsDiffer } from "./requests-differ.ts";
import type { RunRecord } from "./schema.ts";
import { storedSamples } from "./stored-samples.ts";

/** Rows read at once. */
const PAGE = 2_000;

/** Why stored answers are not scored again; quotas are looked at when a run of them is stored. */
export type RescoringRefusal = Exclude<RunRefusal, { type: "quota-exceeded" }>;

/** What stored answers are to be scored with. */
export interface Rescoring {
  suite: Suite;
  /** The run's, or the newest correction of it. */
  dataset: Pick<Dataset, "version" | "samples">;
  options: Record<string, Json>;
  scoringVersion: string;
  /** Id of the metric that ranks. */
  headline: string;
  /** Who judges them; null: no judge is asked. */
  judging: RunJudging | null;
  notes: string[];
  /** The board in whose configuration its run is; null where its parent is in none. */
  board: ReturnType<typeof boardIdentity> | null;
}

/**
 * Reads the scoring options that a rescoring wants over those of the run, with today's suite and the gold
 * answers as they were corrected last.
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
  // The valid rest is checked as well, so that all errors are reported at once.
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
  const target = {
    isHybrid: parent.hybrid !== null,
    sources: await sourcesOf(platform, suite, parent),
  };
  const own = optionsFor(suite, fit.value.own, target);
  return rescoringBy(platform, { suite, parent, dataset, plan }, { ...fit.value, own });
}

/**
 * Where the answers of a run came from that were made elsewhere. Only an older version of the suite may have
 * stored the run without what follows from it.
 */
async function sourcesOf(
  platform: Pick<Platform, "runs" | "objects">,
  suite: Suite,
  { id, endpoint, suiteVersion }: RunRecord,
): Promise<(string | null)[]> {
  const isSettled = suite.optionsFor === undefined || suiteVersion === suite.version;
  if (endpoint !== null || isSettled) return [];
  const sources = new Set<string | null>();
  for (let after = -1; ; ) {
    const rows = await platform.runs.samples(id, after, PAGE);
    for await (const { answer } of storedSamples(platform.objects, rows)) {
      if (answer.error === null) sources.add(answer.source);
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return [...sources];
    after = last.seq;
  }
}

async function correctedDataset(
  { datasets }: Pick<Platform, "datasets">,
  { suite, datasetName, datasetVersion, datasetSamples }: RunRecord,
): Promise<Rescoring["dataset"]> {
  const corrections = await datasets.correctionsOf(suite, datasetName, datasetVersion);
  return corrections.at(-1) ?? { version: datasetVersion, samples: datasetSamples };
}

/** The stored answers, and what they are to be held against. */
interface Rescored {
  suite: Suite;
  parent: RunRecord;
  dataset: Rescoring["dataset"];
  plan: RunPlan;
}

/** What is scored by other rules than its parent; by the same ones there is nothing to do. */
function rescoringBy(
  { judging: client }: Pick<Platform, "judging">,
  rescored: Rescored,
  { all, own }: ReadOptions,
): Result<Rescoring, RescoringRefusal> {
  const { suite, parent, dataset } = rescored;
  const resolved = resolveJudging(client, suite, own);
  if (!resolved.ok) return invalid(resolved.error);
  const { judging, notes, standard: standardJudging } = resolved.value;
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

/** The samples of the first unit; null where the suite finds one malformed. */
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
  const detail = `nothing was done: ${errors.length} option(s) are invalid`;
  return err({ type: "invalid-request" as const, detail, errors });
}

/** Longest part of an option that is quoted back. */
const MAX_QUOTED = 60;

type Options = Record<string, unknown>;

/**
 * A run's options with those wanted laid over them, checked by its suite as it is now. Judges that are
 * named go before all that the run had.
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
  const runWide = changedNames(given, wanted).filter((name) => !(name in suiteOptionsOf(wanted)));
  if (own.success && runWide.length === 0) return ok({ all, own: own.data });
  const unfit = own.success ? [] : fieldErrors(own.error.issues, all, "/options");
  return err([...runWide.map((name) => refusal(name, given, wanted)), ...unfit]);
}

/** The wanted options that no error is about. */
function withoutErrors(wanted: Options, errors: readonly FieldError[]): Options {
  const pointers = errors.map(({ pointer }) => `${pointer}/`);
  const isFit = (name: string) => {
    const own = `/options${pointerOf([name])}/`;
    return !pointers.some((pointer) => pointer.startsWith(own));
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => isFit(name)));
}

/** Wanted options that change what is asked, one by one: each is undone by itself and compared. */
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
