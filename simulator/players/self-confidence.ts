import { type Draws, drawNormal, drawsFrom } from "../draws.ts";
import type { MistakeRates } from "../mistakes/rates.ts";
import type { Play } from "./player.ts";

/** Tries by which it is found out how often a model is right about a sample. */
const tries = 24;

/** How far apart, in standard deviations, right and wrong answers feel. */
const separation = 2.2;

/** Of a model that never errs. */
export const flawlessConfidence = 0.999;

/**
 * How sure a model is of an answer, 0–1: the probability that it is right, given how often the model is
 * right about this sample and a feeling that differs between right and wrong answers, as signal detection
 * has it. So of all answers with confidence c about the share c is right.
 */
export function selfConfidence(right: boolean, skill: number, draws: Draws): number {
  const feeling = drawNormal(draws) + (right ? separation / 2 : -separation / 2);
  const logit = Math.log(skill / (1 - skill)) + separation * feeling;
  return Number((1 / (1 + Math.exp(-logit))).toFixed(4));
}

/**
 * How often a model is right about the sample that `key` names, between 0 and 1 exclusively: found out
 * once for each model and sample, whatever was asked before.
 */
export function skillMeter(): (
  key: string,
  play: Play,
  isRight: (play: Play) => boolean,
) => number {
  const known = new WeakMap<MistakeRates, Map<string, number>>();
  return (key, play, isRight) => {
    const { rates } = play;
    const skills = known.get(rates) ?? new Map<string, number>();
    known.set(rates, skills);
    const skill = skills.get(key) ?? measured({ ...play, draws: drawsFrom("skill", key) }, isRight);
    skills.set(key, skill);
    return skill;
  };
}

function measured(play: Play, isRight: (play: Play) => boolean): number {
  const successes = Array.from({ length: tries }, () => isRight(play)).filter(Boolean);
  return (successes.length + 0.5) / (tries + 1);
}
