import type { Json } from "./json.ts";
import type { SampleToShow } from "./suite.ts";

/** A column of a suite's table of judged parts. */
interface FieldColumn {
  id: string;
  /** What a cell holds, with its range. */
  description: string;
}

/** A judged part of an answer: a cell by column, null where there is nothing. */
export type FieldRow = Readonly<Record<string, Json>>;

/**
 * What a suite judges of one answer, part by part: a field, a slot, an argument, a component, a judgment. A
 * sample has a row for each part of what its detail keeps.
 */
export interface FieldTable<Sample, Detail> {
  columns: readonly FieldColumn[];
  /** Every row has every column; none where the detail is not kept, or the answer was not judged. Never throws. */
  rows(shown: SampleToShow<Sample, Detail>): FieldRow[];
}

/** A sample as texts, for formats that know nothing of suites. */
export interface SampleText {
  /** What is asked, without prompt and without what is expected. */
  input: string;
  /** What is expected; empty where nothing is. */
  references: string[];
}
