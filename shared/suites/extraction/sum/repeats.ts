import { hash32 } from "../../../stats/hash32.ts";
import type { RepeatIdentity } from "../score/score.ts";

/** The data by which repeats are compared: hashes of the output and of each field's value. */
export interface RepeatedAnswer {
  /** Null for an output that did not parse, which equals no other output. */
  output: number | null;
  /** By hash of the path: the hash of the value, and the value of a number. */
  values: Record<number, number | [hash: number, value: number]>;
}

/** Maximum compared fields of an answer: those with the smallest hashes of their paths. */
const mostFields = 200;

/**
 * The data by which an answer is compared with its repeats; null in a run without repeats.
 * @example repeatedAnswer(detail)?.output // the same number for the same output
 */
export function repeatedAnswer({ outputHash, fieldValues }: RepeatIdentity): RepeatedAnswer | null {
  if (outputHash === undefined) return null;
  const values = Object.entries(fieldValues ?? {})
    .map(([path, value]): [number, RepeatedAnswer["values"][number]] => {
      const hash = hash32(`${typeof value} ${value}`);
      return [hash32(path), typeof value === "number" ? [hash, value] : hash];
    })
    .sort(([a], [b]) => a - b)
    .slice(0, mostFields);
  const output = outputHash === null ? null : hash32(outputHash);
  return { output, values: Object.fromEntries(values) };
}

/**
 * How similar the repeats of each sample are; figures are null if nothing could be compared. A missing field counts as
 * a separate value. Linear in values.
 * Source: docs/spec/extraction.md, section 11.
 * @example consistencyOf([[first, second]]).modalShare // 1 if the outputs are equal
 */
export function consistencyOf(samples: readonly (readonly RepeatedAnswer[])[]) {
  const repeated = samples.filter((answers) => answers.length > 1).map(sampleConsistency);
  const modal = repeated.map((one) => one.modalShare);
  const fields = repeated.flatMap(({ agreements }) => agreements);
  const deviations = repeated.flatMap((one) => one.deviations);
  return {
    /** Samples with more than one repeat. */
    samples: repeated.length,
    /** Mean over samples of the share of repeats equal to the most frequent output. */
    modalShare: mean(modal),
    /** Mean over fields of the share of pairs of repeats with the same value. */
    fieldAgreement: mean(fields),
    fields: fields.length,
    /** Mean over numeric fields of the sample standard deviation of their values. */
    valueDeviation: mean(deviations),
    numericFields: deviations.length,
  };
}

/** How similar the repeats of one sample are. */
export type SampleConsistency = ReturnType<typeof sampleConsistency>;

/**
 * A sample's contribution to the consistency of its run.
 * @example sampleConsistency([first, second]).modalShare // 1 if the outputs are equal
 */
export const sampleConsistency = (answers: readonly RepeatedAnswer[]) => ({
  modalShare: modalShare(answers),
  /** By field. */
  agreements: fieldAgreements(answers),
  /** By numeric field. */
  deviations: valueDeviations(answers),
});

function modalShare(answers: readonly RepeatedAnswer[]): number {
  const outputs = answers.map(({ output }) => output).filter((output) => output !== null);
  return Math.max(0, ...countEach(outputs)) / answers.length;
}

function countEach(values: readonly (number | null)[]): number[] {
  const counts = new Map<number | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()];
}

function pathsOf(answers: readonly RepeatedAnswer[]): number[] {
  return [...new Set(answers.flatMap(({ values }) => Object.keys(values).map(Number)))];
}

function fieldAgreements(answers: readonly RepeatedAnswer[]): number[] {
  const pairs = (answers.length * (answers.length - 1)) / 2;
  return pathsOf(answers).map((path) => {
    const hashes = answers.map(({ values }) => [values[path] ?? null].flat()[0] ?? null);
    const same = countEach(hashes).reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
    return same / pairs;
  });
}

function valueDeviations(answers: readonly RepeatedAnswer[]): number[] {
  return pathsOf(answers).flatMap((path) => {
    const numbers = answers.flatMap(({ values }) => [values[path] ?? []].flat().slice(1));
    return numbers.length < 2 ? [] : [standardDeviation(numbers)];
  });
}

function standardDeviation(values: readonly number[]): number {
  const centre = mean(values) ?? 0;
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}
