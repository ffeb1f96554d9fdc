import { afterEach, vi } from "vitest";

/** Restores everything that a test replaced. */
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
