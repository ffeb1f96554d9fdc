/** A term this small no longer changes the sum. */
const negligible = 1e-17;

/**
 * Two-sided p of Student's t: the chance of |T| ≥ |t| with `degrees` degrees of freedom (a whole
 * number from 1), 0–1 to about 1e-14. The finite series for whole degrees: O(degrees), less for a
 * large t.
 * Source: Abramowitz and Stegun 1964, 26.7.3 and 26.7.4; specification of statistics, Pearson.
 * @example studentTwoSided(2, 5) // 0.10194
 */
export function studentTwoSided(t: number, degrees: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(degrees));
  const cosine2 = degrees / (degrees + t * t);
  const odd = degrees % 2 === 1;
  let term = odd ? Math.sqrt(cosine2) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = odd ? 2 : 1; k < degrees - 2 && term > negligible; k += 2) {
    term *= (cosine2 * k) / (k + 1);
    sum += term;
  }
  const within = Math.sin(angle) * sum;
  return Math.max(0, 1 - (odd ? (2 / Math.PI) * (angle + within) : within));
}
