/** Means of resamples as the textbook's loop computes them: the yardstick of intervals. Returns their median. */
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

/** Parses JSON texts: the yardstick of whatever reads them. */
export function plainParse(texts: readonly string[]): void {
  for (const text of texts) JSON.parse(text);
}
