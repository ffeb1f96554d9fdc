import type { DatabaseSync } from "node:sqlite";
import type { RunEvidence } from "../evidence.ts";
import type { Stage } from "../stage.ts";

type ByName = ReadonlyMap<string, RunEvidence>;

/** What users did has to hold at the end, whatever failed in between. */
export function checkUsers(stage: Stage, evidence: ByName, usedSamples: number): string[] {
  return [
    ...checkRetried(evidence.get("retried")),
    ...[...stage.runs].flatMap(([name, { parent }]) =>
      parent === null ? [] : checkRescored(evidence.get(name), evidence.get(parent)),
    ),
    ...checkUsage(stage, evidence, usedSamples),
  ];
}

/** Samples that the key has used of its quota, on all days. */
export function usedSamples(database: DatabaseSync, key: string): number {
  const sum = "SELECT coalesce(sum(used), 0) AS used FROM usage WHERE key = ?";
  return (database.prepare(sum).get(key) as { used: number }).used;
}

/** Nothing of what failed before a retry is left. */
function checkRetried(retried: RunEvidence | undefined): string[] {
  const stale = retried?.rows.filter(({ covered, error_class }) => !covered || error_class) ?? [];
  return retried && stale.length === 0 ? [] : [`retried: ${stale.length} samples failed`];
}

/** What was answered is scored as it was answered; a failure may have been asked again since. */
function checkRescored(child: RunEvidence | undefined, parent: RunEvidence | undefined): string[] {
  const others = [...(child?.stored.values() ?? [])].filter(({ seq, answer }) => {
    const asked = parent?.stored.get(seq)?.answer;
    return answer.error === null && JSON.stringify(asked) !== JSON.stringify(answer);
  });
  if (child && others.length === 0) return [];
  return [`${child?.run.model_slug}: ${others.length} answers are not those of its parent`];
}

/** A key pays for the samples that it got, scored again or not: not for what was cancelled or lost. */
function checkUsage({ runs }: Stage, evidence: ByName, used: number): string[] {
  const its = [...runs].filter(([, run]) => run.dataset === "few");
  const rows = its.flatMap(([name]) => evidence.get(name)?.rows ?? []);
  const scored = rows.filter(({ status }) => status === "scored").length;
  return used === scored ? [] : [`the user's key paid for ${used} samples and got ${scored}`];
}
