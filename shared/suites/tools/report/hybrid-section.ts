import type { LineBlock, ReportBlock } from "../../../contracts/report.ts";
import {
  asBrief,
  type Column,
  note,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { boundsText, figureText } from "../../../measures/report/figures/figure-text.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";
import type { ReportFacts } from "./report-facts.ts";

type Point = NonNullable<ToolsBreakdown["hybrid"]>["curve"][number];
type Intervals = NonNullable<ToolsBreakdown["hybrid"]>["intervals"][number];

/**
 * The total against the confidence threshold, and the best one; null if only one endpoint was asked.
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example hybridSection(facts)?.id // "hybrid"
 */
export function hybridSection({ breakdown }: ReportFacts): SectionParts | null {
  const { hybrid, answers } = breakdown;
  if (hybrid === null) return null;
  const { threshold, curve, best, n, intervals } = hybrid;
  const intervalsOf = (point: Point | undefined) =>
    intervals.find((one) => one.threshold === point?.threshold);
  const intro = `The local endpoint was asked first, and the cloud, with both latencies, if the confidence was below ${threshold}.`;
  if (best === null) {
    const text =
      "A run of more than 20,000 answers keeps only sums, which can't be routed again with other thresholds.";
    return { id: "hybrid", title: "Hybrid routing", intro, blocks: [note("No curve", text)] };
  }
  const isSwept = n === answers;
  const chosen = curve.find((point) => point.threshold === threshold);
  const reach = isSwept
    ? "With the option hybridSweep, both endpoints were asked for every sample, and tokens and cost of the run are those of both; the stored answers are routed again with every other threshold."
    : "The stored answers are routed again with lower thresholds.";
  return {
    id: "hybrid",
    title: "Hybrid routing",
    intro,
    blocks: [
      asBrief(
        note(
          "Best threshold",
          bestText(best, intervalsOf(best)?.total ?? null, chosen ?? null, curve),
          "good",
        ),
      ),
      isSwept ? null : note("Higher thresholds", unsweptText(n, answers)),
      note("Other thresholds", reach),
      curveBlock(curve, threshold, best),
      curveTable(curve, threshold, best, intervalsOf),
    ],
  };
}

const unsweptText = (n: number, answers: number) =>
  `The cloud was asked for ${n} of ${answers} answers, so nothing is known about higher thresholds, and the best one is the best of those shown. With the option hybridSweep both endpoints are asked for every sample.`;

function bestText(
  best: Point,
  interval: readonly [number, number] | null,
  chosen: Point | null,
  curve: readonly Point[],
): string {
  if (best.total === 0) {
    return "The total is 0 with every threshold: no call matched, and no answer was fast enough or from the device.";
  }
  const shown = `The total is highest, ${withInterval(best.total, interval, "percent")}, with ${thresholdText(best, curve)}: ${figureText(best.onDevice, "percent")} of the answers then come from the device.`;
  // The total also counts speed and source, so it may be highest although calls are worse.
  const f1 =
    chosen === null || chosen === best
      ? ""
      : ` Call F1 is then ${figureText(best.avgF1, "score")}; in this run it is ${figureText(chosen.avgF1, "score")}.`;
  return `${shown}${f1} It was chosen on these samples, so expect slightly lower results in a new run.`;
}

function withInterval(
  value: number | null,
  interval: readonly [number, number] | null | undefined,
  format: "percent" | "score" | "ms",
): string | null {
  const shown = figureText(value, format);
  return shown === null || !interval ? shown : `${shown} (${boundsText(interval, format)})`;
}

function curveBlock(curve: readonly Point[], threshold: number, best: Point): LineBlock {
  const points = curve.flatMap(({ threshold: x, total: y }) =>
    x === null ? [] : [{ x, y, text: thresholdDigits(x, curve) }],
  );
  const chosen = points.find(({ x }) => x === threshold);
  return {
    kind: "line",
    title: "Total by threshold",
    x: { label: "Confidence threshold", format: "score" },
    y: { label: "Total", format: "percent" },
    points,
    marks: [
      ...(chosen
        ? [{ x: chosen.x, y: chosen.y, label: "This run", tone: "neutral" as const }]
        : []),
      ...(best.threshold === null
        ? []
        : [{ x: best.threshold, y: best.total, label: "Best", tone: "good" as const }]),
    ],
  };
}

/** Selected points of the curve; the breakdown has all of them. */
function curveTable(
  curve: readonly Point[],
  threshold: number,
  best: Point,
  intervalsOf: (point: Point) => Intervals | undefined,
): ReportBlock[] {
  const chosen = curve.find((point) => point.threshold === threshold);
  const rows: [string, Point | undefined][] = [
    ["All answers from the device", curve[0]],
    [`This run's threshold, ${threshold}`, chosen],
    [`Best, ${thresholdText(best, curve)}`, best],
    ["Only the cloud", curve.find((point) => point.threshold === null)],
  ];
  const column = (
    id: "total" | "avgF1" | "onDevice" | "avgTime",
    label: string,
    format: "percent" | "score" | "ms",
  ): Column<{ name: string; point: Point }> => [
    id,
    label,
    "figure",
    ({ point }) => withInterval(point[id], intervalsOf(point)?.[id], format),
  ];
  return tableOf(
    "Thresholds, with 95% intervals",
    [
      ["name", "Routing", "text"],
      column("total", "Total", "percent"),
      column("avgF1", "Call F1", "score"),
      column("onDevice", "On device", "percent"),
      column("avgTime", "Mean latency", "ms"),
    ],
    rows.flatMap(([name, point]) => (point ? [{ name, point }] : [])),
  );
}

type Routing = Pick<Point, "threshold">;

const fewestDecimals = 3;
const mostDecimals = 12;

/**
 * A threshold with the fewest decimals, at least three, that give the same routing: rounded down, because an answer is
 * kept at its own confidence, but above the next lower threshold of the curve. Confidences cluster near 0 and 1, where
 * many share three decimals.
 * @example thresholdDigits(0.0034, [{ threshold: 0.0031 }]) // "0.0034"
 */
export function thresholdDigits(threshold: number, curve: readonly Routing[]): string {
  const lower = curve.flatMap(({ threshold: one }) =>
    one !== null && one < threshold ? [one] : [],
  );
  const floor = Math.max(Number.NEGATIVE_INFINITY, ...lower);
  for (let decimals = fewestDecimals; decimals <= mostDecimals; decimals += 1) {
    const scale = 10 ** decimals;
    const down = Math.floor(threshold * scale + 1e-9) / scale;
    if (down > floor && down <= threshold) return down.toFixed(decimals);
  }
  return String(threshold);
}

/**
 * How a point of the curve routes, as part of a sentence.
 * @example thresholdText({ threshold: null }, []) // "only the cloud"
 */
export const thresholdText = ({ threshold }: Routing, curve: readonly Routing[]): string =>
  threshold === null ? "only the cloud" : `a threshold of ${thresholdDigits(threshold, curve)}`;
