import type { Judge } from "../contracts/judging/judge.ts";
import { systemPrompt } from "./judge-prompt.ts";

/**
 * By metric of the catalogue, its judge and the judge's instructions. Judges that compare embeddings are left
 * out, since they ask no model.
 * @example judgedMetrics(judges).get("empathy")?.judge.id // "empathy"
 */
export function judgedMetrics(
  judges: readonly Judge[],
): Map<string, { judge: Judge; prompt: string }> {
  const asked = judges.filter((judge) => judge.kind === "asked");
  return new Map(
    asked.flatMap((judge) => {
      const judged = { judge, prompt: systemPrompt(judge) };
      return judge.figures.map(({ metric }) => [metric.id, judged] as const);
    }),
  );
}
