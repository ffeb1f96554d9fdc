import { formatCount } from "../format/number.ts";

/** For how many tests the p-values of a board or a comparison are corrected, as part of a sentence. */
export const testFamily = (tests: number): string =>
  tests === 1
    ? "uncorrected, since there is but one comparison"
    : `corrected for ${formatCount(tests)} comparisons by Holm`;
