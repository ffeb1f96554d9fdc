/** What a row is held to: its ratio where it has a yardstick, its value where it has none. */
type Target =
  /** At most so many times the yardstick, or at most so much. */
  | { atMost: number }
  /** At least so many times as fast as the yardstick (or as small), or at least so much. */
  | { atLeast: number };

/** One line of the table. */
export interface BenchRow {
  /** Group and name, as `scoring/gold`. */
  name: string;
  /** What was measured, on what. */
  what: string;
  /** Of the value, and of its yardstick: of something that is better when there is less of it. */
  unit: string;
  /** The work to which the measured work is compared, in words: "parsing the same rows". Missing: none. */
  yardstick?: string;
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

/** Measured work and its yardstick, one right after the other, in the unit of the row. */
export interface Pair {
  measured: number;
  yardstick: number;
}

/** What one round gives a row: a pair if the row has a yardstick, otherwise the value. */
export type Measured = number | Pair;

/** One round: measures all rows of a bench once. */
export type Measurement = () => Measured[] | Promise<Measured[]>;

/** Takes what is to be done after the last round, even after a failure. */
export type OnEnd = (work: () => void | Promise<void>) => void;

/** Numbers that are measured together, a row each. A file in `rows/` holds one or a few. */
export interface Bench {
  rows: readonly BenchRow[];
  /** For what takes long: at most so many rounds, and no warm-up. */
  repeats?: number;
  /**
   * Builds what is measured and returns a round: one entry a row, in their order. Throws `NotHere` if the machine
   * lacks something that is not part of the project.
   */
  prepare(settings: Settings, onEnd: OnEnd): Measurement | Promise<Measurement>;
}

/** The machine lacks what a bench needs, such as Python: its rows are left out. */
export class NotHere extends Error {}
