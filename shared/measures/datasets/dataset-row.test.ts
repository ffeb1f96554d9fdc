import { describe, expect, it } from "vitest";
import type { JsonObject } from "#shared/contracts/json.ts";
import { datasetRow, withoutNulls } from "./dataset-row.ts";

describe("datasetRow()", () => {
  it.each<[what: string, columns: JsonObject, row: JsonObject]>([
    ["an empty row", {}, { id: "train-4" }],
    ["a text without an id", { text: "Hi", tags: null }, { id: "train-4", text: "Hi" }],
    ["a number as id", { id: 0 }, { id: "0" }],
    ["an empty id", { id: "" }, { id: "train-4" }],
    ["an id of another type", { id: ["a"] }, { id: "train-4" }],
    ["an id", { text: "Hi", id: "a" }, { id: "a", text: "Hi" }],
  ])("converts %s", (_, columns, row) => {
    expect(datasetRow({}, columns, "train", 4)).toEqual(row);
  });

  it("maps columns with rowFromColumns() of the suite, without nulls", () => {
    const rowFromColumns = ({ item }: JsonObject) => ({ keys: [item ?? "none"] });
    expect(datasetRow({ rowFromColumns }, { item: null }, "test", 0)).toEqual({
      id: "test-0",
      keys: ["none"],
    });
  });
});

describe("withoutNulls()", () => {
  it("removes null properties at any depth", () => {
    const schema = { properties: { a: { type: "string", format: null }, b: null } };
    expect(withoutNulls({ schema, list: [null, { c: null }], gone: null })).toEqual({
      schema: { properties: { a: { type: "string" } } },
      list: [null, {}],
    });
  });
});
