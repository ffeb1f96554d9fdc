import type { FinishedCompletion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import { garble } from "../mistakes/garble.ts";
import type { FaultKind } from "./fault-rates.ts";

/** Faults of what the model says; the HTTP exchange itself is in order. */
const completionFaults = ["prose", "fenced", "refusal", "empty"] as const;

/** A completion with the fault's mark, or as it is when the fault lies elsewhere. */
export function spoilCompletion(
  completion: FinishedCompletion,
  fault: FaultKind | null,
  draws: Draws,
): FinishedCompletion {
  const kind = completionFaults.find((known) => known === fault);
  if (kind === undefined) return completion;
  return { ...garble({ ...completion, toolCalls: [] }, kind, draws), finishReason: "stop" };
}
