import type { RunRecord } from "../platform/ports.ts";

/** Why there is nothing to state of a run; null of one that has finished. */
export function unfinished({
  id,
  status,
}: RunRecord): { type: "not-ready" | "conflict"; detail: string } | null {
  if (status === "finished") return null;
  const isOver = status === "cancelled" || status === "failed";
  const detail = `run "${id}" is ${status}; its result is stated when a run finishes`;
  return { type: isOver ? "conflict" : "not-ready", detail };
}
