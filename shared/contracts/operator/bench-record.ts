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

/** A measured row. */
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
  /** The target in words; null: there is no target. */
  target: string | null;
  /** Null: there is no target. */
  isMet: boolean | null;
}

/** A row that could not be measured on this machine. */
export interface MissingRow {
  name: string;
  what: string;
  reason: string;
}
