import type { JsonObject } from "../../../contracts/json.ts";
import type { SlotsSample } from "../sample.ts";

const value: JsonObject = {
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
};

const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
});

/**
 * The JSON Schema of an answer: the sample's topics and fields, every one optional and no other, a value
 * a text or a list of texts.
 * Source: docs/spec/slots.md, data.
 * @example answerSchema({ interests: ["food"] })["additionalProperties"] // false
 */
export function answerSchema(topics: SlotsSample["topics"]): JsonObject {
  const parts = Object.entries(topics).map(([topic, fields]) => {
    const properties = Object.fromEntries(fields.map((field) => [field, value]));
    return [topic, closed(properties)] as const;
  });
  return closed(Object.fromEntries(parts));
}
