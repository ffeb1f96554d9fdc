import type { DatabaseSync } from "node:sqlite";
import type { RunEvidence } from "../evidence.ts";
import type { Stage } from "../stage.ts";

type ByName = ReadonlyMap<string, RunEvidence>;

/** Checks that the users' actions took effect despite all faults. */
export function checkUsers(stage: Stage, evidence: ByName, usedSamples: number): string[] {
  return [
    ...checkRetried(evidence.get("retried")),
    ...[...stage.runs].flatMap(([name, { parent }]) =>
      parent === null ? [] : checkRescored(evidence.get(name), evidence.get(parent)),
    ),
    ...checkUsage(stage, evidence, usedSamples),
  ];
}

/** Samples that count against the key's quota, on all days. */
export function usedSamples(database: DatabaseSync, key: string): number {
  const sum = "SELECT coalesce(sum(used), 0) AS used FROM usage WHERE key = ?";
  return (database.prepare(sum).get(key) as { used: number }).used;
}

/** Checks that no failed sample is left after retries. */
function checkRetried(retried: RunEvidence | undefined): string[] {
  const stale = retried?.rows.filter(({ covered, error_class }) => !covered || error_class) ?? [];
  return retried && stale.length === 0 ? [] : [`retried: ${stale.length} samples failed`];
}

/** Checks that a rescored run uses its parent's answers. The parent may have retried failed samples since. */
function checkRescored(child: RunEvidence | undefined, parent: RunEvidence | undefined): string[] {
  const others = [...(child?.stored.values() ?? [])].filter(({ seq, answer }) => {
    const asked = parent?.stored.get(seq)?.answer;
    return answer.error === null && JSON.stringify(asked) !== JSON.stringify(answer);
  });
  if (child && others.length === 0) return [];
  return [`${child?.run.model_slug}: ${others.length} answers differ from its parent's`];
}

/** Checks that the key pays for every scored sample, rescored ones too, but not for cancelled or lost ones. */
function checkUsage({ runs }: Stage, evidence: ByName, used: number): string[] {
  const ofUser = [...runs].filter(([, run]) => run.dataset === "few");
  const rows = ofUser.flatMap(([name]) => evidence.get(name)?.rows ?? []);
  const scored = rows.filter(({ status }) => status === "scored").length;
  return used === scored ? [] : [`the user's key paid for ${used} samples and got ${scored}`];
}
