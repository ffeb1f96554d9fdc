import { vi } from "vitest";

/** How many times shorter a wait is than was asked for. */
const factor = 50;

/** Has `setTimeout` fire early until globals are unstubbed; gives the waits that are asked for from now on, ms. */
export function hurriedWaits(): number[] {
  const waits: number[] = [];
  const wait = globalThis.setTimeout;
  vi.stubGlobal("setTimeout", (call: () => void, ms = 0, ...args: unknown[]) => {
    waits.push(ms);
    return wait(call, ms / factor, ...(args as []));
  });
  return waits;
}
