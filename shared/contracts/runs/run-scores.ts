/** A sample's contribution to a metric over samples, which is Σ of / Σ over; over 0 it counts as 1 on its own. */
export interface Share {
  of: number;
  over: number;
}

/** `over` of a share of nothing that counts as 0: too little to change a sum, also where repeats are averaged. */
export const NOTHING = 1e-300;

/** A metric by sample: over any subset its value is Σ of / Σ over. */
export interface ScoreColumn {
  /** Null: unscored or not applicable. */
  of: (number | null)[];
  /** Null: 1 for every sample, so that the value is the mean. */
  over: number[] | null;
}

/** The scores of a run by sample, in columns: the input of comparisons. */
export interface RunScores {
  /** Sample ids in the order of the dataset. */
  ids: string[];
  /** The cluster of each sample (samples that share a source); null if there are no clusters. */
  clusters: (string | null)[] | null;
  /**
   * Indexes in `ids` of samples that the submitted answers lack. They count as failed in the run's own figures, and
   * comparisons leave them out.
   */
  lacking: number[];
  /** By metric id, the headline first; repeats of a sample are averaged. */
  values: Record<string, ScoreColumn>;
}
