import type { Answer, HybridSide } from "../contracts/answer.ts";
import type { HybridRouting } from "../contracts/runs/unit.ts";
import { joinedCalls } from "./performance/joined-calls.ts";

/** Values of `source` with hybrid routing. */
export const onDevice = "on-device";
const cloudSource = "cloud";

/**
 * Confidence of the local endpoint, 0–1: the reported one, else exp of the mean logprob, else 0.
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example confidenceOf({ confidence: null }) // 0
 */
export const confidenceOf = ({ confidence }: Pick<HybridSide, "confidence">): number =>
  confidence ?? 0;

/**
 * Whether a local answer is kept: there is one, and its confidence is at or above the threshold.
 * @example isLocalKept({ confidence: 0.9, error: null }, 0.9) // true
 */
export function isLocalKept(
  local: Pick<HybridSide, "confidence" | "error">,
  threshold: number,
): boolean {
  return local.error === null && confidenceOf(local) >= threshold;
}

/**
 * The answer of a hybrid target: the local one if it is kept, else the cloud's with the latency of both calls, even
 * if the local call failed. Requests, attempts and tokens are summed over both. `cloud` is null if only the local
 * endpoint was asked.
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example hybridAnswer(local, null, { confidenceThreshold: 0.5 }).source // "on-device"
 */
export function hybridAnswer(
  local: Answer,
  cloud: Answer | null,
  { confidenceThreshold }: HybridRouting,
): Answer {
  const isLocal = cloud === null || isLocalKept(local, confidenceThreshold);
  const chosen = isLocal ? local : delayed(cloud, local.latencyMs ?? 0);
  return {
    ...chosen,
    ...joinedCalls(cloud === null ? [local] : [local, cloud]),
    source: isLocal ? onDevice : cloudSource,
    confidence: confidenceOf(local),
    hybrid: { local: sideOf(local), cloud: cloud === null ? null : sideOf(cloud) },
  };
}

/** An answer requested after another one, without `firstTokenMs`, because the stream has only this answer's tokens. */
function delayed({ firstTokenMs: _, ...answer }: Answer, byMs: number): Answer {
  const { latencyMs, firstByteMs } = answer;
  return {
    ...answer,
    latencyMs: latencyMs === null ? null : latencyMs + byMs,
    firstByteMs: firstByteMs === null ? null : firstByteMs + byMs,
  };
}

function sideOf(answer: Answer): HybridSide {
  const { output, thoughts, refusal, toolCalls, latencyMs, confidence, error } = answer;
  const said = { output, ...(thoughts !== undefined && { thoughts }), refusal, toolCalls };
  return { ...said, latencyMs, confidence, error };
}
