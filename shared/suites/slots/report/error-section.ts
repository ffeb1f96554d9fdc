import type { NoteBlock, Tone, TreeBlock } from "../../../contracts/report.ts";
import { enforcementOf } from "../../../measures/json-output/enforcement-of.ts";
import {
  alsoNote,
  type CountedPart,
  countedParts,
  largestLosses,
  metricBars,
  note,
  type SectionParts,
  stackOf,
  treeParts,
} from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { slotsMetrics } from "../metrics.ts";
import type { SlotsBreakdown } from "../sum/breakdown.ts";
import type { ReportFacts } from "./report-facts.ts";
import { type SlotOutcomes, slotOutcomes, topicOutcomes } from "./topic-section.ts";

/** Statuses of answers, in the order of the page. */
const readings = [
  ["parse clean", "Read directly", "read", "The output has only slots."],
  ["parse recovered", "Recovered", "recovered", "From an output with errors or additional text."],
  ["parse failed", "Not readable", "unreadable", "Nothing in the output could be read as slots."],
  ["status refused", "Refused", "refused", "The model refused to answer."],
  ["status empty", "Empty", "empty", "The output was blank."],
  ["status error", "Request failed", "failed", "There is no answer."],
] as const satisfies readonly CountedPart[];

const faults = [
  ["missed", "Missed", "missed"],
  ["other", "Other value", "other"],
  ["extra", "Extra", "extra"],
] as const satisfies readonly (readonly [keyof SlotOutcomes, string, Tone])[];

/** Maximum topics per kind of error that have their own area. */
const mostParts = 10;

/**
 * Which slots went wrong, by kind and topic, and how the answers were read.
 * @example errorSection(facts).id // "outputs"
 */
export function errorSection({ breakdown, isEnforcing = false }: ReportFacts): SectionParts {
  return {
    id: "outputs",
    title: "What went wrong",
    intro:
      "An unreadable answer or a failed request stores nothing, so all expected slots are missed.",
    blocks: [
      errorTree(breakdown),
      stackOf("How answers were read", "answers", countedParts(breakdown.counts, readings)),
      alsoNote(breakdown.counts, [["truncated", "answers were cut off at the token limit"]]),
      modeNote(breakdown.counts, isEnforcing),
    ],
    losses: largestLosses(
      faults.flatMap(([id, label]) =>
        breakdown.topics.map(
          (topic) =>
            [
              `${topic.name}: ${label.toLowerCase()}`,
              topicOutcomes(topic)[id],
              { path: `${topic.name}.*`, verdict: id },
            ] as const,
        ),
      ),
      "slots",
    ),
  };
}

/** The structured-output modes of the answers, and whether they were ignored. */
function modeNote(counts: SlotsBreakdown["counts"], isEnforcing: boolean): NoteBlock | null {
  const modes = Object.keys(counts).flatMap((name) => name.match(/^mode (.+)/)?.[1] ?? []);
  const texts = modes.map((mode) => {
    const answers = counts[`mode ${mode}`] ?? 0;
    return `${mode} (${answers}): ${enforcementOf(mode, answers, counts[`unfit ${mode}`] ?? 0, isEnforcing)}`;
  });
  return texts.length === 0 ? null : note("Structured output", `${texts.join("; ")}.`);
}

function errorTree({ topics }: SlotsBreakdown): TreeBlock | null {
  const groups = faults.flatMap(([id, label, tone]) => {
    const counts = topics.map((one) => ({
      label: one.name,
      count: topicOutcomes(one)[id],
      samples: { verdict: id, path: `${one.name}.*` },
    }));
    const named = treeParts(counts, mostParts, "other topics");
    const parts = named.map((part) => ({ samples: { verdict: id }, ...part }));
    return parts.length === 0 ? [] : [{ label, tone, parts }];
  });
  if (groups.length === 0) return null;
  return { kind: "tree", title: "Wrong slots by topic", unit: "slots", groups };
}

/**
 * Whether stored values are the expected ones: outcomes of all slots, and the figures by value and token.
 * Source: docs/spec/slots.md, metrics.
 * @example valueSection(facts).id // "values"
 */
export function valueSection({ metrics, breakdown }: ReportFacts): SectionParts {
  const { exact, other, missed, extra } = slotOutcomes(breakdown);
  const bars = (title: string, ids: readonly string[]) =>
    metricBars(title, ids, metrics, { catalogue: slotsMetrics, steps: shareSteps });
  return {
    id: "values",
    title: "With which values",
    intro:
      "Values are compared in canonical form: lower case, without punctuation, in any order. Tokens give credit for a partly right value.",
    blocks: [
      stackOf("Outcomes of slots", "slots", [
        [
          "Right value",
          exact,
          "right",
          "Stored with exactly the expected values.",
          { verdict: "exact" },
        ],
        [
          "Other value",
          other,
          "other",
          "Stored, with other values than expected.",
          { verdict: "other" },
        ],
        ["Missed", missed, "missed", "Expected, but nothing stored.", { verdict: "missed" }],
        ["Extra", extra, "extra", "Stored, but not expected.", { verdict: "extra" }],
      ]),
      bars("By value", ["valueF1", "valuePrecision", "valueRecall", "exactMatchCoverage"]),
      bars("By token", ["tokenF1", "tokenPrecision", "tokenRecall", "bleu1"]),
    ],
  };
}
