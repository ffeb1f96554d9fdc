import type { FieldError } from "#shared/contracts/problem.ts";
import type { OverQuota } from "../keys/quota.ts";

/** Why an action on a run was refused, in words for its caller. */
export type RunRefusal =
  | { type: "not-found" | "forbidden" | "conflict"; detail: string }
  | { type: "invalid-request"; detail: string; errors: FieldError[] }
  | ({ type: "quota-exceeded" } & OverQuota);
