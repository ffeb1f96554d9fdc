import type { Advice } from "../../../../measures/report/advice.ts";
import { metricValue } from "../../../../measures/report/blocks.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import { thresholds } from "../../thresholds.ts";
import type { ReportFacts } from "../report-facts.ts";
import { offTarget } from "./measured.ts";
import { worstText } from "./worst-group.ts";

/** Modes in which the endpoint itself holds an output to the schema. */
const binding = new Set(["json_schema_strict", "json_schema", "structured_outputs", "guided_json"]);

/** From this share on, answers that nothing held to the schema are taken for the cause. */
const tellingShare = 0.05;

/**
 * Outputs that are no JSON or do not fit the schema, where these are more than the target of validity allows:
 * the mode where it did not hold answers to the schema, else the prompt. Answers that were cut off, refused or
 * never came are no matter of these.
 * Source: docs/spec/extraction.md, sections 1 and 6.
 * @example validityAdvice(facts)[0]?.change // "mode"
 */
export function validityAdvice(facts: ReportFacts): Advice[] {
  const off = offTarget(facts, "validity");
  const { metrics, breakdown } = facts;
  const unparsed = metricValue(metrics, "parseFailureRate") ?? 0;
  const unfit = metricValue(metrics, "schemaFailureRate") ?? 0;
  const cut = breakdown.answers === 0 ? 0 : breakdown.truncated / breakdown.answers;
  const allowed = 1 - thresholds.find(({ metric }) => metric === "validity")!.target;
  if (off === null || unparsed + unfit <= allowed || cut > (unparsed + unfit) / 2) return [];
  const shares = `${figureText(unparsed, "percent")} of the answers are no JSON, ${figureText(unfit, "percent")} do not fit the schema.`;
  const finding = `${off.text} ${shares}${worstText(facts, "validity")}`;
  const mode = modeAction(breakdown.structuredModes);
  return [
    {
      ...off.figure,
      tone: off.tone,
      finding,
      ...(mode !== null
        ? { change: "mode", action: mode }
        : { change: "prompt", action: promptAction(unparsed > unfit) }),
    },
  ];
}

function modeAction(modes: Readonly<Record<string, number>>): string | null {
  const known = Object.entries(modes);
  const total = known.reduce((sum, [, count]) => sum + count, 0);
  const loose = known.filter(([mode]) => !binding.has(mode));
  const free = loose.reduce((sum, [, count]) => sum + count, 0);
  const change =
    "Have the endpoint hold outputs to the schema: serve the model with structured outputs, and choose that mode by the option structuredOutput.";
  if (total === 0) return `No answer is known to have been held to the schema. ${change}`;
  if (free < tellingShare * total) return null;
  const names = loose.map(([mode, count]) => `${mode}: ${count}`).join(", ");
  return `Nothing held ${free} of ${total} answers to the schema (${names}). ${change}`;
}

function promptAction(isUnparsed: boolean): string {
  return isUnparsed
    ? "Have the prompt ask for the JSON alone, without words or code fences around it."
    : "The samples say which rules of the schema were broken: name required properties and allowed values in the prompt.";
}
