import { validate } from "@cfworker/json-schema";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import { readOutput } from "#shared/measures/json-output/read-output.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { extractionMessages } from "#shared/suites/extraction/ask/prompt.ts";
import { extractionOptionsSchema } from "#shared/suites/extraction/options.ts";
import type { Asker, Refused, Told } from "./ask.ts";
import type { Usual } from "./chat-check.ts";
import { type Check, lacking, passed } from "./check.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    city: { type: "string" },
    age: { type: "integer" },
  },
  required: ["name", "city", "age"],
  additionalProperties: false,
};
const sample = {
  id: "connection",
  text: "Mia Berg lives in Oslo and is 34 years old.",
  schema,
  expected_output: { name: "Mia Berg", city: "Oslo", age: 34 },
  tags: {},
};
const name = "person";

/** Ways to have a model keep to a schema, as the service and its users ask for it. */
const modes = [
  ["json_schema_strict", "JSON schema, strict", formatted({ name, schema, strict: true })],
  ["json_schema", "JSON schema", formatted({ name, schema, strict: false })],
  ["json_object", "JSON object", { response_format: { type: "json_object" } }],
  [
    "tool_call",
    "Schema by tool call",
    {
      tools: [{ type: "function", function: { name, parameters: schema } }],
      tool_choice: { type: "function", function: { name } },
    },
  ],
  ["none", "Schema in the prompt", {}],
] as const;

/** Which ways to ask for structured output work: the request is taken, and the answer fits the schema. */
export async function structuredChecks(ask: Asker, usual: Usual): Promise<Check[]> {
  const messages = extractionMessages(sample as never, extractionOptionsSchema.parse({}));
  const checks: Check[] = [];
  for (const [id, label, fields] of modes) {
    checks.push(judged(id, label, await ask.chat({ messages, ...usual, ...fields })));
  }
  return checks;
}

function formatted(json_schema: object) {
  return { response_format: { type: "json_schema", json_schema } };
}

type Chat = Extract<Awaited<ReturnType<Asker["chat"]>>, { ok: true }>["value"];

function judged(id: string, label: string, said: Told<Chat> | Refused): Check {
  if (!said.ok) {
    const detail = said.status === null ? said.message : `refused, ${said.status}: ${said.message}`;
    return lacking(id, label, detail, null);
  }
  const message = said.value?.choices?.[0]?.message;
  const call = message?.tool_calls?.[0] as { function?: { arguments?: string } } | undefined;
  if (id === "tool_call" && call === undefined) {
    return lacking(id, label, "taken, but no call came", null);
  }
  const output = call?.function?.arguments ?? message?.content ?? null;
  const { parse, value } = readOutput(withoutThoughts({ ...emptyAnswer, output }));
  if (parse === "failed") return lacking(id, label, "taken, but the answer is no JSON", null);
  const { valid } = validate(value as object, schema as object);
  if (!valid) return lacking(id, label, "taken, but the answer doesn't fit the schema", null);
  const detail =
    parse === "clean" ? "the answer fits the schema" : "fits, with words around the JSON";
  return passed(id, label, detail, said.ms);
}
