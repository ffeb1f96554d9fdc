import type { ErrorClass } from "../../shared/contracts/answer.ts";
import type { FaultKind } from "../simulator/faults/fault-rates.ts";

/** What an attempt comes to: the model's own answer, that answer spoilt, or none. */
export type Outcome = "answered" | "spoilt" | ErrorClass;

/** Every fault of the simulator, and what comes of an attempt that meets it. */
const outcomeOfFault: Record<FaultKind, Outcome> = {
  "429": "rate_limited",
  "500": "server_error",
  "503": "server_error",
  "529": "server_error",
  "401": "unauthorized",
  "404": "not_found",
  timeout: "timeout",
  hang: "timeout",
  cut: "network",
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
  "invalid-json": "spoilt",
  "wrong-schema": "spoilt",
  "out-of-range": "spoilt",
  "invented-quotes": "spoilt",
};

export const faultKinds = Object.keys(outcomeOfFault) as FaultKind[];

/** What comes of an attempt. */
export const outcomeOf = (fault: FaultKind | null): Outcome =>
  fault === null ? "answered" : outcomeOfFault[fault];
