import { expect, it } from "vitest";
import { modeFields, modesFor } from "./structured-mode.ts";

const schema = { type: "object" };
const request = (mode: "auto" | "guided_json") => ({
  messages: [],
  structured: { name: "n", schema, mode },
});

it("modesFor() steps down from strict to none with auto", () => {
  const modes = modesFor(request("auto"), new Set());
  expect(modes).toEqual(["json_schema_strict", "json_schema", "json_object", "none"]);
});

it("modesFor() begins below strict where no strict mode takes the schema", () => {
  const structured = { name: "n", schema, mode: "auto" as const, neverStrict: true as const };
  const modes = modesFor({ messages: [], structured }, new Set());
  expect(modes).toEqual(["json_schema", "json_object", "none"]);
});

it("modesFor() skips modes that the endpoint refused before", () => {
  const modes = modesFor(request("auto"), new Set(["json_schema_strict", "json_schema"]));
  expect(modes).toEqual(["json_object", "none"]);
});

it("modesFor() keeps to a mode that was asked for", () => {
  expect(modesFor(request("guided_json"), new Set(["guided_json"]))).toEqual(["guided_json"]);
});

it("modesFor() asks for no structure where the suite wants none", () => {
  expect(modesFor({ messages: [] }, new Set())).toEqual(["none"]);
});

it.each([
  [
    "json_schema_strict",
    { response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } } },
  ],
  [
    "json_schema",
    { response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: false } } },
  ],
  ["structured_outputs", { structured_outputs: { json: schema } }],
  ["guided_json", { guided_json: schema }],
  ["json_object", { response_format: { type: "json_object" } }],
  ["none", {}],
] as const)("modeFields() of %s", (mode, expected) => {
  expect(modeFields(mode, { name: "n", schema, mode: "auto" })).toEqual(expected);
});
