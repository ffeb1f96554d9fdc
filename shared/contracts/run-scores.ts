/** What comparisons need of a run: its scores sample by sample, in columns. */
export interface RunScores {
  /** Sample ids in the order of the dataset. */
  ids: string[];
  /** Which samples share a source, by sample; null where none does. */
  clusters: (string | null)[] | null;
  /** By metric id the value of each sample, repeats averaged; null: unscored or not applicable. */
  values: Record<string, (number | null)[]>;
}
