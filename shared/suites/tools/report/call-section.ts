import type { NoteBlock, ReportSection, StackBlock, Tone } from "../../../contracts/report.ts";
import { bars, note, type ReportFacts } from "./report-facts.ts";

/** How answers came back, in the order of the page. */
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
  definition: "No answer was had.",
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
