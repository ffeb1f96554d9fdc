import { hash32 } from "../../stats/hash32.ts";
import { atLeast } from "../report/figures/tier.ts";

/** Maximum number of units counted separately; more units are merged into this number of groups. */
const mostUnits = 4_096;

/** How often the repeats of one sample passed. */
export interface SamplePasses {
  passed: number;
  repeats: number;
}

/**
 * The passes of a run's samples by unit of resampling, while answers are added. The size stops growing at 4,096 units.
 */
export interface PassTally {
  /** The score from which an answer passes. */
  passScore: number;
  /** The sample whose repeats are being added. */
  open: (SamplePasses & { id: string; unit: number }) | null;
  /** By unit, then by "passed/repeats": the number of samples. */
  units: Record<number, Record<string, number>>;
  /** Number of units, and whether they are groups of units. */
  size: number;
  isGrouped: boolean;
}

/**
 * An empty tally; null if answers neither pass nor fail.
 * @example noPasses(1)?.units // {}
 */
export const noPasses = (passScore: number | null): PassTally | null =>
  passScore === null ? null : { passScore, open: null, units: {}, size: 0, isGrouped: false };

/** A scored answer: its sample, the name of the sample's unit, and its score, 0–1. */
interface ScoredAnswer {
  id: string;
  unit: string;
  score: number;
}

/**
 * Adds an answer; the repeats of a sample one after the other. Changes `tally`.
 * @example addPass(tally, { id: "a", unit: "sample a", score: 1 })
 */
export function addPass(tally: PassTally, { id, unit, score }: ScoredAnswer): void {
  if (tally.open?.id !== id) {
    close(tally);
    tally.open = { id, unit: hash32(unit), passed: 0, repeats: 0 };
  }
  tally.open.repeats += 1;
  if (atLeast(score, tally.passScore)) tally.open.passed += 1;
}

function close(tally: PassTally): void {
  if (tally.open === null) return;
  const { unit, passed, repeats } = tally.open;
  count(tally, unit, `${passed}/${repeats}`, 1);
  if (tally.size <= mostUnits) return;
  const { units } = tally;
  Object.assign(tally, { units: {}, size: 0, isGrouped: true });
  for (const [name, samples] of Object.entries(units)) {
    for (const [passes, times] of Object.entries(samples)) count(tally, +name, passes, times);
  }
}

function count(tally: PassTally, unit: number, passes: string, times: number): void {
  const name = tally.isGrouped ? unit % mostUnits : unit;
  let samples = tally.units[name];
  if (samples === undefined) {
    samples = {};
    tally.units[name] = samples;
    tally.size += 1;
  }
  samples[passes] = (samples[passes] ?? 0) + times;
}

/**
 * The samples of each unit. Linear in samples.
 * @example passesByUnit(tally) // [[{ passed: 3, repeats: 4 }]]
 */
export function passesByUnit(tally: PassTally): SamplePasses[][] {
  const whole = JSON.parse(JSON.stringify(tally)) as PassTally;
  close(whole);
  return Object.values(whole.units).map((samples) =>
    Object.entries(samples).flatMap(([passes, times]) => {
      const [passed = 0, repeats = 0] = passes.split("/").map(Number);
      return new Array<SamplePasses>(times).fill({ passed, repeats });
    }),
  );
}
