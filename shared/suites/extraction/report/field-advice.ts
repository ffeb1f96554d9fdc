import type { Advice } from "../../../measures/report/advice/advice.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import type { CellFigures, ErrorsBreakdown } from "../sum/breakdown/breakdown-parts.ts";
import { worstGroup } from "./compared-figures.ts";
import { missedFields, mostFrequentError, patternText } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Maximum number of fields in the advice: those that cost the most. */
const mostFields = 3;

const troubles = ["missed", "incorrect", "partial", "spurious"] as const;
type Trouble = (typeof troubles)[number];

const actions: Readonly<Record<Trouble, (name: string) => string>> = {
  missed: (name) => `Say in the prompt that ${name} is required, and where in the text it is.`,
  incorrect: (name) =>
    `Describe ${name} in the schema or the prompt: its meaning, unit and format, with an example.`,
  partial: (name) =>
    `Say in the schema or the prompt how much of the text ${name} must contain, with an example.`,
  spurious: (name) => `Say in the prompt when to leave out ${name}.`,
};

/**
 * Fields that are clearly weaker than the run (20 samples or more, 95% interval below the partial F1 of all
 * fields), the most costly first: name paths, or types if there are none. Each with its most frequent error.
 * Source: docs/spec/extraction.md, sections 7 and 8.
 * @example fieldAdvice(facts)[0]?.cell // "Partial F1 of items[].price"
 */
export function fieldAdvice(facts: ReportFacts): Advice[] {
  const { fields } = facts.breakdown;
  const whole = facts.metrics["partialF1"]?.value ?? null;
  if (whole === null) return [];
  const paths = weakest(fields.byPath, whole);
  if (paths.length > 0) {
    return paths.map((cell) => {
      const name = cell.name === "" ? "the root" : `“${cell.name}”`;
      return adviceOn(cell, name, whole, commonError(facts, cell.name));
    });
  }
  return weakest(fields.byType, whole)
    .slice(0, 1)
    .map((cell) => adviceOn(cell, `each field of type ${cell.name}`, whole, ""));
}

function weakest(cells: readonly CellFigures[], whole: number): CellFigures[] {
  const cost = ({ partialF1, expected }: CellFigures) => (whole - partialF1) * expected;
  return cells
    .filter(({ standing }) => standing === "below")
    .sort((a, b) => cost(b) - cost(a))
    .slice(0, mostFields);
}

function adviceOn(cell: CellFigures, name: string, whole: number, common: string): Advice {
  const { partialF1: value, interval, n } = cell;
  const { invalidOutput, failedRequest } = cell;
  const missed = missedFields(cell);
  const counted = { ...cell, missed };
  const trouble = troubles.reduce((a, b) => (counted[b] > counted[a] ? b : a));
  const lost =
    invalidOutput + failedRequest === 0
      ? ""
      : `, ${invalidOutput} lost with an invalid output and ${failedRequest} with a failed request`;
  const counts = `of ${cell.expected} expected, ${missed} were missed, ${cell.incorrect} wrong and ${cell.partial} partly right${lost}; ${cell.spurious} were given without being requested.`;
  const subject = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    tone: "fair",
    cell: `Partial F1 of ${name}`,
    value,
    format: "score",
    interval,
    n,
    finding: `${subject} is clearly weaker than the run (${figureText(value, "score")} against ${figureText(whole, "score")}): ${counts}${common}`,
    change: "prompt",
    action: actions[trouble](name),
  };
}

function commonError({ breakdown }: ReportFacts, path: string): string {
  const known = breakdown.errorAnalysis.common.find((one) => one.path === path);
  if (known === undefined) return "";
  return ` Its most common error: ${patternText(known.pattern)} (${known.count}${firstSample(known.example)}).`;
}

/**
 * The first sample with an error, as the end of a bracket; empty if samples are hidden.
 * @example firstSample({ seq: 3, id: "fee" }) // ", first in sample fee"
 */
export const firstSample = (example: ErrorsBreakdown["common"][number]["example"]): string =>
  example === null ? "" : `, first in sample ${example.id}`;

/**
 * The complexity bin or value of a tag with clearly the lowest EQS, and its most frequent error; complex schemas
 * that are also weak in fields have their own advice.
 * Source: docs/spec/extraction.md, sections 6 to 8.
 * @example groupAdvice(facts)[0]?.cell // "EQS, language: de"
 */
export function groupAdvice(facts: ReportFacts): Advice | null {
  const worst = worstGroup(facts, "eqs");
  const whole = facts.metrics["eqs"]?.value ?? null;
  if (worst === null || whole === null || isNamed(facts, worst.label)) return null;
  const { label, figure, group } = worst;
  const error = mostFrequentError(group);
  const common = error === null ? "" : ` Most frequent there: ${error.text}.`;
  const how =
    error?.pattern == null ? "what is required" : `how to avoid the error “${error.pattern}”`;
  return {
    ...figure,
    tone: "fair",
    change: "prompt",
    finding: `EQS is lowest for ${label}: ${figureText(figure.value, "score")} against ${figureText(whole, "score")} for the whole run.${common}`,
    action: `Add an example of ${label} to the prompt, and say ${how}.`,
  };
}

const isNamed = ({ breakdown }: ReportFacts, label: string): boolean =>
  label === "schemas: complex" &&
  breakdown.fields.byComplexity.some(
    ({ name, standing }) => name === "complex" && standing === "below",
  );

/**
 * Complex schemas, if the model is clearly weaker on them than on the whole run.
 * Source: docs/spec/extraction.md, section 7.
 * @example complexityAdvice(facts)[0]?.change // "data"
 */
export function complexityAdvice({ breakdown, metrics }: ReportFacts): Advice | null {
  const cell = breakdown.fields.byComplexity.find(({ name }) => name === "complex");
  const whole = metrics["partialF1"]?.value ?? null;
  if (cell?.standing !== "below" || whole === null) return null;
  const { partialF1: value, interval, n } = cell;
  return {
    tone: "fair",
    cell: "Partial F1 of complex schemas",
    format: "score",
    change: "data",
    value,
    interval,
    n,
    finding: `Schemas of more than 15 fields or deeper than 2 score clearly lower than the run (${figureText(value, "score")} against ${figureText(whole, "score")}).`,
    action: "Split such schemas, and ask for their parts one by one.",
  };
}
