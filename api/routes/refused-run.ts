import type { Context } from "hono";
import type { RunRefusal } from "../pipeline/runs/run-refusal.ts";
import { problem } from "./problem-response.ts";

/** Answers that an action on a run was refused. */
export const refusedRun = (c: Context, refusal: RunRefusal) =>
  problem(
    c,
    refusal.type,
    refusal.detail,
    refusal.type === "invalid-request" ? { errors: refusal.errors } : {},
  );
