import { xoshiro128 } from "../../../stats/xoshiro128.ts";
import { driftEvidence, isDrift, mostAtOneEnd } from "../drift-evidence.ts";

/** Draws 0–1, the same for the same seed. */
export function uniform(seed: string): () => number {
  const source = xoshiro128(seed);
  return () => (source() + 0.5) / 2 ** 32;
}

/** The score in one run of a model on a sample with this skill (0–1, its usual score). */
export type Draw = (skill: number, random: () => number) => number;

/**
 * A history to simulate: `skillAt` changes the skill of a sample from some re-run on; samples for which `isLeft` is
 * false have no score in a re-run, like a row changed by another dataset version.
 */
interface History {
  samples: number;
  reruns: number;
  draw: Draw;
  skillAt?: (skill: number, rerun: number) => number;
  isLeft?: (sample: number, rerun: number) => boolean;
}

function meanDifference(a: Float64Array, b: Float64Array): number {
  const differences = a.map((score, i) => score - b[i]!).filter((one) => !Number.isNaN(one));
  return differences.reduce((sum, one) => sum + one, 0) / differences.length;
}

/** The first re-run (from 1) of a history that is flagged as drift, compared with the first run. Draws every run. */
export function firstFlagged(random: () => number, history: History): number | undefined {
  const { samples, reruns, draw, skillAt = (skill) => skill, isLeft = () => true } = history;
  const skills = Array.from({ length: samples }, random);
  const runs: Float64Array[] = [];
  let flagged: number | undefined;
  for (let rerun = 0; rerun <= reruns; rerun++) {
    const scoreOf = (skill: number, i: number) =>
      isLeft(i, rerun) ? draw(skillAt(skill, rerun), random) : Number.NaN;
    runs.push(Float64Array.from(skills, scoreOf));
    if (rerun === 0 || flagged !== undefined) continue;
    const ends = [...runs.slice(0, mostAtOneEnd), ...runs.slice(mostAtOneEnd).slice(-mostAtOneEnd)];
    const evidence = driftEvidence(ends);
    if (isDrift(evidence, meanDifference(runs.at(-1)!, runs[0]!))) flagged = rerun;
  }
  return flagged;
}
