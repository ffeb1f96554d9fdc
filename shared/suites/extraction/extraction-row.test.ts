import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../contracts/json.ts";
import { extractionRow } from "./extraction-row.ts";

describe("extractionRow()", () => {
  it.each<[what: string, columns: JsonObject, row: JsonObject]>([
    ["nothing", {}, {}],
    [
      "columns of paraloq/json_data_extraction",
      {
        title: "A fee",
        topic: "simple",
        item_id: "7",
        medium: "letter",
        text: "EUR 120",
        schema: '{"type": "object", "const": null}',
        item: '{"fee": 120, "note": null}',
      },
      {
        text: "EUR 120",
        schema: { type: "object", const: null },

        expected_output: { fee: 120, note: null },
        tags: { topic: "simple", medium: "letter" },
      },
    ],
    [
      "the suite's own names",
      { id: "a", text: "", schema: true, expected_output: [1], tags: { topic: "law" }, item: "x" },
      { id: "a", text: "", schema: true, expected_output: [1], tags: { topic: "law" } },
    ],
    [
      "parts that a table filled with null",
      {
        schema: { properties: { a: { type: "string", format: null }, b: null } },
        expected_output: { a: "x", b: null },
        tags: { topic: "law", medium: null },
      },
      {
        schema: { properties: { a: { type: "string" } } },
        expected_output: { a: "x" },
        tags: { topic: "law" },
      },
    ],
    ["what is no JSON", { schema: "{cut", item: "[1" }, { schema: "{cut", expected_output: "[1" }],
    ["an expected text", { item: "120" }, { expected_output: "120" }],
  ])("takes %s", (_, columns, row) => {
    expect(extractionRow(columns)).toEqual(row);
  });
});
