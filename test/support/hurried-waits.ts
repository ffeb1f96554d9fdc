import { vi } from "vitest";

/** Factor by which waits are shortened. */
const factor = 50;

/** Makes `setTimeout` fire early until globals are unstubbed; returns the list of requested waits, ms, which grows. */
export function hurriedWaits(): number[] {
  const waits: number[] = [];
  const wait = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (call: () => void, ms = 0, ...args: unknown[]) => {
    waits.push(ms);
    return wait(call, ms / factor, ...(args as []));
  });
  return waits;
}
