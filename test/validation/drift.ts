import { detectableDrop } from "../../shared/measures/drift/detectable-drop.ts";
import {
  driftEvidence,
  isDrift,
  mostAtOneEnd,
} from "../../shared/measures/drift/drift-evidence.ts";
import { type Check, clamped, Draws } from "./check.ts";

/** Position of a drawn score. */
interface Place {
  sample: number;
  rerun: number;
  /** The run's shared deviation of the samples of each source. */
  waves: readonly number[];
}

/** Draws the score of a sample for a model of this skill, 0–1. */
type Score = (skill: number, draws: Draws, place: Place) => number;

const SOURCES = 12;
const together = `${SOURCES} sources that vary together`;

/** Ways in which the scores of an unchanged model vary between runs. */
const settings: Readonly<Record<string, Score>> = {
  "always the same": (skill) => skill,
  "right or wrong by chance": (skill, draws) => Number(draws.isOne(skill)),
  "noise of SD 0.1": (skill, draws) => clamped(skill + 0.1 * draws.normal()),
  "noise of SD 0.3": (skill, draws) => clamped(skill + 0.3 * draws.normal()),
  "mostly the same, 5% anything": (skill, draws) => (draws.isOne(0.05) ? draws.uniform() : skill),
  "nearly always right, 2% wrong": (_, draws) => Number(!draws.isOne(0.02)),
  "five levels": (skill, draws) => Math.round(4 * clamped(skill + 0.15 * draws.normal())) / 4,
  "hard samples vary, easy ones don't": (skill, draws) =>
    skill > 0.6 ? 1 : Number(draws.isOne(skill)),
  [together]: (skill, _, { sample, waves }) => clamped(skill + 0.2 * waves[sample % SOURCES]!),
};
const setting = (name: string): Score => settings[name]!;

/** Repeated runs of a model; re-runs from `from` on are tested. */
interface Series {
  samples: number;
  score: Score;
  from: number;
  reruns: number;
}

/** The first flagged re-run of a series, or null. */
function firstFlagged(draws: Draws, { samples, score, from, reruns }: Series): number | null {
  const skills = draws.list(samples, () => 0.2 + 0.8 * draws.uniform());
  const unitOf = skills.map((_, i) => (score === settings[together] ? i % SOURCES : i));
  const runs: Float64Array[] = [];
  for (let rerun = 0; rerun <= reruns; rerun++) {
    const waves = draws.list(SOURCES, () => draws.normal());
    runs.push(
      Float64Array.from(skills, (skill, sample) => score(skill, draws, { sample, rerun, waves })),
    );
    if (rerun < from) continue;
    const isLong = runs.length > 2 * mostAtOneEnd;
    const both = isLong ? [...runs.slice(0, mostAtOneEnd), ...runs.slice(-mostAtOneEnd)] : runs;
    const difference = runs[rerun]!.reduce((sum, one, i) => sum + one - runs[0]![i]!, 0) / samples;
    if (isDrift(driftEvidence(both, unitOf), difference)) return rerun;
  }
  return null;
}

interface Simulated extends Series, Pick<Check, "group" | "what" | "least" | "most"> {
  of: number;
}

function simulated({ group, what, of, least, most, ...series }: Simulated): Check {
  const draws = new Draws(`${group} ${what}`);
  let happened = 0;
  for (let i = 0; i < of; i++) if (firstFlagged(draws, series) !== null) happened++;
  const bounds = { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
  return { group, what, of, happened, ...bounds };
}

/** How often a drift is flagged without a change. */
export function* falseAlarms(scale: number): Generator<Check> {
  for (const what of Object.keys(settings)) {
    yield simulated({
      group: "a drift is flagged in 20 re-runs, without a change",
      what,
      of: Math.ceil(400 * scale),
      most: 0.05,
      samples: 72,
      score: setting(what),
      from: 1,
      reruns: 20,
    });
  }
  for (const what of ["right or wrong by chance", "noise of SD 0.1"]) {
    yield simulated({
      group: "a drift is flagged in 500 re-runs, without a change",
      what,
      of: Math.ceil(40 * scale),
      most: 0.53,
      samples: 72,
      score: setting(what),
      from: 1,
      reruns: 500,
    });
  }
}

/** Changes that start at a re-run, and the minimum share that is found within five re-runs. */
const changes: readonly {
  what: string;
  samples: number;
  scoreFrom: (at: number) => Score;
  least: Readonly<Record<number, number>>;
  share: number;
}[] = [
  ...["always the same", "noise of SD 0.1"].map((name) => ({
    what: `7 of 72 samples fail; the others: ${name}`,
    samples: 72,
    scoreFrom:
      (at: number): Score =>
      (skill, draws, place) =>
        place.rerun >= at && place.sample < 7 ? 0 : setting(name)(skill, draws, place),
    least: { 3: 0.8, 100: 0.8 },
    share: 1,
  })),
  {
    what: "a drop of 0.05, noise of SD 0.1, n = 72",
    samples: 72,
    scoreFrom:
      (at) =>
      (skill, draws, { rerun }) =>
        skill + 0.1 * draws.normal() - (rerun >= at ? 0.05 : 0),
    least: { 3: 0.95, 100: 0.95 },
    share: 1,
  },
  {
    what: "right or wrong, a drop of 0.05, n = 500",
    samples: 500,
    scoreFrom:
      (at) =>
      (skill, draws, { rerun }) =>
        Number(draws.isOne(skill - (rerun >= at ? 0.05 : 0))),
    least: { 3: 0.6, 100: 0.6 },
    share: 1,
  },
];

/** How often a change is flagged within five re-runs, at the third and at the hundredth. */
export function* foundDrifts(scale: number): Generator<Check> {
  for (const { what, samples, scoreFrom, least, share } of changes) {
    for (const at of [3, 100]) {
      yield simulated({
        group: "a drift is flagged within five re-runs",
        what: `${what}, from re-run ${at} on`,
        of: Math.ceil(400 * scale * share),
        least: least[at]!,
        samples,
        score: scoreFrom(at),
        from: at,
        reruns: at + 4,
      });
    }
  }
}

const dropping: Readonly<Record<string, (draws: Draws, drop: number) => number>> = {
  "noise of SD 0.1": (draws, drop) => 0.7 + 0.1 * draws.normal() - drop,
  "nearly always right, 2% wrong": (draws, drop) => Number(draws.isOne(0.98 - drop)),
};

/** How often the smallest detectable drop, which timelines show, is found within five re-runs. */
export function* detectedDrops(scale: number): Generator<Check> {
  for (const name of Object.keys(dropping)) {
    for (const before of [3, 5, 8]) yield detectedDrop(name, before, Math.ceil(400 * scale));
  }
}

function detectedDrop(name: string, before: number, of: number): Check {
  const what = `the smallest drop that is shown after ${before} runs, ${name}, n = 72`;
  const draws = new Draws(what);
  const run = (drop: number) =>
    Float64Array.from({ length: 72 }, () => dropping[name]!(draws, drop));
  let happened = 0;
  for (let i = 0; i < of; i++) {
    const runs = Array.from({ length: before }, () => run(0));
    const drop = detectableDrop(runs) ?? 0;
    const isFound = [1, 2, 3, 4, 5].some(() => {
      runs.push(run(drop));
      return driftEvidence(runs) >= 20;
    });
    if (isFound) happened++;
  }
  return { group: "a drift is flagged within five re-runs", what, of, happened, least: 0.8 };
}
