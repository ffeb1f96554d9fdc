import type { StructuredMode } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { JsonObject } from "#shared/contracts/json.ts";

/** What `auto` tries, in this order, until the endpoint takes the schema. */
const ladder: readonly StructuredMode[] = [
  "json_schema_strict",
  "json_schema",
  "json_object",
  "none",
];

/** The modes to try for a request, first to last, without those the endpoint is known to refuse. */
export function modesFor(
  request: ChatRequest,
  refused: ReadonlySet<string>,
): readonly StructuredMode[] {
  if (!request.structured) return ["none"];
  const { mode: asked, neverStrict = false } = request.structured;
  if (asked !== "auto") return [asked];
  const strict: StructuredMode = "json_schema_strict";
  return ladder.filter((mode) => !refused.has(mode) && !(neverStrict && mode === strict));
}

/** The fields that ask an endpoint to keep to a schema, by mode. */
export function modeFields(
  mode: StructuredMode,
  structured: NonNullable<ChatRequest["structured"]>,
): JsonObject {
  const { name, schema } = structured;
  switch (mode) {
    case "json_schema_strict":
    case "json_schema": {
      const strict = mode === "json_schema_strict";
      return { response_format: { type: "json_schema", json_schema: { name, schema, strict } } };
    }
    case "structured_outputs":
      return { structured_outputs: { json: schema } };
    case "guided_json":
      return { guided_json: schema };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "none":
      return {};
  }
}
