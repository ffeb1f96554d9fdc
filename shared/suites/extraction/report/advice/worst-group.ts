import { figureText, intervalText } from "../../../../measures/report/figure-text.ts";
import { fewestSamples } from "../../../../measures/report/part-interval.ts";
import { binGroups, type NamedGroup, tagGroups } from "../compared-figures.ts";
import type { ReportFacts } from "../report-facts.ts";
import { type Figure, shownMetric } from "./measured.ts";

/** A group of samples with the figure that singles it out. */
interface WorstGroup extends NamedGroup {
  figure: Figure & { interval: [number, number] };
}

/**
 * Of the complexity bins and values of tags that clearly are worse by a metric than the whole run (20 samples or
 * more, 95% interval on the worse side of the run's value) the worst; null where there is none. Linear.
 * Source: docs/spec/extraction.md, sections 6 and 7.
 * @example worstGroup(facts, "validity")?.label // "schemas: complex"
 */
export function worstGroup({ metrics, breakdown }: ReportFacts, id: string): WorstGroup | null {
  const whole = metrics[id]?.value ?? null;
  const metric = shownMetric(id);
  if (whole === null) return null;
  const sign = metric.better === "higher" ? 1 : -1;
  const worse = [...binGroups(breakdown), ...tagGroups(breakdown)].flatMap(
    (named): WorstGroup[] => {
      const { n, figures } = named.group;
      const { value, interval } = figures[id] ?? {};
      if (n < fewestSamples || value === undefined || !interval) return [];
      const nearest = sign > 0 ? interval[1] : interval[0];
      if (sign * (nearest - whole) >= 0) return [];
      const cell = `${metric.label}, ${named.label}`;
      return [{ ...named, figure: { cell, format: metric.format, value, interval, n } }];
    },
  );
  const [worst = null] = worse.sort((a, b) => sign * (a.figure.value - b.figure.value));
  return worst;
}

/**
 * A sentence on where a metric is clearly worst, with a space before it; empty where it is nowhere.
 * @example worstText(facts, "validity") // " Worst for schemas: complex, 58.3% (95% interval …, n = 24)."
 */
export function worstText(facts: ReportFacts, id: string): string {
  const worst = worstGroup(facts, id);
  if (worst === null) return "";
  const { value, interval, format, n } = worst.figure;
  return ` Worst for ${worst.label}, ${figureText(value, format)} (95% interval ${intervalText(interval, format)}, n = ${figureText(n, "count")}): begin there.`;
}
