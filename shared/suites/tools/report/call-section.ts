import type { Tone, TreeBlock } from "../../../contracts/report.ts";
import {
  alsoNote,
  asBrief,
  type BlockParts,
  type CountedPart,
  countedParts,
  largestLosses,
  noteIf,
  type SectionParts,
  stackOf,
  tableOf,
  treeParts,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { type FailureClass, failureClasses } from "../score/failures.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";
import { bars, failureLabels, type ReportFacts } from "./report-facts.ts";

/** Statuses of answers, in the order of the page. */
const readings = [
  ["from native", "As tool calls", "read", "In the `tool_calls` of the answer."],
  ["from content", "As JSON in the text", "recovered", "The form requested in prompt mode."],
  [
    "from unreadable",
    "Text without readable calls",
    "unreadable",
    "The text has no readable call.",
  ],
  ["from none", "No call", "empty", "No call was made, which may be right."],
] as const satisfies readonly CountedPart[];

/**
 * Outcomes of calls, and how they were read.
 * Source: docs/spec/tools.md, metrics.
 * @example callSection(facts).id // "calls"
 */
export function callSection({ metrics, breakdown: { counts } }: ReportFacts): SectionParts {
  const { "status error": failed = 0, "from none": none = 0 } = counts;
  return {
    id: "calls",
    title: "Calls",
    intro:
      "Means over samples. If no call is right, a sample counts as right if none was made; text without a call is not a call.",
    blocks: [
      bars("Matched calls", ["avgF1", "precision", "recall"], metrics),
      bars(
        "Shares of samples and calls",
        ["allRight", "irrelevanceAccuracy", "schemaValidity"],
        metrics,
      ),
      stackOf("How calls were read", "answers", [
        // A failed request also has no call, but not by the model's choice.
        ...countedParts({ ...counts, "from none": Math.max(0, none - failed) }, readings),
        ...(failed === 0
          ? []
          : [["Request failed", failed, "failed", "There is no answer."] as const]),
      ]),
      alsoNote(counts, [
        ["status error", "requests failed and score 0"],
        ["status refused", "answers were refusals"],
        ["truncated", "answers were cut off at the token limit"],
      ]),
    ],
  };
}

const kinds: Readonly<Record<FailureClass, readonly [tone: Tone, meaning: string]>> = {
  wrongFunction: ["wrong", "Another function was called instead."],
  missingCall: ["missed", "An expected call was not made."],
  extraCall: ["extra", "A call was made that was not expected."],
  wrongArgument: ["other", "The right function with another value."],
  missingArgument: ["partMissed", "The right function without an expected argument."],
  surplusArgument: [
    "partExtra",
    "The right function with an argument beyond those expected (strictArguments).",
  ],
  malformedArguments: ["unreadable", "The arguments are not a JSON object."],
};

/** Maximum functions per class of failures that have their own area. */
const mostParts = 5;

/**
 * The calls that did not match, by class of failure and by function.
 * Source: docs/spec/tools.md, failures.
 * @example failureSection(facts).id // "failures"
 */
export function failureSection({ breakdown }: ReportFacts): SectionParts {
  return {
    id: "failures",
    title: "What went wrong",
    intro: "Each call that did not match, by what was wrong with it.",
    blocks: [
      failureTree(breakdown),
      asBrief(failureTable(breakdown)),
      noteIf("Failed requests", lostText(breakdown)),
    ],
    losses: largestLosses(
      failureClasses.map((id) => [failureLabels[id], breakdown.failures[id], { pattern: id }]),
      "calls",
    ),
  };
}

function lostText({ counts }: ToolsBreakdown): string {
  const failed = counts["status error"] ?? 0;
  if (failed === 0) return "";
  const requests = failed === 1 ? "one failed request" : `${failed} failed requests`;
  return `Missing calls include those of ${requests}.`;
}

function failureTree({ functions, failures }: ToolsBreakdown): TreeBlock | null {
  const groups = failureClasses.flatMap((id) => {
    if (failures[id] === 0) return [];
    const counts = functions.map((one) => ({
      label: one.name || "(unreadable)",
      count: one.failures[id],
      samples: { pattern: id, path: `${one.name}(*` },
    }));
    const named = treeParts(counts, mostParts, "other functions", failures[id]);
    const parts = named.map((part) => ({ samples: { pattern: id }, ...part }));
    return [{ label: failureLabels[id], tone: kinds[id][0], parts }];
  });
  if (groups.length === 0) return null;
  return { kind: "tree", title: "Failures by function", unit: "failures", groups };
}

function failureTable({ failures }: ToolsBreakdown): BlockParts {
  const total = failureClasses.reduce((sum, id) => sum + failures[id], 0);
  const table = tableOf(
    "Failures",
    [
      ["name", "Failure", "text", (id) => failureLabels[id]],
      ["count", "Count", "count", (id) => failures[id]],
      ["share", "Share", "percent", (id) => (total === 0 ? null : failures[id] / total)],
      ["text", "Meaning", "text", (id) => kinds[id][1]],
    ],
    failureClasses,
  );
  return withSamples(table, failureClasses, (pattern) =>
    failures[pattern] === 0 ? null : { pattern },
  );
}
