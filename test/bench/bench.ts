/** Target of a row's ratio, or of its value if it has no yardstick. */
type Target =
  /** Maximum ratio of the measured value to the yardstick, or maximum value. */
  | { atMost: number }
  /** Minimum ratio of the yardstick to the measured value, or minimum value. */
  | { atLeast: number };

/** One line of the table. */
export interface BenchRow {
  /** Group and name, such as `scoring/gold`. */
  name: string;
  /** Description of the measured work and its data. */
  what: string;
  /** Unit of the value and its yardstick; lower is better. */
  unit: string;
  /** Description of the work that the measured work is compared with, such as "parsing the same rows". */
  yardstick?: string;
  target?: Target;
}

/** Settings from the command line. */
export interface Settings {
  /** Minimum CPU time of a measurement, ms. */
  minMs: number;
  /** Measurements per row, of which the median counts. */
  repeats: number;
  /** Rounds before the first measurement, so that the compiler has finished its optimizations. */
  warmUps: number;
  /** Factor on the sizes of a bench; below 1 for a quick look. */
  scale: number;
  /** File of a dataset of the suite `extraction`. */
  dataset: string;
  /** Number of rows in the file that `offline` scores. */
  rows: number;
}

/** Measured work and its yardstick, measured in direct succession, in the unit of the row. */
export interface Pair {
  measured: number;
  yardstick: number;
}

/** Result of one round for a row: a pair if the row has a yardstick, otherwise the value. */
export type Measured = number | Pair;

/** One round: measures all rows of a bench once. */
export type Measurement = () => Measured[] | Promise<Measured[]>;

/** Registers work that runs after the last round, even after a failure. */
export type OnEnd = (work: () => void | Promise<void>) => void;

/** Rows that are measured together. A file in `rows/` has one or a few benches. */
export interface Bench {
  rows: readonly BenchRow[];
  /** Maximum number of rounds of a long measurement, which then has no warm-up. */
  repeats?: number;
  /**
   * Prepares the measurement and returns a round, which gives one entry per row in their order. Throws `NotHere` if the
   * machine lacks software that is not part of the project.
   */
  prepare(settings: Settings, onEnd: OnEnd): Measurement | Promise<Measurement>;
}

/** The machine lacks software that a bench needs, such as Python; the rows are skipped. */
export class NotHere extends Error {}
