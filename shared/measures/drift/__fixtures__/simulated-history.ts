import { xoshiro128 } from "../../../stats/xoshiro128.ts";
import { driftEvidence, isDrift } from "../drift-evidence.ts";
import { mostAtOneEnd, stepEValue } from "../step-e-value.ts";

/** Draws 0–1, the same for the same seed. */
export function uniform(seed: string): () => number {
  const source = xoshiro128(seed);
  return () => (source() + 0.5) / 2 ** 32;
}

/** How a model whose sample is this hard (0–1: how well it does as a rule) scores in one run. */
export type Draw = (skill: number, random: () => number) => number;

/** A history to simulate: `skillAt` changes how well a sample does from some re-run on. */
interface History {
  samples: number;
  reruns: number;
  draw: Draw;
  skillAt?: (skill: number, rerun: number) => number;
}

const meanDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, score, i) => sum + score - b[i]!, 0) / a.length;

/** The re-runs (from 1) of one history at which a drift is flagged, all against its first run. */
export function flaggedReruns(random: () => number, history: History): number[] {
  const { samples, reruns, draw, skillAt = (skill) => skill } = history;
  const skills = Array.from({ length: samples }, random);
  const runs: Float64Array[] = [];
  const flagged: number[] = [];
  let evidence = 0;
  for (let rerun = 0; rerun <= reruns; rerun++) {
    runs.push(Float64Array.from(skills, (skill) => draw(skillAt(skill, rerun), random)));
    if (rerun === 0) continue;
    const ends = [...runs.slice(0, mostAtOneEnd), ...runs.slice(mostAtOneEnd).slice(-mostAtOneEnd)];
    evidence = driftEvidence(evidence, rerun, stepEValue(ends));
    if (isDrift(evidence, meanDifference(runs.at(-1)!, runs[0]!))) flagged.push(rerun);
  }
  return flagged;
}
