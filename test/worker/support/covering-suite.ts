import type { Suite } from "../../../shared/contracts/suite.ts";
import { relaySuite } from "./relay-suite.ts";

/** The relay suite, with the coverage computed from its samples. */
const coveringSuite: Suite = {
  ...(relaySuite as Suite),
  aggregate: {
    empty: () => ({ scored: [] }),
    add: (state, { score }) => ({
      scored: [...(state as Scored).scored, [score.score ?? 0, score.covered]],
    }),
    finish(state) {
      const { scored } = state as Scored;
      const shareOf = (count: number) => count / scored.length;
      const value = shareOf(scored.reduce((sum, [score]) => sum + score, 0));
      const coverage = shareOf(scored.filter(([, covered]) => covered).length);
      return {
        metrics: { passed: { value, interval: null, n: scored.length, coverage } },
        breakdown: null,
      };
    },
  },
};
interface Scored {
  scored: [number, boolean][];
}
/** A registry with this suite only. */
export const covering = {
  all: [coveringSuite],
  byId: (id: string) => (id === "relay" ? coveringSuite : undefined),
};
