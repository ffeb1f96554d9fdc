/** A sample's contribution to a metric, which is Σ of / Σ over. If `over` is 0, the sample's own value is 1. */
export interface Share {
  of: number;
  over: number;
}

/** `over` of an empty share that counts as 0: too small to change a sum, even if repeats are averaged. */
export const NOTHING = 1e-300;

/** A metric by sample. Its value over any subset is Σ of / Σ over. */
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
