import type { MatrixBlock, Tone, TreeBlock } from "../../../contracts/report.ts";
import { counted } from "../../../contracts/text/counted.ts";
import {
  asBrief,
  type BlockParts,
  largestLosses,
  noteIf,
  type SectionParts,
  tableOf,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { errorPatterns } from "../score/fields/diagnosed-field.ts";
import { patternGroups } from "../sum/breakdown/error-breakdown.ts";
import { comparedParts } from "./compared-figures.ts";
import {
  lostKindsPresent,
  lostLabels,
  lostText,
  lostTotals,
  lostVerdicts,
  missedFields,
  patternText,
} from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

type Errors = ReportFacts["breakdown"]["errorAnalysis"];

const groups: readonly { id: keyof Errors["groups"]; label: string; tone: Tone }[] = [
  { id: "extraction", label: "Extraction", tone: "kind0" },
  { id: "structure", label: "Structure", tone: "kind2" },
  { id: "boundary", label: "Boundary", tone: "kind5" },
  { id: "type", label: "Type", tone: "kind1" },
];

/** Maximum rows of the heat map. */
const mostRows = 12;

/** Why outputs are invalid: key of the sums, label, and the verdict by which lists of samples name it. */
const lostParts = [
  ["notJson", "not JSON", "not_json"],
  ["offSchema", "does not fit the schema", "off_schema"],
  ["refused", "refused", "refused"],
  ["empty", "empty", "empty"],
] as const;

/**
 * Errors by pattern and by field, and the most common errors with an example each.
 * Source: docs/spec/extraction.md, section 8.
 * @example errorSection(facts).id // "errors"
 */
export function errorSection({ breakdown }: ReportFacts): SectionParts {
  const { common, crowds, left } = breakdown.errorAnalysis;
  const repeated = common.filter(({ count }) => count > 1);
  const listed = repeated.length === 0 ? common : repeated;
  const single = repeated.length === 0 ? 0 : common.length - repeated.length;
  const once = single === 0 ? "" : ` Not listed: ${counted(single, "error")} of a single field.`;
  const part =
    left.errors === 0
      ? ""
      : ` Not listed: ${left.errors} errors (about ${left.pairs} pairs of pattern and path), selected at random because the table's limit is reached.`;
  return {
    id: "errors",
    title: "Errors",
    intro:
      "Each wrong field, counted once: under the first pattern that fits, or under the reason if the output is invalid or missing. Common errors of valid outputs link their first sample.",
    blocks: [
      patternTree(breakdown.errorAnalysis),
      fieldMap(breakdown),
      asBrief(
        withSamples(
          tableOf(
            repeated.length === 0 ? "Errors, each of a single field" : "Most common errors",
            [
              ["pattern", "Pattern", "text", ({ pattern }) => patternText(pattern)],
              ["path", "Path", "text", ({ path }) => path || "(root)"],
              ["count", "Fields", "count"],
              ["example", "First in sample", "text", ({ example }) => example?.id ?? "hidden"],
            ],
            listed,
          ),
          listed,
          ({ pattern, path }) => ({ path: path || "(root)", pattern }),
        ),
      ),
      crowdTable(crowds),
      noteIf("How these are counted", `${unusedText(breakdown.errorAnalysis)}${once}${part}`),
      noteIf("Grouped fields", comparedParts(breakdown, mostRows).why),
    ],
    losses: largestLosses(lossesOf(breakdown), "fields"),
  };
}

/** Lost outputs, and other errors: by path if samples share paths or a few paths have most errors, else by pattern. */
function lossesOf(breakdown: ReportFacts["breakdown"]): Parameters<typeof largestLosses>[0] {
  const { lost, common, patterns } = breakdown.errorAnalysis;
  const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
  const isMost = 2 * sum(common.map(({ count }) => count)) >= sum(Object.values(patterns));
  const isShared = isMost || comparedParts(breakdown, mostRows).why === "";
  return [
    ...lostParts.map(
      ([id, label, verdict]) => [label, lost?.[id].fields ?? 0, { verdict }] as const,
    ),
    ["failed request", lost?.failedRequest.fields ?? 0, { only: "failed" }],
    ...(isShared
      ? common.map(
          ({ pattern, path, count }) =>
            [
              `${path || "(root)"}: ${patternText(pattern)}`,
              count,
              { path: path || "(root)", pattern },
            ] as const,
        )
      : errorPatterns.map(
          (pattern) => [patternText(pattern), patterns[pattern], { pattern }] as const,
        )),
  ];
}

/** Answers without any counted field, why, and their score if they were valid. */
function unusedText({ lost, salvage }: Errors): string {
  const answers = lostText(lost);
  if (answers === "") return "";
  const { invalidOutput, failedRequest } = lostTotals(lost);
  const fields = counted(invalidOutput.fields + failedRequest.fields, "field");
  const saved =
    salvage === null
      ? ""
      : ` ${counted(salvage.answers, "invalid output")} ${salvage.answers === 1 ? "is" : "are"} JSON that does not fit the schema; read as if valid, partial F1 over these would be ${salvage.partialF1.toFixed(3)}.`;
  return ` No field counts of ${answers}: ${fields} expected there count as missed in the metrics, and are listed separately here.${saved}`;
}

function patternTree({ patterns, lost }: Errors): TreeBlock {
  const lostGroups = [
    {
      ...lostLabels.invalidOutput,
      parts: lostParts.map(([id, label, verdict]) => ({
        label,
        count: lost?.[id].fields ?? 0,
        samples: { verdict },
      })),
    },
    {
      ...lostLabels.failedRequest,
      parts: [
        {
          label: "failed request",
          count: lostTotals(lost).failedRequest.fields,
          samples: { verdict: lostVerdicts.failedRequest },
        },
      ],
    },
  ];
  return {
    kind: "tree",
    title: "Errors by pattern",
    unit: "errors",
    groups: [
      ...groups.map(({ id, label, tone }) => ({
        label,
        tone,
        parts: errorPatterns
          .filter((pattern) => patternGroups[pattern] === id)
          .map((pattern) => ({
            label: patternText(pattern),
            count: patterns[pattern],
            samples: { pattern },
          })),
      })),
      ...lostGroups,
    ]
      .map((group) => ({ ...group, parts: group.parts.filter(({ count }) => count > 0) }))
      .filter(({ parts }) => parts.length > 0),
  };
}

/** Null without fields. */
function fieldMap(breakdown: ReportFacts["breakdown"]): MatrixBlock | null {
  const { by, cells, why } = comparedParts(breakdown, mostRows);
  if (cells.length === 0) return null;
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const present = lostKindsPresent(breakdown.errorAnalysis.lost);
  const verdicts = ["missed", ...present.map((id) => lostVerdicts[id]), "incorrect", "spurious"];
  return {
    kind: "matrix",
    title: `What goes wrong by ${by}`,
    rows: { label: why === "" ? "Field" : "Fields", names: cells.map(({ label }) => label) },
    columns: {
      label: "Share of expected (spurious: of predicted)",
      names: [
        "missed",
        ...present.map((id) => lostLabels[id].label.toLowerCase()),
        "incorrect",
        "spurious",
      ],
    },
    cells: cells.map((cell) => [
      share(missedFields(cell), cell.expected),
      ...present.map((id) => share(cell[id], cell.expected)),
      share(cell.incorrect, cell.expected),
      share(cell.spurious, cell.predicted),
    ]),
    // Groups of fields have no path.
    ...(why === "" && {
      samples: cells.map(({ label: path }) => verdicts.map((verdict) => ({ path, verdict }))),
    }),
    format: "percent",
    scale: "share",
  };
}

/** Empty if every name was counted separately. */
function crowdTable(crowds: Errors["crowds"]): BlockParts {
  if (crowds.length === 0) return null;
  const table = tableOf(
    "Errors at names that no schema lists, too many to list",
    [
      ["pattern", "Pattern", "text", (its) => (its.pattern ? patternText(its.pattern) : "any")],
      ["path", "Any name at", "text", (its) => (its.pattern ? its.path || "(root)" : "any path")],
      ["names", "Names", "text", ({ moreThan }) => `over ${moreThan}`],
      ["count", "Fields", "count"],
      ["example", "First in sample", "text", ({ example }) => example?.id ?? "hidden"],
    ],
    crowds,
  );
  return withSamples(table, crowds, ({ pattern, path }) =>
    pattern === null ? null : { pattern, ...(path !== "" && { path: `${path}.*` }) },
  );
}
