import type { SampleUsage, Usage } from "../contracts/keys/usage.ts";

const grouped = (n: number): string => n.toLocaleString("en-US");
const usd = (amount: number): string => `${amount.toFixed(2)} USD`;
const megabytes = (bytes: number): string => `${grouped(Math.ceil(bytes / 1e6))} MB`;

/** A quota with its use, its limit, and when it resets. */
export interface UsageRow {
  quota: string;
  used: string;
  allowed: string;
  resets: string;
}

const row = (
  quota: string,
  [used, allowed]: readonly [number | null, number | null],
  textOf: (n: number) => string,
  resets = "",
): UsageRow => ({
  quota,
  used: used === null ? "not counted" : textOf(used),
  allowed: allowed === null ? "no limit" : textOf(allowed),
  resets,
});

/**
 * An account's use of its quotas, one row for each. Constant time.
 * @example usageRows(usage)[0] // { quota: "Samples today", used: "120", allowed: "5,000", resets: "2026-11-30T00:00Z" }
 */
export function usageRows(usage: Usage): UsageRow[] {
  const limit = (name: "datasets" | "datasetVersions" | "datasetBytes" | "runBytes" | "boards") =>
    [usage[name].used, usage[name].allowed] as const;
  const midnight = `${usage.resetsAt.slice(0, 16)}Z`;
  return [
    row("Samples today", [usage.usedSamples, usage.allowedSamples], grouped, midnight),
    row("Judges today", [usage.usedJudgeUsd, usage.allowedJudgeUsd], usd, midnight),
    row("Datasets", limit("datasets"), grouped),
    row("Versions of datasets", limit("datasetVersions"), grouped),
    row("Rows of datasets", limit("datasetBytes"), megabytes),
    row("Answers and reports of runs", limit("runBytes"), megabytes),
    row("Boards of its own", limit("boards"), grouped),
  ];
}

/**
 * A submission's use of the daily quotas, as text; empty without limits.
 * @example submissionUseText(quota, 120, 0.4) // "uses 120 of 5,000 samples left today, about 0.40 of 5.00 USD of judges"
 */
export function submissionUseText(
  quota: SampleUsage,
  samples: number,
  judgeUsd: number | null,
): string {
  const { remainingSamples, usedJudgeUsd, allowedJudgeUsd } = quota;
  const parts = [];
  if (remainingSamples !== null) {
    parts.push(`${grouped(samples)} of ${grouped(remainingSamples)} samples left today`);
  }
  if (allowedJudgeUsd !== null && judgeUsd !== null && judgeUsd > 0) {
    const left = Math.max(0, allowedJudgeUsd - (usedJudgeUsd ?? 0));
    parts.push(`about ${judgeUsd.toFixed(2)} of ${usd(left)} of judges`);
  }
  return parts.length === 0 ? "" : `uses ${parts.join(", ")}`;
}
