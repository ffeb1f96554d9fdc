import type { BarsBlock, TableBlock } from "../../../contracts/report.ts";
import {
  asFolded,
  type Column,
  cutTable,
  note,
  type SectionParts,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { barsOfParts, fewestSamples } from "../../../measures/report/figures/part-interval.ts";
import {
  aboveBelowLegend,
  type PartCell,
  strengthBlocks,
  toneAgainstWhole,
} from "../../../measures/report/parts/strength-blocks.ts";
import { type FailureClass, failureClasses } from "../score/failures.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";
import { failureLabels, type ReportFacts } from "./report-facts.ts";

type Function = ToolsBreakdown["functions"][number];

/** Maximum functions in a chart: as many as a reader can scan. */
const mostBars = 10;

/**
 * Outcomes of the calls of each function, most failures first, and which functions differ from the whole run.
 * Source: docs/spec/tools.md, failures.
 * @example functionSection(facts).id // "functions"
 */
export function functionSection({ breakdown }: ReportFacts): SectionParts {
  const cells = functionCells(breakdown);
  const whole = wholeShare(breakdown);
  return {
    id: "functions",
    title: "Functions",
    intro:
      "Share of the expected calls of a function that were matched; n counts samples, which can expect several calls. Functions with most failures come first.",
    blocks: [
      shareBars(breakdown.functions, whole),
      strengthBlocks([{ label: "Matched calls", value: whole, format: "percent", cells }]).map(
        (block) => ({ ...block, title: `Functions: ${block.title.toLowerCase()}` }),
      ),
      asFolded([functionTable(breakdown), argumentTable(breakdown)]),
      breakdown.crowded
        .filter(({ family }) => family === "function" || family === "argument")
        .map(({ family, moreThan }) =>
          note(
            `Not all ${family}s are listed`,
            `There are more than ${moreThan} names of ${family}s.`,
          ),
        ),
    ],
  };
}

/**
 * Expected functions with the share of their matched calls.
 * @example functionCells(breakdown)[0]?.label // "get_weather"
 */
export function functionCells({ functions }: Pick<ToolsBreakdown, "functions">): PartCell[] {
  return functions
    .filter(({ expected }) => expected > 0)
    .map(({ name, n, expected, matched, interval }) => ({
      label: name,
      value: matched / expected,
      interval,
      n,
    }));
}

/**
 * The share of matched calls among all expected calls; null if no call is expected.
 * @example wholeShare({ functions: [] }) // null
 */
export function wholeShare({ functions }: Pick<ToolsBreakdown, "functions">): number | null {
  const sum = (of: (one: Function) => number) => functions.reduce((all, one) => all + of(one), 0);
  const expected = sum((one) => one.expected);
  return expected === 0 ? null : sum((one) => one.matched) / expected;
}

function shareBars(functions: readonly Function[], whole: number | null): BarsBlock {
  const toneOf = ({ interval, n }: Function) =>
    n < fewestSamples ? "neutral" : toneAgainstWhole(interval, whole);
  return barsOfParts({
    kind: "bars",
    title: "Matched calls by function",
    format: "percent",
    legend: aboveBelowLegend,
    bars: functions
      .filter(({ expected }) => expected > 0)
      .slice(0, mostBars)
      .map((one) => ({
        label: one.name,
        value: one.matched / one.expected,
        interval: one.interval,
        n: one.n,
        tone: toneOf(one),
      })),
  });
}

const failureColumn = <Its extends { failures: Partial<Record<FailureClass, number>> }>(
  id: FailureClass,
): Column<Its> => [id, failureLabels[id], "count", (its) => its.failures[id]!];

function functionTable({ functions }: ToolsBreakdown): TableBlock {
  const table = cutTable(
    "Expected calls and failures of functions",
    [
      ["name", "Function", "text"],
      ["expected", "Expected", "count"],
      ["matched", "Matched", "count"],
      ...failureClasses.map((id) => failureColumn<Function>(id)),
    ],
    functions,
  );
  return withSamples([table], functions, ({ name }) => ({
    path: `${name}(*`,
    verdict: "wrong",
  }))[0];
}

const argumentFailures = ["wrongArgument", "missingArgument", "surplusArgument"] as const;

function argumentTable(breakdown: ToolsBreakdown): TableBlock | null {
  if (breakdown.arguments.length === 0) return null;
  const table = cutTable(
    "Failures of arguments",
    [
      ["name", "Argument", "text"],
      ...argumentFailures.map((id) => failureColumn<ToolsBreakdown["arguments"][number]>(id)),
    ],
    breakdown.arguments,
  );
  const failing = breakdown.arguments;
  return withSamples([table], failing, ({ name }) => ({ path: name, verdict: "wrong" }))[0];
}
