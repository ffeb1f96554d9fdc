import type { JsonObject } from "../../shared/contracts/json.ts";
import { numberedSamples } from "./support/numbered-samples.ts";

/** Size of the proof. */
export interface Size {
  seed: string;
  /** Rows of the dataset. */
  rows: JsonObject[];
  /** Number of samples of the judged run. */
  judged: number;
  /** How many times the server is killed during a single run. */
  kills: number;
  /**
   * Shortest and longest time that a server works on that run before it is killed, ms. Usually long enough for a
   * commit, because samples whose holder dies five times in a row are given up.
   */
  killAfterMs: readonly [number, number];
  /** Maximum time to wait for runs to end, ms. */
  patienceMs: number;
}

/** Default number of samples per run. */
const DEFAULT_SAMPLES = 200;

/** The size of a proof. With more samples per run, servers live longer before they are killed. */
export function sizeOf(samples = DEFAULT_SAMPLES, kills = 5, seed = "1"): Size {
  const growth = Math.max(1, samples / 1_000);
  return {
    seed,
    kills,
    rows: numberedSamples(samples),
    judged: samples < 1_000 ? 24 : 60,
    killAfterMs: [1_000, 2_500 * growth],
    patienceMs: 600_000 + 500 * samples,
  };
}
