import type { Judge } from "../contracts/judging/judge.ts";
import { systemPrompt } from "./judge-prompt.ts";

/**
 * Each metric of the catalogue with its judge and the judge's instructions. Omits judges that compare embeddings,
 * because they ask no model.
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
