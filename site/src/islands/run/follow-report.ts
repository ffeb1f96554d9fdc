import type { RunReport } from "#shared/contracts/run-report.ts";
import { callApi } from "../api.ts";
import { ApiError, isFinal } from "../api-error.ts";
import { hasEnded } from "../submit/run-progress.ts";

/** Where the API does not say when to come again, s. */
const usualSeconds = 3;
/** After a call that failed, s. */
const troubleSeconds = 10;

interface Following {
  /** Told of the report once, and again whenever what it shows has changed. */
  onReport: (report: RunReport) => void;
  /** Told why nothing new is known just now; null when it is over. */
  onTrouble: (text: string | null) => void;
  wait: (seconds: number) => Promise<void>;
}

/**
 * Reads a run's report until the run has ended. Rejects where it can't be read at first, or never again;
 * whatever else goes wrong later is only told, so that what is shown can stay.
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

/** What of a run changes what its page shows: drawn again only then, so that readers keep their place. */
const stateOf = ({ run }: RunReport): string =>
  JSON.stringify([run.status, run.phase, run.progress, run.finishedAt, run.scoringVersion]);
