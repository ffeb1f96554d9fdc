import type { AskedJudge } from "../../../contracts/judge.ts";
import type { MemoryDetail } from "../score/score.ts";

/**
 * What the judges of a metric say together, by the rule that its value follows; null where none said anything.
 * @example combinedJudgment(memoryUtilization, detail)?.cited_keys
 */
export function combinedJudgment<Judgment>(
  judge: Pick<AskedJudge<Judgment>, "id" | "judgment" | "combine">,
  detail: Pick<MemoryDetail, "metrics">,
): Judgment | null {
  const [first, ...more] = parsedJudgments(judge, detail);
  if (first === undefined) return null;
  return more.length === 0 ? first : (judge.combine?.([first, ...more], null) ?? first);
}

/** The judgments that hold, as their judge reads them: what may be left out is filled in. */
function parsedJudgments<Judgment>(
  { id, judgment: schema }: Pick<AskedJudge<Judgment>, "id" | "judgment">,
  { metrics }: Pick<MemoryDetail, "metrics">,
): Judgment[] {
  return (metrics[id]?.judges ?? []).flatMap(({ judgment, value }) => {
    const read = value === null ? null : schema.safeParse(judgment);
    return read?.success ? [read.data] : [];
  });
}
