/** A sample's part in a metric over samples, which is Σ of / Σ over. */
export interface Share {
  of: number;
  over: number;
}

/** A metric sample by sample: over any of them its value is Σ of / Σ over. */
export interface ScoreColumn {
  /** Null: unscored or not applicable. */
  of: (number | null)[];
  /** Null: 1 for every sample, so that the value is the mean. */
  over: number[] | null;
}

/** What comparisons need of a run: its scores sample by sample, in columns. */
export interface RunScores {
  /** Sample ids in the order of the dataset. */
  ids: string[];
  /** Which samples share a source, by sample; null where none does. */
  clusters: (string | null)[] | null;
  /**
   * Places in `ids` of samples for which answers made elsewhere had none: they count as failed in the run's
   * own figures, and are left out where runs are compared.
   */
  lacking: number[];
  /** By metric id, the headline first; repeats of a sample are averaged. */
  values: Record<string, ScoreColumn>;
}
