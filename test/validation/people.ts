import { correctedMean, type RatedUnit } from "../../shared/stats/significance/corrected-mean.ts";
import { type Check, Draws } from "./check.ts";

const group = "means corrected by people's ratings contain people's true mean";
const SIMULATIONS = 500;
/** Number of draws that determine a true mean to about 0.001 of the scale. */
const DRAWN_FOR_TRUTH = 200_000;

/** The judge's value of an answer, and the mean of people's ratings. */
type Pair = readonly [judge: number, people: number];

/** A simulated kind of answers, people and judge. */
interface Setting {
  name: string;
  scale: readonly [number, number];
  answers: number;
  rated: number;
  /** Answers per cluster; default 1. */
  cluster?: number;
  /** `shared`: a standard normal number shared by a cluster's answers. */
  draw: (draws: Draws, shared: number) => Pair;
  /** Maximum share of uncorrected intervals that contain the true mean; missing if the judge is unbiased. */
  plainMost?: number;
}

const levels = (value: number): number => Math.min(5, Math.max(1, Math.round(value)));
const quarters = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 4) / 4));

/** Two people with noise, and a judge whose levels are `bias` too high and depend on the quality with `weight`. */
const leveled =
  ({ quality = 3.4, bias = 0.6, weight = 0.8, spread = 1 } = {}) =>
  (draws: Draws, shared = 0): Pair => {
    const own = quality + spread * (0.6 * shared + 0.8 * draws.normal());
    const people = [0, 1].map(() => levels(own + 0.5 * draws.normal()));
    const judge = quality + weight * (own - quality) + bias + 0.5 * draws.normal();
    return [levels(judge), (people[0]! + people[1]!) / 2];
  };

/** One person, and a judge that passes nearly all good answers and the share `lenience` of the bad ones. */
const passing =
  (share: number, lenience: number) =>
  (draws: Draws): Pair => {
    const isGood = draws.isOne(share);
    return [Number(draws.isOne(isGood ? 0.99 : lenience)), Number(isGood)];
  };

const settings: readonly Setting[] = [
  {
    name: "levels, judge 0.6 too lenient, 30 of 300 rated",
    scale: [1, 5],
    answers: 300,
    rated: 30,
    draw: leveled(),
    plainMost: 0.5,
  },
  {
    name: "levels, judge 0.6 too lenient, 100 of 300 rated",
    scale: [1, 5],
    answers: 300,
    rated: 100,
    draw: leveled(),
    plainMost: 0.5,
  },
  {
    name: "levels, judge 0.4 too strict, 60 of 1,000 rated",
    scale: [1, 5],
    answers: 1_000,
    rated: 60,
    draw: leveled({ bias: -0.4 }),
    plainMost: 0.5,
  },
  {
    name: "levels, a judge that gives the same to all, 60 of 300 rated",
    scale: [1, 5],
    answers: 300,
    rated: 60,
    draw: leveled({ weight: 0, bias: 1 }),
    plainMost: 0.5,
  },
  {
    name: "levels, most answers good, judge 0.6 too lenient, 60 of 300 rated",
    scale: [1, 5],
    answers: 300,
    rated: 60,
    draw: leveled({ quality: 4.6, spread: 0.6 }),
    plainMost: 0.5,
  },
  {
    name: "levels, clusters of 5 answers, judge 0.6 too lenient, 100 of 500 rated",
    scale: [1, 5],
    answers: 500,
    rated: 100,
    cluster: 5,
    draw: leveled(),
    plainMost: 0.5,
  },
  {
    name: "shares in quarters, judge 0.15 too lenient, 60 of 300 rated",
    scale: [0, 1],
    answers: 300,
    rated: 60,
    draw: (draws) => {
      const quality = 0.6 + 0.25 * draws.normal();
      return [
        quarters(quality + 0.15 + 0.1 * draws.normal()),
        quarters(quality + 0.15 * draws.normal()),
      ];
    },
    plainMost: 0.5,
  },
  {
    name: "pass or fail, 80% pass, judge too lenient, 60 of 300 rated",
    scale: [0, 1],
    answers: 300,
    rated: 60,
    draw: passing(0.8, 0.5),
    plainMost: 0.5,
  },
  {
    name: "pass or fail, 95% pass, judge too lenient, 40 of 300 rated",
    scale: [0, 1],
    answers: 300,
    rated: 40,
    draw: passing(0.95, 0.95),
    plainMost: 0.5,
  },
  {
    name: "levels, judge without bias, 60 of 300 rated",
    scale: [1, 5],
    answers: 300,
    rated: 60,
    draw: leveled({ bias: 0, weight: 1 }),
  },
];

/** Corrected means with simulated people and judges of known bias. */
export function* correctedMeans(part: number): Generator<Check> {
  const of = Math.round(SIMULATIONS * part);
  for (const setting of settings) {
    const truth = trueMean(setting);
    let [corrected, plain, width, ratedOnly] = [0, 0, 0, 0];
    for (let i = 0; i < of; i++) {
      const pairs = drawn(setting, new Draws(`people ${setting.name} ${i}`));
      const result = correctedMean(unitsOf(setting, pairs), setting.scale);
      const [low, high] = result?.interval ?? [Number.NaN, Number.NaN];
      corrected += Number(low <= truth && truth <= high);
      width += (high - low) / of;
      plain += Number(
        isWithin(
          pairs.map(([judge]) => judge),
          truth,
        ),
      );
      const own = pairs.slice(0, setting.rated).map(([, people]) => people);
      ratedOnly += (2 * reachOf(own)) / of;
    }
    const { name, plainMost } = setting;
    const narrower = `people alone: mean width ${ratedOnly.toPrecision(3)}`;
    yield {
      group,
      what: `${name} (${narrower})`,
      of,
      happened: corrected,
      least: 0.93,
      width,
    };
    if (plainMost === undefined) continue;
    yield {
      group,
      what: `${name}: the judge's own interval`,
      of,
      happened: plain,
      most: plainMost,
    };
  }
}

function trueMean({ draw }: Setting): number {
  const draws = new Draws("the truth about people");
  let sum = 0;
  for (let i = 0; i < DRAWN_FOR_TRUTH; i++) sum += draw(draws, draws.normal())[1];
  return sum / DRAWN_FOR_TRUTH;
}

/** Answers in random order of clusters, so the first `rated` ones are the random sample that people rate. */
function drawn({ answers, cluster = 1, draw }: Setting, draws: Draws): Pair[] {
  return draws
    .list(answers / cluster, () => {
      const shared = draws.normal();
      return draws.list(cluster, () => draw(draws, shared));
    })
    .flat();
}

function unitsOf({ cluster = 1, rated }: Setting, pairs: readonly Pair[]): RatedUnit[] {
  return Array.from({ length: pairs.length / cluster }, (_, k) => {
    const from = k * cluster;
    const answers = pairs.slice(from, from + cluster);
    if (from < rated) return { unrated: { n: 0, sum: 0 }, rated: answers };
    const sum = answers.reduce((all, [judge]) => all + judge, 0);
    return { unrated: { n: answers.length, sum }, rated: [] };
  });
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Half the width of the usual 95% interval of a mean. */
function reachOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return 1.96 * Math.sqrt(squares / (values.length - 1) / values.length);
}

const isWithin = (values: readonly number[], truth: number): boolean =>
  Math.abs(meanOf(values) - truth) <= reachOf(values);
