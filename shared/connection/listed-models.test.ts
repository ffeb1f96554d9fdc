import { expect, it } from "vitest";
import { readModels } from "./listed-models.ts";

it.each([
  ["Together's", [{ id: "acme/m", type: "chat" }], { id: "acme/m", ends: null, replacement: null }],
  [
    "OpenAI's",
    { object: "list", data: [{ id: "gpt-4o-mini-tts", shutdown_date: "2027-01-06" }] },
    { id: "gpt-4o-mini-tts", ends: "2027-01-06", replacement: null },
  ],
  [
    "OpenAI's (without a shutdown date)",
    { object: "list", data: [{ id: "gpt-6-luna", shutdown_date: null }] },
    { id: "gpt-6-luna", ends: null, replacement: null },
  ],
  [
    "OpenRouter's",
    { data: [{ id: "acme/m", name: "Acme: M", expiration_date: "2026-12-31" }] },
    { id: "acme/m", ends: "2026-12-31", replacement: null },
  ],
  [
    "Mistral's (with a time and a replacement)",
    {
      data: [
        {
          id: "magistral-medium-2509",
          deprecation: "2026-07-31T12:00:00Z",
          deprecation_replacement_model: "mistral-medium-latest",
        },
      ],
    },
    { id: "magistral-medium-2509", ends: "2026-07-31", replacement: "mistral-medium-latest" },
  ],
  [
    "Anthropic's",
    { data: [{ type: "model", id: "claude-opus-5-5", display_name: "x" }], has_more: false },
    { id: "claude-opus-5-5", ends: null, replacement: null },
  ],
  [
    "Google's (with names that begin with models/)",
    { models: [{ name: "models/gemini-3.8-flash", displayName: "x" }] },
    { id: "gemini-3.8-flash", ends: null, replacement: null },
  ],
])("readModels() reads %s list", (_, body, model) => {
  expect(readModels(body)).toEqual([model]);
});

it("readModels() skips entries without an id and ignores invalid shutdown dates", () => {
  const data = [{ object: "model" }, null, { id: "m", shutdown_date: "soon" }];
  expect(readModels({ data })).toEqual([{ id: "m", ends: null, replacement: null }]);
});

it.each([null, "list", {}, { data: {} }])("readModels() returns null for %j", (body) => {
  expect(readModels(body)).toBeNull();
});
