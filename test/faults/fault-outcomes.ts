import type { ErrorClass } from "../../shared/contracts/answer.ts";
import type { FaultKind, JudgmentFault } from "../../simulator/faults/fault-rates.ts";

/** Result of an attempt: the model's own answer, that answer spoilt, or none. */
export type Outcome = "answered" | "spoilt" | ErrorClass;

/** A wrong judgment is in order as an answer: judges have tests of their own. */
type ProvenFault = Exclude<FaultKind, JudgmentFault>;

/** Every fault of the simulator's endpoints, and what comes of an attempt that meets it. */
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

/** What comes of an attempt. */
export const outcomeOf = (fault: FaultKind | null): Outcome =>
  fault === null ? "answered" : (outcomeOfFault[fault as ProvenFault] ?? "spoilt");
