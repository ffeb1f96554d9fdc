/** A run of all benches, as the site shows it. */
export interface BenchRecord {
  date: string;
  machine: {
    cores: number;
    cpu: string;
    memoryGb: number;
    platform: string;
    node: string;
    commit: string;
  };
  results: readonly BenchResult[];
  missing: readonly MissingRow[];
}

/** A row with what was measured. */
export interface BenchResult {
  name: string;
  what: string;
  unit: string;
  /** The median, absolute. */
  value: number;
  yardstick: { what: string; value: number } | null;
  /** Median of the pairs' ratios: measured by yardstick, or the reverse if the target is `atLeast`; null: no yardstick. */
  ratio: number | null;
  /** Lowest and highest ratio; without a yardstick, value. */
  low: number;
  high: number;
  repeats: number;
  /** In words; null: nothing is promised. */
  target: string | null;
  /** Null: nothing is promised. */
  isMet: boolean | null;
}

/** A row that could not be measured on this machine. */
export interface MissingRow {
  name: string;
  what: string;
  reason: string;
}
