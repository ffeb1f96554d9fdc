import type { ScoreRow } from "./state.ts";
import { type FieldRates, fieldCounts, fieldRates } from "./tally.ts";

/** What each figure with an interval is worked out from: sums of these over samples. */
export const headlineColumns = [
  ...(["samples", "eqs", "valid", "noHallucination", "exactMatch"] as const),
  ...(["covered", "parseFailed", "schemaFailed"] as const),
  ...(["expected", "predicted", "strict", "partial", "lenient"] as const),
  ...(["typeCorrect", "missed", "spurious", "partialF1", "typeAccuracy"] as const),
] as const;
export type HeadlineColumn = (typeof headlineColumns)[number];

/** A row as numbers: those of the headline, and its rates for means beside them. */
export type RowNumbers = Record<HeadlineColumn, number> & FieldRates;

/** An invalid output has earned nothing; its missed fields are counted, its rates are 0. */
const nothing: FieldRates = {
  ...{ strictPrecision: 0, strictRecall: 0, strictF1: 0 },
  ...{ partialPrecision: 0, partialRecall: 0, partialF1: 0 },
  ...{ lenientPrecision: 0, lenientRecall: 0, lenientF1: 0 },
  ...{ typeAccuracy: 0, hallucinationRate: 0, omissionRate: 0 },
};

/**
 * The numbers of one row. Rates are 0–1, counts are fields.
 * Source: specification of the extraction suite, sections 5 and 6.
 * @example rowNumbers(row).noHallucination // 1 − spurious / predicted, 0 when invalid
 */
export function rowNumbers(row: ScoreRow): RowNumbers {
  const rates = row.valid ? fieldRates(row) : { ...nothing, omissionRate: row.missed > 0 ? 1 : 0 };
  const unparsed = row.status === "answered" && row.parse === "failed";
  return {
    ...rates,
    ...fieldCounts(row),
    ...{ samples: 1, eqs: row.eqs, valid: Number(row.valid), exactMatch: Number(row.exactMatch) },
    ...{ covered: Number(row.covered), parseFailed: Number(unparsed) },
    schemaFailed: Number(!row.valid && row.parse !== "failed"),
    noHallucination: row.valid ? 1 - rates.hallucinationRate : 0,
    ...{ strict: row.identical, partial: row.exact + 0.5 * row.partial, lenient: row.lenient },
    ...{ typeCorrect: row.typeCorrect, missed: row.missed, spurious: row.spurious },
  };
}

/** The samples of a run, repeats averaged, and the cluster each belongs to. */
export interface SampleNumbers {
  samples: RowNumbers[];
  /** Id of each sample. */
  ids: string[];
  /** Unit of resampling of each sample, from 0. */
  units: number[];
  /** Whether units are clusters of samples. */
  clustered: boolean;
}

/**
 * Averages the repeats of each sample and numbers the units of resampling: the samples, or where any
 * has a cluster, the clusters. Linear; in the order of the rows.
 * Source: specification of statistics, bootstrap interval.
 * @example sampleNumbers([row, repeatOfRow]).samples.length // 1
 */
export function sampleNumbers(rows: readonly ScoreRow[]): SampleNumbers {
  const repeats = new Map<string, ScoreRow[]>();
  for (const row of rows) {
    const known = repeats.get(row.id);
    if (known === undefined) repeats.set(row.id, [row]);
    else known.push(row);
  }
  const units = new Map<string, number>();
  const unitOf = (row: ScoreRow) => {
    const name = row.cluster === null ? `sample ${row.id}` : `cluster ${row.cluster}`;
    const unit = units.get(name) ?? units.size;
    units.set(name, unit);
    return unit;
  };
  const groups = [...repeats.values()];
  return {
    ids: [...repeats.keys()],
    samples: groups.map((group) => meanOf(group.map(rowNumbers))),
    units: groups.map((group) => unitOf(group[0]!)),
    clustered: rows.some((row) => row.cluster !== null),
  };
}

function meanOf(repeats: RowNumbers[]): RowNumbers {
  const first = repeats[0]!;
  if (repeats.length === 1) return first;
  const names = Object.keys(first) as (keyof RowNumbers)[];
  const mean = (name: keyof RowNumbers) =>
    repeats.reduce((sum, numbers) => sum + numbers[name], 0) / repeats.length;
  const means = { ...first };
  for (const name of names) means[name] = mean(name);
  return means;
}

/**
 * The headline columns summed by unit, for the bootstrap.
 * @example unitColumns(sampleNumbers(rows))[0]!.length // number of units
 */
export function unitColumns({ samples, units }: SampleNumbers): Float64Array[] {
  const count = units.reduce((most, unit) => Math.max(most, unit + 1), 0);
  return headlineColumns.map((name) => {
    const column = new Float64Array(count);
    samples.forEach((sample, i) => {
      column[units[i]!]! += sample[name];
    });
    return column;
  });
}
