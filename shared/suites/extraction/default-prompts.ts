/** Source: docs/spec/extraction.md, section 9. */
export const defaultSystemPrompt =
  "You are a precise data extraction assistant. Extract information from the provided text according to the given JSON schema. Only extract information explicitly stated in the text. If information for a field is not present, omit the field or use null as appropriate.";

/** Source: docs/spec/extraction.md, section 9. */
export const defaultUserPrompt =
  "Text:\n{text}\n\nExtract information according to this JSON schema:\n{schema}\n\nOutput valid JSON matching the schema exactly.";
