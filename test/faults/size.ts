import type { JsonObject } from "../../shared/contracts/json.ts";
import { numberedSamples } from "./support/numbered-samples.ts";

/** How large the proof is. */
export interface Size {
  seed: string;
  /** The dataset. */
  rows: JsonObject[];
  /** Samples of the run whose answers are judged. */
  judged: number;
  /** Times that the server is killed in the midst of one and the same run. */
  kills: number;
  /**
   * Shortest and longest time that a server works on that run before it is killed, ms: as a rule long
   * enough for a commit, since samples whose holder dies five times in a row are given up.
   */
  killAfterMs: readonly [number, number];
  /** Longest that runs may take to end, ms. */
  patienceMs: number;
}

/** Samples a run, unless told. */
const USUAL = 200;

/** A proof on so many samples a run; the server of a larger one lives longer before it is killed. */
export function sizeOf(samples = USUAL, kills = 5, seed = "1"): Size {
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
