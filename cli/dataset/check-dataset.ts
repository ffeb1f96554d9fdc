import type { Suite } from "#shared/contracts/suite.ts";
import { DatasetVersion } from "../compare/compare-paths.ts";
import { BadInput } from "../errors.ts";
import type { OpenFile } from "../files/open-file.ts";
import type { RowNotes } from "../files/row-notes.ts";
import { IdTable } from "../score/id-table.ts";
import { SampleReader, type UsableSample } from "../score/read-samples.ts";

/** The outcome of a check. */
export interface CheckedDataset {
  suite: string;
  /** Samples that can be used. */
  samples: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** As the service names this version of the samples that can be used. */
  version: string;
}

interface Checking {
  suite: Suite;
  /** Told of each sample that can be used, in the file's order. */
  onSample?(sample: UsableSample): void;
  /** Remarks kept of each kind; without it, as many as the service keeps. */
  maxNotes?: number;
}

/** Reads a dataset as the service does. Throws BadInput where it holds no row. */
export function checkDataset(
  file: OpenFile,
  { suite, onSample, maxNotes }: Checking,
): CheckedDataset {
  const reader = new SampleReader(suite, new IdTable(), maxNotes);
  const version = new DatasetVersion();
  let samples = 0;
  for (const sample of reader.read(file)) {
    samples++;
    version.add(sample.row, sample.bytes);
    onSample?.(sample);
  }
  const { malformed, warnings } = reader;
  if (samples + malformed.count === 0) throw new BadInput(`${file.name}: no samples found`);
  return { suite: suite.id, samples, malformed, warnings, version: version.digest() };
}

/** The first thing that is wrong, where nothing can be used. */
export function noUsableSample({ name }: OpenFile, { malformed }: CheckedDataset): BadInput {
  const [first] = malformed.kept;
  const where = first === undefined ? name : `${name}:${first.line}`;
  return new BadInput(`${where}: no valid sample; the first problem: ${first?.reason}`);
}
