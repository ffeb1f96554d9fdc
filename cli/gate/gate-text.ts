import { MOST_LISTED } from "#shared/measures/gates/non-inferiority.ts";
import { type PartedText, shortId, type TextPart } from "../compare/comparison-parts.ts";
import { differenceIntervalText, differenceText } from "../compare/figure-text.ts";
import { simulatedText } from "../run/estimate.ts";
import { formatCount, formatValue } from "../terminal/text.ts";
import {
  ageText,
  type Gate,
  marginText,
  missedOf,
  outcomeNotes,
  outcomeText,
  verdictText,
} from "./gate.ts";

/** Maximum samples shown per metric; JSON and JUnit XML have up to `MOST_LISTED`. */
const SHOWN = 10;

/**
 * The result of gates as text: the compared runs, a table of margins, and the worse samples. `failures`: failures
 * in addition to missed margins, such as runs without a result.
 */
export function gateText(
  gates: readonly Gate[],
  now: number,
  failures: readonly string[] = [],
): PartedText {
  const isPassed = failures.length === 0 && gates.every((gate) => missedOf(gate).length === 0);
  const about = gates.flatMap(({ suite, dataset, tested, base, changes }) => [
    `${nameOf(tested)}, ${suite} on ${dataset}. Baseline: ${nameOf(base)} ${ageText(base.at, now)}, from ${base.from}.`,
    ...(changes.length > 0 ? [`Changed since the baseline: ${changes.join("; ")}.`] : []),
  ]);
  const simulated = gates.some(({ isSimulated }) => isSimulated) ? [`${simulatedText}.`] : [];
  return {
    title: isPassed ? "Gate passed: no worse than the baseline" : failedTitle(gates),
    about: [...failures, ...about, ...simulated],
    parts: gates.flatMap(partsOf),
  };
}

/** Names the strongest reason, because more samples help only against some reasons. */
function failedTitle(gates: readonly Gate[]): string {
  const verdicts = new Set(gates.flatMap(missedOf).map(verdictText));
  if (verdicts.has("worse")) return "Gate failed: worse than the baseline";
  if (verdicts.has("not shown")) return "Gate failed: not shown to be no worse";
  return verdicts.size > 0 ? "Gate failed: too few samples can be compared" : "Gate failed";
}

const nameOf = ({ name, run }: { name: string; run: string | null }): string =>
  run === null ? name : `${name} (${run})`;

function partsOf(gate: Gate): TextPart[] {
  const { outcomes, tested } = gate;
  const head = [
    "metric",
    "baseline",
    "tested",
    "difference",
    "95% interval",
    "margin",
    "samples",
    "result",
  ];
  const rows = outcomes.map((outcome) => [
    outcome.label,
    formatValue(outcome.base, outcome.format),
    formatValue(outcome.tested, outcome.format),
    differenceText(outcome.difference.value, outcome.format),
    differenceIntervalText(outcome.difference.interval, outcome.format) || "–",
    marginText(outcome),
    formatCount(outcome.samples),
    verdictText(outcome),
  ]);
  const notes = [...new Set(outcomes.flatMap(outcomeNotes))];
  const missed = missedOf(gate).map((one) => `${outcomeText(one)}.`);
  return [
    {
      title: `Margins of ${tested.name}`,
      table: { head, rows, isText: (k) => k === 0 || k === head.length - 1 },
      notes: [...missed, ...notes],
    },
    ...outcomes.filter(({ fell }) => fell > 0).map(fallenPart),
  ];
}

function fallenPart({
  label,
  format,
  fell,
  rose,
  samples,
  worst,
}: Gate["outcomes"][number]): TextPart {
  const rows = worst
    .slice(0, SHOWN)
    .map(({ id, base, tested }) => [
      shortId(id),
      formatValue(base, format),
      formatValue(tested, format),
      differenceText(tested - base, format),
    ]);
  const more =
    fell > SHOWN ? [`The ${SHOWN} largest changes; --json lists up to ${MOST_LISTED}.`] : [];
  return {
    title: `${label}: ${formatCount(fell)} of ${formatCount(samples)} samples score worse, ${formatCount(rose)} better`,
    table: { head: ["sample", "baseline", "tested", "change"], rows, isText: (k) => k === 0 },
    notes: more,
  };
}
