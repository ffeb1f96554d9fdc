import { expect, test } from "vitest";
import { aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { extractionMessages } from "./prompt.ts";

test("extractionMessages() inserts the text and the indented schema", () => {
  const sample = aSample({}, { text: "Ada, 36", schema: { type: "object" } });
  const [system, user] = extractionMessages(sample, defaultOptions);
  expect(system?.content).toMatch(/^You are a precise data extraction assistant\./);
  expect(user?.content).toBe(
    'Text:\nAda, 36\n\nExtract information according to this JSON schema:\n{\n  "type": "object"\n}\n\nOutput valid JSON matching the schema exactly.',
  );
});

test("extractionMessages() does not replace placeholders or $ patterns within the text", () => {
  const sample = aSample({}, { text: "$& {schema} {text}" });
  const [, user] = extractionMessages(sample, { ...defaultOptions, userPrompt: "<{text}>" });
  expect(user?.content).toBe("<$& {schema} {text}>");
});
