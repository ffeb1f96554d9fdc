import { isJsonObject, type JsonObject } from "../../../contracts/json.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import type { SampleToShow } from "../../../contracts/suite.ts";
import { answerNotes } from "../../../measures/report/answer-notes.ts";
import { shownJson } from "../../../measures/report/shown-json.ts";
import { shownTable } from "../../../measures/report/shown-table.ts";
import { shownText } from "../../../measures/report/shown-text.ts";
import { type ToolsSample, toolFunction, toolName } from "../sample.ts";
import type { ToolsDetail } from "../score/score.ts";
import { callFields } from "./call-fields.ts";
import { scoreTables } from "./score-tables.ts";

/** Of tools, of which a sample may offer any number, and of what was said beside calls. */
const mostText = 1_000;

/**
 * A sample with the calls that were made: the conversation, the tools at hand, expected calls beside made ones,
 * what the score is made of, and where the answer came from. Without a detail the expected calls and what came
 * back as they are. Never throws. Texts are cut.
 * @example showTools({ sample, answer, score })[0]?.title // "Conversation"
 */
export function showTools({
  sample,
  answer,
  score: { detail },
}: SampleToShow<ToolsSample, ToolsDetail>): ReportBlock[] {
  const { messages, tools, expected_calls: expected } = sample;
  const conversation = messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const said = saidText(answer.output, detail?.from === "native");
  const asked = [
    shownText("Conversation", conversation),
    shownText("Tools offered", tools.map(signature).join("\n") || "(none)", {
      isCode: true,
      most: mostText,
    }),
  ];
  if (detail === null) {
    const made = answer.toolCalls?.map((call) => ({
      name: call.name,
      arguments: (call.arguments ?? null) as JsonObject,
    }));
    return [
      ...asked,
      shownJson("Expected calls", expected as unknown as JsonObject[]),
      ...answerNotes(answer),
      ...(made === undefined ? [] : [shownJson("Calls made", made)]),
      ...said,
    ];
  }
  return [
    ...asked,
    ...answerNotes(answer),
    callFields(expected, detail),
    ...schemaNotes(detail),
    ...said,
    ...scoreTables(detail, answer),
  ];
}

/** Text beside calls is talk; text instead of calls may hold them. */
function saidText(output: string | null, isBesideCalls: boolean): ReportBlock[] {
  if (output === null || output.trim() === "") return [];
  const title = isBesideCalls ? "Said beside the calls" : "Text of the answer";
  return [shownText(title, output, { most: mostText, isCode: /^\s*[[{`]/.test(output) })];
}

/** A tool in a line: its name and parameters, those that may be left out with a question mark. */
function signature(tool: JsonObject): string {
  const { parameters } = toolFunction(tool);
  const { properties, required } = isJsonObject(parameters) ? parameters : {};
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = isJsonObject(properties) ? Object.entries(properties) : [];
  const parts = names.map(([name, schema]) => {
    const type = isJsonObject(schema) && typeof schema["type"] === "string" ? schema["type"] : "";
    return `${name}${needed.has(name) ? "" : "?"}${type && `: ${type}`}`;
  });
  return `${toolName(tool) ?? ""}(${parts.join(", ")})`;
}

function schemaNotes({ schemaErrors }: ToolsDetail): ReportBlock[] {
  return shownTable(
    "Arguments that are not by the schema",
    [["reason", "Function and reason", "text"]],
    schemaErrors.map((reason) => ({ reason })),
  );
}
