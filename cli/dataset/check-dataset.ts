import type { Suite } from "#shared/contracts/suite.ts";
import { DatasetVersion } from "../compare/compare-paths.ts";
import { BadInput } from "../errors.ts";
import type { OpenFile } from "../files/open-file.ts";
import type { RowNotes } from "../files/row-notes.ts";
import { IdTable } from "../score/id-table.ts";
import { SampleReader, type UsableSample } from "../score/read-samples.ts";

/** The result of a check. */
export interface CheckedDataset {
  suite: string;
  /** Usable samples. */
  samples: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** Dataset version of the usable samples, as at the service. */
  version: string;
}

interface Checking {
  suite: Suite;
  /** Called for each usable sample, in the file's order. */
  onSample?(sample: UsableSample): void;
  /** Maximum notes of each kind; default: the service's limit. */
  maxNotes?: number;
}

/** Reads a dataset as the service does. Throws BadInput if it has no row. */
export function checkDataset(
  file: OpenFile,
  { suite, onSample, maxNotes }: Checking,
): CheckedDataset {
  const reader = new SampleReader(suite, new IdTable(), file, maxNotes);
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
