import type { RunReport } from "#shared/contracts/run-report.ts";
import { callApi } from "../api.ts";
import { ApiError, isFinal } from "../api-error.ts";
import { hasEnded } from "../submit/run-progress.ts";

/** Wait if the API states none, s. */
const usualSeconds = 3;
/** Wait after a failed call, s. */
const troubleSeconds = 10;

interface Following {
  /** Called with the report once, and after each visible change. */
  onReport: (report: RunReport) => void;
  /** Called with the reason why updates fail; null when they work again. */
  onTrouble: (text: string | null) => void;
  wait: (seconds: number) => Promise<void>;
}

/**
 * Reads a run's report until the run has ended. Rejects if the first read fails, or no later one can succeed;
 * other later failures are only reported, so that the page can stay.
 */
export async function followReport(run: string, following: Following): Promise<void> {
  const { onReport, onTrouble, wait } = following;
  for (let shown: string | null = null; ; ) {
    try {
      const path = `/v1/runs/${encodeURIComponent(run)}/report`;
      const { value, retryAfterSeconds } = await callApi<RunReport>(path);
      onTrouble(null);
      const state = stateOf(value);
      if (state !== shown) onReport(value);
      shown = state;
      if (hasEnded(value.run)) return;
      await wait(retryAfterSeconds ?? usualSeconds);
    } catch (error) {
      const mayPass =
        error instanceof ApiError && !isFinal(error) && (shown !== null || error.status === 429);
      if (!mayPass) throw error;
      onTrouble(error.message);
      await wait(error.retryAfterSeconds ?? troubleSeconds);
    }
  }
}

/** The state that affects the page: the page is drawn again only if it changes, so that readers keep their position. */
const stateOf = ({ run }: RunReport): string =>
  JSON.stringify([run.status, run.phase, run.progress, run.finishedAt, run.scoringVersion]);
