import type { BarsBlock, ReportSection, TableBlock } from "../../../contracts/report.ts";
import { asFolded } from "../../../measures/report/charts/blocks.ts";
import { cutTable } from "../../../measures/report/charts/cut-table.ts";
import { barsOfParts, fewestSamples } from "../../../measures/report/figures/part-interval.ts";
import {
  aboveBelowLegend,
  type PartCell,
  strengthBlocks,
  toneAgainstWhole,
} from "../../../measures/report/parts/strength-blocks.ts";
import { failureClasses } from "../score/failures.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";
import { failureLabels, note, type ReportFacts } from "./report-facts.ts";

type Function = ToolsBreakdown["functions"][number];

/** Functions that a reader looks through. */
const mostBars = 10;

/**
 * How the calls of each function were met, those with most failures first, and which of them differ from all.
 * Source: docs/spec/tools.md, failures.
 * @example functionSection(facts).id // "functions"
 */
export function functionSection({ breakdown }: ReportFacts): ReportSection {
  const cells = functionCells(breakdown);
  const whole = wholeShare(breakdown);
  return {
    id: "functions",
    title: "Functions",
    intro:
      "Of the calls of a function that were expected, those that a call matched; n counts samples, which can expect several calls. Functions with most failures come first.",
    blocks: [
      shareBars(breakdown.functions, whole),
      ...strengthBlocks([{ label: "Matched calls", value: whole, format: "percent", cells }]).map(
        (block) => ({
          ...block,
          title: `Functions: ${block.title.toLowerCase()}`,
        }),
      ),
      ...asFolded([functionTable(breakdown), ...argumentTable(breakdown)]),
      ...breakdown.crowded
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
 * Functions that were expected, with the share of their calls that was matched.
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
 * The share of all expected calls that was matched; null where none is expected.
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

type Column = [id: string, label: string, format: "count"];

const failureColumns = failureClasses.map((name): Column => [name, failureLabels[name], "count"]);

function functionTable({ functions }: ToolsBreakdown): TableBlock {
  return cutTable(
    "Expected calls and failures of functions",
    [
      ["name", "Function", "text"],
      ["expected", "Expected", "count"],
      ["matched", "Matched", "count"],
      ...failureColumns,
    ],
    functions.map(({ name, expected, matched, failures }) => ({
      name,
      expected,
      matched,
      ...failures,
    })),
  );
}

const ofArguments = new Set<string>(["wrongArgument", "missingArgument", "surplusArgument"]);

function argumentTable(breakdown: ToolsBreakdown): TableBlock[] {
  if (breakdown.arguments.length === 0) return [];
  const table = cutTable(
    "Failures of arguments",
    [["name", "Argument", "text"], ...failureColumns.filter(([name]) => ofArguments.has(name))],
    breakdown.arguments.map(({ name, failures }) => ({
      name,
      wrongArgument: failures.wrongArgument,
      missingArgument: failures.missingArgument,
      surplusArgument: failures.surplusArgument,
    })),
  );
  return [table];
}
