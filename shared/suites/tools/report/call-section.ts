import type {
  NoteBlock,
  ReportSection,
  StackBlock,
  TableBlock,
  Tone,
  TreeBlock,
} from "../../../contracts/report.ts";
import { asBrief, countRows, tableOf } from "../../../measures/report/charts/blocks.ts";
import { type FailureClass, failureClasses } from "../score/failures.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";
import { bars, failureLabels, note, type ReportFacts } from "./report-facts.ts";

/** Statuses of answers, in the order of the page. */
const readings = [
  ["from native", "As tool calls", "read", "The endpoint named them as such."],
  ["from content", "As JSON in the text", "recovered", "As it is asked for in prompt mode."],
  [
    "from unreadable",
    "Text without readable calls",
    "unreadable",
    "Nothing in the text is a call.",
  ],
  ["from none", "No call", "empty", "None was made, which may be right."],
] as const satisfies readonly (readonly [string, string, Tone, string])[];

/**
 * How calls were met, and how they were read.
 * Source: docs/spec/tools.md, metrics.
 * @example callSection(facts).id // "calls"
 */
export function callSection({ metrics, breakdown: { counts } }: ReportFacts): ReportSection {
  const failed = counts["status error"] ?? 0;
  return {
    id: "calls",
    title: "Calls",
    intro:
      "Means over samples. Where no call is right, a sample counts as right if none was made; text without a call is none.",
    blocks: [
      bars("Calls met", ["avgF1", "precision", "recall"], metrics),
      bars(
        "Shares of samples and calls",
        ["allRight", "irrelevanceAccuracy", "schemaValidity"],
        metrics,
      ),
      {
        kind: "stack",
        title: "How calls were read",
        unit: "answers",
        parts: [
          ...readings.map(([name, label, tone, definition]) => {
            // A failed request holds no call either, but nobody chose to make none.
            const lost = name === "from none" ? failed : 0;
            return { label, count: Math.max(0, (counts[name] ?? 0) - lost), tone, definition };
          }),
          ...(failed === 0 ? [] : [failedPart(failed)]),
        ],
      },
      ...statusNote(counts),
    ],
  };
}

const failedPart = (count: number): StackBlock["parts"][number] => ({
  label: "Request failed",
  count,
  tone: "failed",
  definition: "There is no answer.",
});

function statusNote(counts: ReportFacts["breakdown"]["counts"]): NoteBlock[] {
  const parts = (
    [
      ["status error", "requests failed, which earn nothing"],
      ["status refused", "answers were refusals"],
      ["truncated", "answers were cut off at the token limit"],
    ] as const
  ).flatMap(([name, text]) => (counts[name] ? [`${counts[name]} ${text}`] : []));
  return parts.length === 0 ? [] : [note("Also", `${parts.join("; ")}.`)];
}

const failureText: Readonly<Record<FailureClass, string>> = {
  wrongFunction: "Another function was called instead.",
  missingCall: "An expected call was not made.",
  extraCall: "A call was made that nobody expected.",
  wrongArgument: "The right function with another value.",
  missingArgument: "The right function without an expected argument.",
  surplusArgument: "The right function with an argument beyond those expected (strictArguments).",
  malformedArguments: "The arguments are no JSON object.",
};

const tones: Readonly<Record<FailureClass, Tone>> = {
  wrongFunction: "wrong",
  missingCall: "missed",
  extraCall: "extra",
  wrongArgument: "other",
  missingArgument: "partMissed",
  surplusArgument: "partExtra",
  malformedArguments: "unreadable",
};

/** Functions of a class of failures that have an area of their own. */
const mostParts = 5;

/**
 * Each call that did not match, by what was wrong with it and by function.
 * Source: docs/spec/tools.md, failures.
 * @example failureSection(facts).id // "failures"
 */
export function failureSection({ breakdown }: ReportFacts): ReportSection {
  return {
    id: "failures",
    title: "What went wrong",
    intro: `Each call that did not match, by what was wrong with it.${lostText(breakdown)}`,
    blocks: [
      ...failureTree(breakdown),
      ...asBrief([
        ...tableOf(
          "Failures",
          [
            ["name", "Failure", "text"],
            ["count", "Count", "count"],
            ["share", "Share", "percent"],
            ["text", "What it is", "text"],
          ],
          failureRows(breakdown),
        ),
      ]),
    ],
  };
}

function lostText({ counts }: ToolsBreakdown): string {
  const failed = counts["status error"] ?? 0;
  if (failed === 0) return "";
  const requests = failed === 1 ? "one failed request" : `${failed} failed requests`;
  return ` Calls that were expected of ${requests} are among the missing ones.`;
}

function failureTree({ functions, failures }: ToolsBreakdown): TreeBlock[] {
  const groups = failureClasses.flatMap((id) => {
    if (failures[id] === 0) return [];
    const own = functions
      .map(({ name, failures: its }) => ({ label: name || "(unreadable)", count: its[id] }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, mostParts);
    // Functions that are not counted separately are among the others.
    const rest = failures[id] - own.reduce((sum, { count }) => sum + count, 0);
    const parts = rest > 0 ? [...own, { label: "other functions", count: rest }] : own;
    return [{ label: failureLabels[id], tone: tones[id], parts }];
  });
  if (groups.length === 0) return [];
  return [{ kind: "tree", title: "Failures by function", unit: "failures", groups }];
}

function failureRows({ failures }: ToolsBreakdown): TableBlock["rows"] {
  const counts = failureClasses.map((name) => [failureLabels[name], failures[name]] as const);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return countRows(counts, total).map((row, i) => ({
    ...row,
    text: failureText[failureClasses[i]!],
  }));
}
