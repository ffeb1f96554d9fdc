import { columnAt, ratioOf } from "../../../measures/run-sums/named-sums.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { type Level, levels } from "../sample.ts";
import { type FailureClass, failureClasses } from "../score/failures.ts";
import type { ToolsDetail } from "../score/score.ts";
import { type LevelMeans, levelScore, timeScore, totalScore } from "../score/total-score.ts";
import type { TurnScore } from "../turns/score-turns.ts";

type LevelCount = `${Level}${"Samples" | "Timed" | "OnDevice"}`;
type LevelSum = `${Level}${"F1" | "Slowness"}`;

/** Numbers of the endpoints of a hybrid target. */
const hybridFractions = [
  "confidence",
  "localF1",
  "cloudF1",
  "localSlowness",
  "cloudSlowness",
] as const;

/** Column of an answer, or of the calls of a function in it. */
export type ToolsColumn =
  | LevelCount
  | LevelSum
  | FailureClass
  | (typeof wholeIds)[number]
  | (typeof fractionIds)[number];

const wholeIds = [
  "samples",
  "expected",
  "predicted",
  "matched",
  "allRight",
  "irrelevant",
  "irrelevantRight",
  "judged",
  "valid",
  "withCalls",
  "called",
  "rightlyCalled",
  "localAsked",
  "cloudAsked",
  "localFailed",
  "localTimed",
  "cloudTimed",
  "conversations",
  "conversationsRight",
  "turns",
  "turnsRight",
  "statesChecked",
  "statesRight",
] as const;
const fractionIds = ["precision", "recall", "f1", "turnF1", ...hybridFractions] as const;

/** The summed columns, in order. */
export const toolsColumns: readonly ToolsColumn[] = [
  ...wholeIds,
  ...levels.flatMap((level): LevelCount[] => [
    `${level}Samples`,
    `${level}Timed`,
    `${level}OnDevice`,
  ]),
  ...failureClasses,
  ...fractionIds,
  ...levels.flatMap((level): LevelSum[] => [`${level}F1`, `${level}Slowness`]),
];

const zeros = Object.fromEntries(toolsColumns.map((name) => [name, 0])) as Record<
  ToolsColumn,
  number
>;

/**
 * Zero for every column.
 * @example noNumbers().f1 // 0
 */
export function noNumbers(): Record<ToolsColumn, number> {
  return { ...zeros };
}

/**
 * An answer's numbers.
 * @example numbersOf(detail).f1 // 0–1
 */
export function numbersOf(detail: ToolsDetail): Record<ToolsColumn, number> {
  const { level, precision, recall, f1, expected, predicted, matched, irrelevant } = detail;
  const { judged, valid, slowness, onDevice, hybrid } = detail;
  const numbers: Record<ToolsColumn, number> = {
    ...noNumbers(),
    samples: 1,
    expected,
    predicted,
    matched,
    precision,
    recall,
    f1,
    judged,
    valid,
    withCalls: +(judged > 0),
    called: +(predicted > 0),
    rightlyCalled: +(predicted > 0 && !irrelevant),
    allRight: +(f1 === 1),
    irrelevant: +irrelevant,
    irrelevantRight: +(irrelevant && f1 === 1),
    [`${level}Samples`]: 1,
    [`${level}F1`]: f1,
    [`${level}OnDevice`]: +onDevice,
    [`${level}Timed`]: +(slowness !== null),
    [`${level}Slowness`]: slowness ?? 0,
  };
  for (const failure of detail.failures) numbers[failure.class]++;
  if (detail.turns) Object.assign(numbers, turnNumbers(detail.turns));
  if (hybrid) {
    const { confidence, localF1, cloudF1, localFailed, localSlowness, cloudSlowness } = hybrid;
    Object.assign(numbers, {
      localAsked: 1,
      cloudAsked: +(cloudF1 !== null),
      localFailed: +localFailed,
      confidence,
      localF1,
      cloudF1: cloudF1 ?? 0,
      localTimed: +(localSlowness !== null),
      cloudTimed: +(cloudSlowness !== null),
      localSlowness: localSlowness ?? 0,
      cloudSlowness: cloudSlowness ?? 0,
    });
  }
  return numbers;
}

function turnNumbers(turns: readonly TurnScore[]) {
  const count = (is: (turn: TurnScore) => boolean) => turns.filter(is).length;
  const right = count(({ failure }) => failure === null);
  return {
    conversations: 1,
    conversationsRight: +(right === turns.length),
    turns: turns.length,
    turnsRight: right,
    turnF1: turns.reduce((sum, turn) => sum + turn.f1, 0),
    statesChecked: count(({ state }) => state !== null),
    statesRight: count(({ state }) => state === true),
  };
}

/** Index of each column. */
export const at = columnAt(toolsColumns);

/** Indexes of a level's columns, computed once: lookups by concatenated names would take most of a resample's time. */
const columnsOf = (level: Level) => ({
  samples: at[`${level}Samples`],
  timed: at[`${level}Timed`],
  onDevice: at[`${level}OnDevice`],
  f1: at[`${level}F1`],
  slowness: at[`${level}Slowness`],
});
const [easy, medium, hard] = [columnsOf("easy"), columnsOf("medium"), columnsOf("hard")];
const allLevels = levels.map(columnsOf);

/**
 * The means of a level from summed columns; null if it has no samples.
 * @example levelMeans(sums, easy)?.f1 // 0–1
 */
function levelMeans(sums: ArrayLike<number>, its: ReturnType<typeof columnsOf>): LevelMeans | null {
  const samples = sums[its.samples]!;
  if (samples === 0) return null;
  const timed = sums[its.timed]!;
  return {
    f1: sums[its.f1]! / samples,
    slowness: timed === 0 ? null : sums[its.slowness]! / timed,
    onDevice: sums[its.onDevice]! / samples,
  };
}

const total: Statistic = (sums) =>
  totalScore({
    easy: levelMeans(sums, easy),
    medium: levelMeans(sums, medium),
    hard: levelMeans(sums, hard),
  });

const share = ratioOf(at);

/** Latency / baseline over all levels; null if unknown. */
function meanSlowness(sums: ArrayLike<number>): number | null {
  const timed = timedSamples(sums);
  const slowness = allLevels.reduce((sum, its) => sum + sums[its.slowness]!, 0);
  return timed === 0 ? null : slowness / timed;
}

/** F1 of making any call; null if no call is expected and none is made. */
const triggerF1: Statistic = (sums) => {
  const either = sums[at.called]! + sums[at.samples]! - sums[at.irrelevant]!;
  return either === 0 ? null : (2 * sums[at.rightlyCalled]!) / either;
};

const timedSamples = (sums: ArrayLike<number>): number =>
  allLevels.reduce((sum, its) => sum + sums[its.timed]!, 0);

const onDeviceRatio: Statistic = (sums) => {
  const answered = allLevels.reduce((sum, its) => sum + sums[its.onDevice]!, 0);
  return sums[at.samples] === 0 ? null : answered / sums[at.samples]!;
};

function ofLevel(level: Level, figure: (means: LevelMeans) => number | null): Statistic {
  const its = columnsOf(level);
  return (sums) => {
    const means = levelMeans(sums, its);
    return means && figure(means);
  };
}

/** Samples behind a metric, if these are not all samples of the run, by metric id. */
export const sampleCounts: Readonly<Record<string, Statistic>> = {
  irrelevanceAccuracy: (sums) => sums[at.irrelevant]!,
  schemaValidity: (sums) => sums[at.withCalls]!,
  conversationRate: (sums) => sums[at.conversations]!,
  turnRate: (sums) => sums[at.conversations]!,
  turnF1: (sums) => sums[at.conversations]!,
  stateRate: (sums) => sums[at.conversations]!,
  avgTime: timedSamples,
  timeScore: timedSamples,
  ...Object.assign(
    {},
    ...levels.map((level): Record<string, Statistic> => {
      const samples: Statistic = (sums) => sums[at[`${level}Samples`]]!;
      const timed: Statistic = (sums) => sums[at[`${level}Timed`]]!;
      return {
        [`${level}Score`]: samples,
        [`${level}F1`]: samples,
        [`${level}OnDevice`]: samples,
        [`${level}Time`]: timed,
        [`${level}TimeScore`]: timed,
      };
    }),
  ),
};

/** Figures of any part of a run, by metric id. */
export const partStatistics: Readonly<Record<string, Statistic>> = {
  total,
  avgF1: share("f1", "samples"),
  onDeviceRatio,
};

/**
 * Every figure computed from sums, by metric id; `baselineMs` converts latencies / baseline back to ms.
 * Source: docs/spec/tools.md, metrics.
 * @example runStatistics(500)["total"]!(sums) // 0–1
 */
export function runStatistics(baselineMs: number): Readonly<Record<string, Statistic>> {
  const byLevel = levels.map((level) => ({
    [`${level}Score`]: ofLevel(level, levelScore),
    [`${level}F1`]: ofLevel(level, ({ f1 }) => f1),
    [`${level}Time`]: ofLevel(level, ({ slowness }) => slowness && slowness * baselineMs),
    [`${level}TimeScore`]: ofLevel(level, ({ slowness }) => timeScore(slowness)),
    [`${level}OnDevice`]: ofLevel(level, ({ onDevice }) => onDevice),
  }));
  return {
    ...partStatistics,
    precision: share("precision", "samples"),
    recall: share("recall", "samples"),
    allRight: share("allRight", "samples"),
    irrelevanceAccuracy: share("irrelevantRight", "irrelevant"),
    triggerF1,
    schemaValidity: share("valid", "judged"),
    conversationRate: share("conversationsRight", "conversations"),
    turnRate: share("turnsRight", "turns"),
    turnF1: share("turnF1", "turns"),
    stateRate: share("statesRight", "statesChecked"),
    avgTime: (sums) => {
      const slowness = meanSlowness(sums);
      return slowness && slowness * baselineMs;
    },
    timeScore: (sums) => (sums[at.samples] === 0 ? null : timeScore(meanSlowness(sums))),
    ...Object.assign({}, ...byLevel),
  };
}

/** Matched / expected calls of a function; null if no call is expected. */
export const matchedShare: Statistic = share("matched", "expected");

/**
 * The level of a sample by its numbers, as an index of `levels` (0 is the easiest); −1 without a level.
 * @example levels[levelOf(row.values)] // "hard"
 */
export function levelOf(values: readonly number[]): number {
  return allLevels.findIndex(({ samples }) => values[samples]! > 0);
}
