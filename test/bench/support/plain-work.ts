/** Computes means of resamples in a textbook loop, the yardstick of intervals. Returns their median. */
export function plainResamples(values: Float64Array, resamples: number): number {
  const means = new Float64Array(resamples);
  for (let k = 0; k < resamples; k++) {
    let sum = 0;
    for (let i = 0; i < values.length; i++)
      sum += values[Math.floor(Math.random() * values.length)]!;
    means[k] = sum / values.length;
  }
  return means.sort()[resamples >> 1]!;
}

/** Sorts the scores of models and resamples those of the first hundred in loops, the yardstick of boards. */
export function plainRanking(models: number, samples: number): void {
  const scores = Float64Array.from({ length: models }, () => Math.random()).sort();
  for (let model = 0; model < Math.min(models, 100); model++) {
    plainResamples(
      Float64Array.from({ length: samples }, () => scores[model]! * Math.random()),
      10_000,
    );
  }
}

/** Parses JSON texts, the yardstick of code that reads them. */
export function plainParse(texts: readonly string[]): void {
  for (const text of texts) JSON.parse(text);
}
