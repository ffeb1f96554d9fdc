import type { Estimate, Metric } from "../../contracts/metric.ts";
import type { ToneSteps } from "./blocks.ts";
import { type GradeScale, letterGrade } from "./letter-grade.ts";
import { partInterval } from "./part-interval.ts";
import { type Limits, type Tier, tierOf } from "./tier.ts";

/** How a suite reads one of its metrics: the thresholds it is held to, and the names of good and bad. */
export interface Reading {
  metric: string;
  /** Where the name in the catalogue is not the one to show. */
  label?: string;
  /** Where it is not that of the catalogue. */
  format?: Metric["format"];
  /** Null for a metric that is graded and held to no threshold. */
  limits: Omit<Limits, "better"> | null;
  /** Letters from A+ to F, or named bands of which higher ones are better; null for neither. */
  grades: GradeScale["limits"] | readonly { label: string; from: number }[] | null;
  /** The recommendation goes by it; others are shown alone. */
  decides?: true;
}

/** A metric of a run as it was read. */
export interface MeasuredReading extends Pick<Reading, "metric" | "grades" | "decides"> {
  label: string;
  format: Metric["format"];
  better: Metric["better"];
  value: number | null;
  interval: readonly [number, number] | null;
  n: number;
  limits: Limits | null;
  grade: string | null;
  tier: Tier | null;
}

/**
 * Thresholds that are met where the zones of a gauge begin: the minimum with “fair”, the target with “good”,
 * excellence with “excellent”. Throws where a zone is missing.
 * @example limitsOf([[0.9, "excellent"], [0.75, "good"], [0.5, "fair"]]).target // 0.75
 */
export function limitsOf(steps: ToneSteps): Omit<Limits, "better"> {
  const from = (tone: string) => {
    const step = steps.find(([, its]) => its === tone);
    if (step === undefined) throw new Error(`no zone is ${tone}`);
    return step[0];
  };
  return { minimum: from("fair"), target: from("good"), excellence: from("excellent") };
}

/**
 * What a value is called by its scale; null where there is none.
 * @example gradeText({ grades: [0.9, 0.8, 0.75, 0.7, 0.6, 0.5], better: "higher" }, 0.82) // "A"
 */
export function gradeText(
  { grades, better }: Pick<MeasuredReading, "grades" | "better">,
  value: number | null,
): string | null {
  if (grades === null || value === null) return null;
  if (isLetters(grades)) return letterGrade({ better, limits: grades }, value);
  const under = [...grades].sort((a, b) => a.from - b.from).filter(({ from }) => value >= from);
  return under.at(-1)?.label ?? null;
}

/**
 * Whether grades are letters, not named bands.
 * @example isLetters([{ label: "Poor", from: 0 }]) // false
 */
export const isLetters = (grades: NonNullable<Reading["grades"]>): grades is GradeScale["limits"] =>
  typeof grades[0] === "number";

/**
 * A run's metrics as its suite reads them, in the order of the readings; what the catalogue or the run lacks is
 * left out, what was not measured has neither grade nor tier.
 * @example measureReadings(readings, metrics, catalogue)[0]?.tier // "target"
 */
export function measureReadings(
  readings: readonly Reading[],
  metrics: Readonly<Record<string, Estimate>>,
  catalogue: readonly Metric[],
): MeasuredReading[] {
  return readings.flatMap(({ metric: id, label, format, limits, ...reading }) => {
    const [metric, estimate] = [catalogue.find((one) => one.id === id), metrics[id]];
    if (metric === undefined || estimate === undefined) return [];
    const { better } = metric;
    const { value, interval, n } = estimate;
    const own = limits && { better, ...limits };
    return [
      {
        ...{ ...reading, metric: id, better },
        ...{ label: label ?? metric.label, format: format ?? metric.format },
        ...{
          value,
          interval: partInterval(n, interval),
          n,
          limits: own,
          grade: gradeText({ ...reading, better }, value),
        },
        tier: own && tierOf(own, value),
      },
    ];
  });
}
