import type { FinishedCompletion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import { garble } from "../mistakes/garble.ts";
import type { FaultKind } from "./fault-rates.ts";
import { spoilJudgment } from "./judgment-faults.ts";

/** Faults of what the model says; the HTTP exchange itself is in order. */
const completionFaults = ["prose", "fenced", "refusal", "empty"] as const;

/** A completion with the fault's mark, or as it is when the fault lies elsewhere. */
export function spoilCompletion(
  completion: FinishedCompletion,
  fault: FaultKind | null,
  draws: Draws,
): FinishedCompletion {
  const kind = completionFaults.find((known) => known === fault);
  if (kind === undefined) {
    const { content } = completion;
    return content === null
      ? completion
      : { ...completion, content: spoilJudgment(content, fault) };
  }
  return { ...garble({ ...completion, toolCalls: [] }, kind, draws), finishReason: "stop" };
}
