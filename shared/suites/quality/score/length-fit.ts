/** How close a response's length comes to what its prompt asks for. */
export interface LengthFit {
  /** 0–1. */
  score: number;
  promptWords: number;
  responseWords: number;
  /** `lengthRatio` · words of the prompt. */
  idealWords: number;
}

/**
 * How close the length of a response comes to `ratio` times that of its prompt, in words, 0–1:
 * max(0, 1 − |ln(response / (ratio · prompt))|). 0 where either has no word.
 * Source: docs/spec/quality.md, length.
 * @example lengthFit(3, 8, 2.5).score // 0.935…
 */
export function lengthFit(promptWords: number, responseWords: number, ratio: number): LengthFit {
  const idealWords = ratio * promptWords;
  const isEmpty = promptWords === 0 || responseWords === 0;
  const score = isEmpty ? 0 : Math.max(0, 1 - Math.abs(Math.log(responseWords / idealWords)));
  return { score, promptWords, responseWords, idealWords };
}
