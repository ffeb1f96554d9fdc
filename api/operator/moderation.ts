import type { Decision } from "#shared/contracts/operator/report.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { hideRun, refreshBoards } from "../runs/service.ts";
import { hiddenReason } from "./ban-store.ts";
import type { AuditRecord, BanRecord, ReportOfRun } from "./schema.ts";

type Refusal = { type: "not-found" | "conflict" | "forbidden"; detail: string };

const DAY_MS = 86_400_000;
/** Maximum reports of a reader per day, and open reports of a run: more add no information. */
const OF_READER = 10;
const OF_RUN = 20;

/** Accounts of the service itself. */
const unbannable: readonly string[] = ["operator", "local", "assay", "stock"];

/** Stores a reader's report of a run. `reporter`: the account, or a hash of the address. */
export async function addReport(
  platform: Platform,
  given: Pick<ReportOfRun["report"], "runId" | "kind" | "message" | "reporter" | "account">,
): Promise<Result<string, { type: "conflict" | "too-many-requests"; detail: string }>> {
  const at = platform.now();
  const id = platform.newId("rep");
  const limits = { since: at - DAY_MS, ofReader: OF_READER, ofRun: OF_RUN };
  const added = await platform.reports.add({ ...given, id, at }, limits);
  if (added === "added") return ok(id);
  if (added === "again") {
    const detail = `you have reported run "${given.runId}" already: the operator will look at it`;
    return err({ type: "conflict", detail });
  }
  const detail = `nothing was stored: a reader can send ${OF_READER} reports a day, and a run has at most ${OF_RUN} open ones, which the operator will look at`;
  return err({ type: "too-many-requests", detail });
}

/**
 * Bans an account: its keys and sessions are refused, its schedules submit nothing, its runs and datasets are hidden,
 * and its active runs pause. Idempotent: after a crash, the same request hides the rest.
 */
export async function banAccount(
  platform: Platform,
  by: Account,
  owner: string,
  reason: string,
  entry?: AuditRecord,
): Promise<Result<BanRecord, Refusal>> {
  if (unbannable.includes(owner) || owner === by.owner) {
    const detail = `"${owner}" can't be banned: it is ${owner === by.owner ? "your own account" : "an account of the service"}`;
    return err({ type: "conflict", detail });
  }
  const ban = { owner, reason, by: by.owner, at: platform.now() };
  await platform.bans.put(ban, entry);
  await platform.publications.markChanged();
  const hidden = await platform.runs.hideOwned(owner, hiddenReason(owner), platform.now());
  await refreshBoards(platform, hidden);
  return ok(ban);
}

/** Lifts a ban and shows the runs that it had hidden; paused runs wait for their owner. */
export async function liftBan(
  platform: Platform,
  owner: string,
  entry?: AuditRecord,
): Promise<Result<BanRecord, Refusal>> {
  const ban = await platform.bans.get(owner);
  if (ban === null) return err({ type: "not-found", detail: `"${owner}" is not banned` });
  // Shown first, so that a repetition after a crash still finds the ban.
  const shown = await platform.runs.showOwned(owner, hiddenReason(owner));
  await refreshBoards(platform, shown);
  await platform.bans.remove(owner, entry);
  await platform.publications.markChanged();
  return ok(ban);
}

/** Decides on a report; returns it with its previous state. */
export async function decideReport(
  platform: Platform,
  by: Account,
  id: string,
  { action, reason }: Decision,
): Promise<Result<{ before: ReportOfRun; after: ReportOfRun }, Refusal>> {
  const before = await platform.reports.get(id);
  if (before === null) return err({ type: "not-found", detail: `there is no report "${id}"` });
  const { state } = before.report;
  if ((action === "undo") === (state === "open")) {
    const detail = `report "${id}" is ${state}: ${state === "open" ? "there is nothing to undo" : "undo that first"}`;
    return err({ type: "conflict", detail });
  }
  const done = await steps[action](platform, by, before, reason);
  if (!done.ok) return done;
  return ok({ before, after: (await platform.reports.get(id)) ?? before });
}

type Step = (
  platform: Platform,
  by: Account,
  report: ReportOfRun,
  reason: string,
) => Promise<Result<unknown, Refusal>>;

const stamp = (platform: Platform, by: Account, reason: string) => ({
  decidedAt: platform.now(),
  decidedBy: by.owner,
  reason,
});

const steps: Record<Decision["action"], Step> = {
  async dismiss(platform, by, { report }, reason) {
    const decided = { state: "dismissed" as const, ...stamp(platform, by, reason) };
    return ok(await platform.reports.decide(report.id, decided));
  },
  async hide(platform, by, { report }, reason) {
    const hidden = await hideRun(platform, report.runId, reason);
    if (!hidden.ok) return refused(hidden.error);
    const decided = { state: "hidden" as const, ...stamp(platform, by, reason) };
    return ok(await platform.reports.decideAll(report.runId, "open", decided));
  },
  async ban(platform, by, { report, run }, reason) {
    if (run === null) return gone(report.runId);
    const banned = await banAccount(platform, by, run.owner, reason);
    if (!banned.ok) return banned;
    const decided = { state: "banned" as const, ...stamp(platform, by, reason) };
    return ok(await platform.reports.decideAll(report.runId, "open", decided));
  },
  async undo(platform, by, { report, run }, reason) {
    const { state, runId, id } = report;
    if (state === "hidden") {
      const shown = await hideRun(platform, runId, null);
      if (!shown.ok) return refused(shown.error);
    }
    if (state === "banned") {
      if (run === null) return gone(runId);
      const lifted = await liftBan(platform, run.owner);
      if (!lifted.ok) return lifted;
    }
    const open = { state: "open" as const, ...stamp(platform, by, reason) };
    if (state === "dismissed") return ok(await platform.reports.decide(id, open));
    return ok(await platform.reports.decideAll(runId, state, open));
  },
};

const gone = (runId: string) =>
  err({ type: "not-found" as const, detail: `there is no run "${runId}": it was deleted` });

const refused = ({ type, detail }: { type: string; detail?: string }) =>
  err({
    type: type === "not-found" ? ("not-found" as const) : ("conflict" as const),
    detail: detail ?? "the run can't be changed now",
  });
