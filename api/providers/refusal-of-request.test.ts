import { expect, it } from "vitest";
import { refusedPart } from "./refusal-of-request.ts";

it.each<[string, string | null, ReturnType<typeof refusedPart>]>([
  [
    "Invalid schema for response_format 'extraction_result': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    "response_format",
    { kind: "schema" },
  ],
  [
    "'response_format' of type 'json_schema' is not supported with this model.",
    null,
    { kind: "mode" },
  ],
  ["Unrecognized request argument supplied: guided_json", null, { kind: "mode" }],
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "max_tokens",
    { kind: "parameter", name: "max_tokens" },
  ],
  [
    "Unsupported value: 'temperature' does not support 0.",
    null,
    { kind: "parameter", name: "temperature" },
  ],
  ["Your prompt is too long.", null, { kind: "other" }],
])("refusedPart() reads %j", (message, param, expected) => {
  expect(refusedPart(message, param)).toEqual(expected);
});
