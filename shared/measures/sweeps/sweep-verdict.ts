import type { Metric } from "../../contracts/metric.ts";
import type { SweepTest, SweptVariant } from "../../contracts/submissions/sweep.ts";
import { figureText, pSays } from "../report/figures/figure-text.ts";
import { variantText } from "./sweep-parameters.ts";

/** Maximum number of variants named; the table has all of them. */
const mostNamed = 5;

type Judged = Pick<SweptVariant, "run" | "variant" | "leftOut">;

/**
 * Which variant is best, or why none is named, in one or two sentences. `test` is that of `metric`; null if no test
 * was possible, for the reason `untested`.
 * Source: docs/spec/quality.md, sweep.
 * @example sweepVerdict(variants, test, metric, null) // "temperature 0.3 is best: …"
 */
export function sweepVerdict(
  variants: readonly Judged[],
  test: SweepTest | null,
  metric: Pick<Metric, "label" | "better" | "format">,
  untested: string | null,
): string {
  const left = variants.filter(({ leftOut }) => leftOut !== null).length;
  const rest =
    left === 0 ? "" : ` ${left} of ${variants.length} variants ${isOrAre(left)} left out.`;
  if (test === null)
    return `No variant can be named best: ${untested ?? "nothing was tested"}.${rest}`;
  const text = new Map(variants.map(({ run, variant }) => [run, variantText(variant)]));
  const named = (run: string) => text.get(run) ?? run;
  const leader = test.variants.find(({ run }) => run === test.leader);
  const value = `${metric.label} ${figureText(leader?.value ?? 0, metric.format)}`;
  const others = test.variants.length - 1;
  if (test.best !== null) {
    const p = Math.max(...test.variants.map(({ versusLeader }) => versusLeader?.pHolm ?? 0));
    const ahead = others === 1 ? "the other variant" : `each of the ${others} other variants`;
    return `${named(test.best)} is best: ${value}, significantly ${metric.better} than ${ahead} (corrected ${pSays(p, "≤")}).${rest}`;
  }
  if (test.variants.every((one) => one.value === leader?.value))
    return `No variant can be named best: all have the same ${value}.${rest}`;
  const extreme = metric.better === "higher" ? "highest" : "lowest";
  return `No variant can be named best: ${named(test.leader)} has the ${extreme} ${value}, but ${whyText(test, others, named)}.${rest}`;
}

const isOrAre = (count: number) => (count === 1 ? "is" : "are");

/** Variants that are tied with the leader; if there are none, others differ by the same everywhere. */
function whyText({ tied }: SweepTest, others: number, named: (run: string) => string): string {
  if (tied.length === 0) return "a difference that is the same on every sample can't be tested";
  return `is not significantly different from ${tiedText(tied, others, named)}`;
}

function tiedText(tied: readonly string[], others: number, named: (run: string) => string): string {
  if (tied.length === others) return others === 1 ? "the other" : `any of the other ${others}`;
  const shown = tied.slice(0, mostNamed).map(named).join("; ");
  const more = tied.length > mostNamed ? `; and ${tied.length - mostNamed} more` : "";
  return `${tied.length} of the other ${others}: ${shown}${more}`;
}
