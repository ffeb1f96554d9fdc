/** What a measured number is held against, and in words. */
export interface Target {
  atLeast?: number;
  atMost?: number;
  words: string;
  /** False where it is promised of other conditions alone: the row shows how far it holds beyond them. */
  isPromised?: false;
}

/** One line of the table. */
export interface BenchRow {
  /** Group and name, as `scoring/gold`. */
  name: string;
  /** What was measured, on what. */
  what: string;
  unit: string;
  target?: Target;
}

/** What the command line sets. */
export interface Settings {
  /** CPU time a measurement takes at least, ms. */
  minMs: number;
  /** Measurements a row, of which the median counts. */
  repeats: number;
  /** Unmeasured rounds before the first measurement, for the compiler to settle. */
  warmUps: number;
  /** Factor on the sizes that a bench chooses; below 1 for a quick look. */
  scale: number;
  /** Dataset of the suite `extraction` to score. */
  dataset: string;
  /** Rows of the file that `offline` scores. */
  rows: number;
}

type Measurement = () => number[] | Promise<number[]>;

/** Takes what is to be done once all is measured, whatever came of it. */
export type OnEnd = (work: () => void | Promise<void>) => void;

/** Numbers that are measured together, a row each. A file in `rows/` holds one or a few. */
export interface Bench {
  rows: readonly BenchRow[];
  /** For what takes long: so many measurements at the most, and no warm-up. */
  repeats?: number;
  /** Builds what is measured and returns the measurement: one number a row, in their order. */
  prepare(settings: Settings, onEnd: OnEnd): Measurement | Promise<Measurement>;
}

/** A row with what was measured. */
export interface BenchResult {
  name: string;
  what: string;
  unit: string;
  /** The median. */
  value: number;
  low: number;
  high: number;
  repeats: number;
  /** In words; null where nothing was promised. */
  target: string | null;
  /** How many times better than the target: 1 or more holds it. */
  ratio: number | null;
  /** Whether the target is promised under the row's conditions. */
  isPromised: boolean;
}
