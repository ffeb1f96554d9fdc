import type { Run } from "#shared/contracts/run.ts";
import { callApi } from "../api.ts";
import type { RunAction } from "./run-progress.ts";

/** What a resumed run may spend in all: nothing is said where no limit is asked for, null is none. */
export function resumeBody(limit: string | null): { maxCostUsd: number | null } | undefined {
  if (limit === null) return undefined;
  return { maxCostUsd: limit.trim() === "" ? null : Number(limit) };
}

/** Has the API do something to a run; gives the run as it is then. */
export async function controlRun(
  id: string,
  action: RunAction,
  { key, limit }: { key: string; limit: string | null },
): Promise<Run> {
  const body = action === "resume" ? resumeBody(limit) : undefined;
  const path = `/v1/runs/${encodeURIComponent(id)}/${action}`;
  const call = { method: "POST", key, ...(body && { body }) } as const;
  return (await callApi<Run>(path, call)).value;
}
