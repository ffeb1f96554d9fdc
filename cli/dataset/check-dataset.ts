import type { Suite } from "#shared/contracts/suite.ts";
import { BadInput } from "../bad-input.ts";
import { DatasetVersion } from "../compare/dataset-version.ts";
import { IdTable } from "../score/id-table.ts";
import type { OpenFile } from "../score/open-file.ts";
import { SampleReader, type UsableSample } from "../score/read-samples.ts";
import type { RowNotes } from "../score/row-notes.ts";

/** What a dataset came to. */
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
  if (samples + malformed.count === 0) throw new BadInput(`${file.name}: it holds no sample`);
  return { suite: suite.id, samples, malformed, warnings, version: version.digest() };
}

/** The first thing that is wrong, where nothing can be used. */
export function nothingUsable({ name }: OpenFile, { malformed }: CheckedDataset): BadInput {
  const [first] = malformed.kept;
  const where = first === undefined ? name : `${name}:${first.line}`;
  return new BadInput(`${where}: no sample can be used; this one: ${first?.reason}`);
}
