import { afterEach, vi } from "vitest";

/** What a test replaced is back for the next one. */
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
