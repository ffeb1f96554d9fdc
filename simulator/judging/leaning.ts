import { type Draws, drawNormal, drawsFrom } from "../draws.ts";

/** Standard deviations, in levels: of a judge's habit with a metric, and from one answer to the next. */
const habit = 0.25;
const mood = 0.38;

/** Share of findings that a judge overlooks. */
const overlooked = 0.04;

/** Shares are given in twentieths, as people give them. */
const shareSteps = 20;

/** How a judge turns what it sees into a verdict: by habits of its own, and never twice quite alike. */
export interface Leaning {
  /** A level, 1–5, where the answer is worth `quality` levels. */
  level(quality: number): number;
  /** A share, 0–1, where it is worth that share; what is beyond doubt stays as it is. */
  share(quality: number): number;
  /** Whether it notices something. */
  notices(): boolean;
  /** How much evidence it wants, relative to other judges: about 1. */
  strictness: number;
}

/** The leaning of a judge, named by `self`, in questions of `metric`; `draws` decide this answer's luck. */
export function leaningOf(self: string, metric: string, draws: Draws): Leaning {
  const lenience = habit * drawNormal(drawsFrom("judge", self, metric));
  const shift = lenience + mood * drawNormal(draws);
  return {
    level: (quality) => Math.min(5, Math.max(1, Math.round(quality + shift))),
    share(quality) {
      const doubt = 4 * quality * (1 - quality);
      const value = Math.min(1, Math.max(0, quality + (shift / 4) * doubt));
      return Math.round(value * shareSteps) / shareSteps;
    },
    notices: () => !draws.chance(overlooked),
    strictness: 1 - lenience / 2,
  };
}
