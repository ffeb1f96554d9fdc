import type { Visibility } from "#shared/contracts/datasets/dataset.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { VisibilityChange } from "#shared/contracts/submissions/run-requests.ts";
import { boardIdentity } from "../boards/board-identity.ts";
import { boardErrorOf } from "../boards/board-limits.ts";
import type { BoardIdentity } from "../boards/schema.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";
import { standardJudgingOf } from "../judging/resolve-judging.ts";
import type { Account } from "../keys/account.ts";
import type { AuditRecord } from "../operator/schema.ts";
import type { Platform } from "../platform/platform.ts";
import { ownedRun, type RunRefusal } from "../runs/access.ts";
import type { RunRecord } from "../runs/schema.ts";
import { refreshBoards } from "../runs/service.ts";
import { MADE_PRIVATE } from "../runs/visibility-store.ts";

/** A run that the account may change, and the effect of the change. */
interface PlannedChange {
  run: RunRecord;
  change: VisibilityChange;
  /** The board that lists it afterwards; null: none. */
  board: BoardIdentity | null;
}

/** The effects of a change of visibility, or why it is refused. Stores nothing. */
export async function planVisibility(
  platform: Platform,
  account: Account,
  id: string,
  to: Visibility,
): Promise<Result<PlannedChange, RunRefusal>> {
  const owned = await ownedRun(platform, account, id);
  if (!owned.ok) return owned;
  const run = owned.value;
  const bar = await barOf(platform, run, to);
  if (bar !== null) return err({ type: "conflict", detail: bar });
  const board = to === "public" ? boardOf(platform, run, account) : null;
  const full =
    board !== null && run.visibility !== "public"
      ? await boardErrorOf(platform, account, board, run.modelSlug)
      : null;
  if (full !== null) return err({ type: "conflict", detail: full });
  const from = run.visibility;
  const isWider = from !== to && (to === "public" || from === "private");
  const parities = to === "public" ? await platform.parities.ofReference(id) : [];
  const shows = isWider ? shownBy(run, to, board, parities) : [];
  const hides = from === to || isWider ? [] : hiddenBy(from, to);
  return ok({ run, change: { run: id, from, to, shows, hides }, board });
}

/** Changes the visibility of a run. Making it private includes its rescored copies. Idempotent. */
export async function changeVisibility(
  platform: Platform,
  account: Account,
  id: string,
  to: Visibility,
  entry?: AuditRecord,
): Promise<Result<RunRecord, RunRefusal>> {
  const planned = await planVisibility(platform, account, id, to);
  if (!planned.ok) return planned;
  const { run, board } = planned.value;
  const now = platform.now();
  if (run.visibility === to) return ok(run);
  if (board !== null) await platform.boards.ensure(board, now);
  const note = run.visibility === "private" ? openedNote(now) : closedNote(to, now);
  const changed = await platform.runs.changeVisibility(id, { visibility: to, note }, now, entry);
  await refreshBoards(platform, changed);
  return ok((await platform.runs.get(id)) ?? run);
}

const closedNote = (to: Visibility, now: number) =>
  to === "private" ? `${MADE_PRIVATE}${dayOf(now)}: it counts on as an attempt` : null;

const dayOf = (now: number) => new Date(now).toISOString().slice(0, 10);

/** A public note, because the best of many private runs says less than a run that was public from the start. */
const openedNote = (now: number) =>
  `private until ${dayOf(now)}: its owner showed it when its result could be known, and private runs of the model are not counted as attempts`;

/** Why a run can't become that visible; null if it can. */
async function barOf(platform: Platform, run: RunRecord, to: Visibility): Promise<string | null> {
  if (run.canary !== null) return `run "${run.id}" is a canary of the service, and stays as it is`;
  if (to === "private") return null;
  const parent = run.parentId === null ? null : await platform.runs.get(run.parentId);
  if (parent?.visibility === "private" && parent.deletedAt === null) {
    return `run "${run.id}" shows the answers of run "${parent.id}", which is private: make that one ${to} first`;
  }
  const { suite, datasetName, datasetVersion } = run;
  const dataset = await platform.datasets.find(suite, datasetName, datasetVersion);
  if (dataset?.visibility === "private" && dataset.owner !== run.owner) {
    return `its dataset "${datasetName}" is private: ask its owner`;
  }
  if (to === "public" && dataset?.visibility === "unlisted") {
    return `its dataset "${datasetName}" is unlisted: make the dataset public first (assay dataset visibility)`;
  }
  return null;
}

/** The board on which a run is listed once it is public; null: none, or its suite has changed since. */
function boardOf(platform: Platform, run: RunRecord, account: Account): BoardIdentity | null {
  const suite = platform.suites.byId(run.suite);
  const own = suite?.optionsSchema.safeParse(suiteOptionsOf(run.options));
  if (suite === undefined || own?.data === undefined) return null;
  if (run.countedOn === null || run.variant !== null) return null;
  const dataset = {
    name: run.datasetName,
    version: run.datasetVersion,
    samples: run.datasetSamples,
    visibility: run.samplesOwner === null ? ("public" as const) : ("private" as const),
  };
  const board = boardIdentity(
    {
      suite,
      suiteOptions: own.data,
      dataset,
      plan: { repeats: Math.max(1, Math.round(run.total / run.datasetSamples)) },
      judging: run.judging,
      standardJudging: standardJudgingOf(platform.judging, suite),
    },
    run.promptHash,
    account.scopes.includes("admin") ? null : run.owner,
  );
  return board.id === run.countedOn ? board : null;
}

/** What others will see of a run that they could not see before. */
function shownBy(
  run: RunRecord,
  to: Visibility,
  board: BoardIdentity | null,
  parities: readonly string[],
): string[] {
  const who = to === "public" ? "everybody" : "all who have the run's id";
  const samples =
    run.samplesOwner === null
      ? `all ${run.total} samples with prompts, expected and given answers`
      : "no samples: its dataset is private";
  return [
    `${who}: its report, figures, options and costs, and ${samples}`,
    `the account ${run.owner}, the model ${run.modelSlug} and its endpoint's host`,
    `the dataset ${run.datasetName}: name, version and number of samples`,
    ...(to === "public" ? ["lists, snapshot, exports, the model's page, history and badge"] : []),
    ...(parities.length > 0
      ? [`parities that have it as reference, with their public hosts: ${parities.join(", ")}`]
      : []),
    ...(board === null ? [] : [`a place on the board ${board.id} of ${run.suite}`]),
  ];
}

const hiddenBy = (from: Visibility, to: Visibility): string[] => [
  ...(from === "public"
    ? [
        "boards, badge, history, snapshot and exports, at once; pages of the site, with their next build",
      ]
    : []),
  ...(to === "private"
    ? ["its address, and those of runs that scored its answers again, for all but its account"]
    : []),
];
