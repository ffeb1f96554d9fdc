import type { ErrorClass } from "../../shared/contracts/answer.ts";
import type { FaultKind, JudgmentFault } from "../../simulator/faults/fault-rates.ts";

/** Result of an attempt: the model's answer, a corrupted answer, or an error. */
export type Outcome = "answered" | "spoilt" | ErrorClass;

/** Faults of judgments are excluded: they are valid answers, and judges have their own tests. */
type ProvenFault = Exclude<FaultKind, JudgmentFault>;

/** The outcome of an attempt for each fault of the simulator's endpoints. */
const outcomeOfFault: Record<ProvenFault, Outcome> = {
  "429": "rate_limited",
  "500": "server_error",
  "503": "server_error",
  "529": "server_error",
  "401": "unauthorized",
  "404": "not_found",
  timeout: "timeout",
  hang: "timeout",
  stall: "timeout",
  cut: "network",
  "error-in-200": "server_error",
  "slow-body": "answered",
  "truncated-json": "invalid_response",
  "null-choices": "invalid_response",
  html: "invalid_response",
  huge: "too_large",
  redirect: "redirect",
  prose: "spoilt",
  fenced: "spoilt",
  refusal: "spoilt",
  empty: "spoilt",
};

export const faultKinds = Object.keys(outcomeOfFault) as ProvenFault[];

/** The outcome of an attempt with this fault, or with none. */
export const outcomeOf = (fault: FaultKind | null): Outcome =>
  fault === null ? "answered" : (outcomeOfFault[fault as ProvenFault] ?? "spoilt");
