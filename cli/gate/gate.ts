import { z } from "zod";
import { testedUnitsSchema } from "#shared/contracts/boards/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import type { GateOutcome } from "#shared/measures/gates/non-inferiority.ts";
import { roughBelow } from "#shared/measures/report/figures/interval-basis.ts";
import { differenceIntervalText, differenceText } from "../compare/figure-text.ts";
import { formatCount, formatValue } from "../terminal/text.ts";

/** The baseline of a gate: a run, or a file of answers. */
interface GateBaseline {
  /** Id of the run; null for a file of answers. */
  run: string | null;
  /** Name of its model, or of the file. */
  name: string;
  /** Creation time in ISO format; null if unknown. */
  at: string | null;
  /** Source of the baseline. */
  from: string;
}

/** A run that was compared with a baseline. */
export interface Gate {
  suite: string;
  dataset: string;
  base: GateBaseline;
  tested: { run: string | null; name: string };
  /** Changes since the baseline, as "name (baseline, tested)"; empty for files. */
  changes: string[];
  /** Whether a simulated judge judged one of the runs; unknown for files. */
  isSimulated: boolean;
  outcomes: (GateOutcome & { label: string; format: Metric["format"] })[];
}

type Outcome = Gate["outcomes"][number];

/** Adds label and format of the metric to outcomes. */
export const labelled = (
  outcomes: readonly GateOutcome[],
  catalogue: readonly Metric[],
): Gate["outcomes"] =>
  outcomes.map((outcome) => {
    const metric = catalogue.find(({ id }) => id === outcome.metric);
    return {
      ...outcome,
      label: metric?.label ?? outcome.metric,
      format: metric?.format ?? "score",
    };
  });

const isMet = ({ verdict }: Outcome): boolean => verdict === "no-worse";

/** The outcomes that fail a gate. */
export const missedOf = ({ outcomes }: Gate): Outcome[] => outcomes.filter((one) => !isMet(one));

/** A sentence for each metric that is worse or not shown to be no worse; empty if the gate passed. */
export const gateFailures = (gate: Gate): string[] =>
  missedOf(gate).map((one) => `${gate.tested.run ?? gate.tested.name}: ${outcomeText(one)}`);

/** A gate as `--json` prints it. */
export const gateSchema = z.object({
  passed: z.boolean(),
  suite: z.string(),
  dataset: z.string(),
  baseline: z.object({
    run: z.string().nullable().meta({ description: "null for a file of answers" }),
    name: z.string(),
    at: z.string().nullable().meta({ description: "ISO time; null: not known" }),
    from: z.string(),
  }),
  tested: z.object({ run: z.string().nullable(), name: z.string() }),
  changes: z.array(z.string()),
  metrics: z.array(
    z.object({
      metric: z.string(),
      better: z.enum(["higher", "lower"]),
      margin: z.number(),
      base: z.number(),
      tested: z.number(),
      difference: z.object({
        value: z.number().meta({ description: "tested minus base" }),
        interval: z.tuple([z.number(), z.number()]).readonly().nullable(),
      }),
      units: testedUnitsSchema,
      samples: z.int().meta({ description: "samples that are compared" }),
      sampleShare: z.number().meta({ description: "their share of all, 0–1" }),
      verdict: z.enum(["no-worse", "worse", "not-shown", "too-few-samples"]),
      samplesNeeded: z.number().nullable(),
      fell: z.int(),
      rose: z.int(),
      worst: z.array(z.object({ id: z.string(), base: z.number(), tested: z.number() })),
    }),
  ),
});

/** The gate for programs. */
export function gateJson(gate: Gate): z.infer<typeof gateSchema> {
  const { suite, dataset, base, tested, changes, outcomes } = gate;
  return {
    passed: missedOf(gate).length === 0,
    suite,
    dataset,
    baseline: base,
    tested,
    changes,
    metrics: outcomes.map(({ label: _, format: __, ...outcome }) => outcome),
  };
}

/** @example verdictText(outcome) // "not shown" */
export const verdictText = ({ verdict }: Outcome): string =>
  ({
    "no-worse": "no worse",
    worse: "worse",
    "not-shown": "not shown",
    "too-few-samples": "too few samples",
  })[verdict];

/** @example outcomeText(outcome) // "EQS is 0.870, 0.900 in the baseline: -0.030 (95% interval …), not shown to be …" */
export function outcomeText(outcome: Outcome): string {
  const { label, format, base, tested, difference } = outcome;
  const ends = differenceIntervalText(difference.interval, format);
  const within = ends === "" ? "" : ` (95% interval ${ends})`;
  const change = `${differenceText(difference.value, format)}${within}`;
  return `${label} is ${formatValue(tested, format)}, ${formatValue(base, format)} in the baseline: ${change}, ${reasonOf(outcome)}`;
}

/** @example marginText({ margin: 0.05, format: "percent" }) // "5.0 pp" */
export const marginText = ({ margin, format }: Pick<Outcome, "margin" | "format">): string =>
  differenceText(margin, format).replace("+", "");

function reasonOf(outcome: Outcome): string {
  const margin = marginText(outcome);
  const { verdict, samples, sampleShare, samplesNeeded, difference } = outcome;
  if (verdict === "no-worse") return `no worse by the margin of ${margin}`;
  if (verdict === "worse")
    return `significantly worse, and not shown to be within the margin of ${margin}`;
  if (verdict === "too-few-samples") {
    return `but only ${counted(samples, "sample")} (${formatValue(sampleShare, "percent")}) can be compared`;
  }
  if (difference.interval === null) return "not shown: this takes two samples or more";
  const needed =
    samplesNeeded === null
      ? ""
      : `; about ${formatCount(samplesNeeded)} samples would show it if the difference stayed the same`;
  return `not shown to be within the margin of ${margin}${needed}`;
}

/** Notes on an outcome, a sentence each. */
export function outcomeNotes({
  units,
  base,
  fell,
  verdict,
  difference,
  better,
  margin,
}: Outcome): string[] {
  const [low, high] = difference.interval ?? [0, 0];
  const isWithin = better === "higher" ? low > -margin : high < margin;
  const isByNone = verdict === "no-worse" && fell === 0 && !isWithin;
  const things = units.kind === "samples" ? "samples" : "sources";
  return [
    ...(better === "higher" && base <= 0
      ? ["The baseline has the lowest value, so no run can be worse: check its answers and judges."]
      : []),
    ...(isByNone ? ["Passed because no compared sample scores worse."] : []),
    ...(units.count < roughBelow
      ? [`With fewer than ${roughBelow} ${things}, intervals are rough.`]
      : []),
  ];
}

const DAY_MS = 86_400_000;

/**
 * Date and age of a baseline.
 * @example ageText("2026-11-20T08:00:00Z", Date.UTC(2026, 10, 29)) // "of 2026-11-20, 8 days old"
 */
export function ageText(at: string | null, now: number): string {
  if (at === null) return "of unknown age";
  const days = Math.max(0, Math.floor((now - Date.parse(at)) / DAY_MS));
  return `of ${at.slice(0, 10)}, ${days === 0 ? "less than a day" : counted(days, "day")} old`;
}
