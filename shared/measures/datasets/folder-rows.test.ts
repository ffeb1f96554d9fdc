import { describe, expect, it } from "vitest";
import { documentRows, readFolder } from "./folder-rows.ts";

describe("readFolder()", () => {
  const file = (path: string, value: unknown) => ({ path, text: JSON.stringify(value) });

  it("sorts samples by id, and uses the folder's name as id", () => {
    const files = [
      file("data/samples/b/sample.json", { id: "b", query: "Why?" }),
      file("data/samples/a/sample.json", { query: "How?" }),
      file("data/samples/a/notes.json", {}),
      { path: "data/samples/a/audio.wav", text: "" },
    ];
    const value = [
      { id: "a", query: "How?" },
      { id: "b", query: "Why?" },
    ];
    expect(readFolder(files)).toEqual({ ok: true, value });
  });

  it.each([
    ["another id", [file("samples/a/sample.json", { id: "b" })], 'has the id "b"'],
    ["a list", [file("samples/a/sample.json", [])], "is not a JSON object"],
    ["broken JSON", [{ path: "samples/a/sample.json", text: "{" }], "is not JSON"],
    ["no sample", [file("a/sample.json", {})], "has no samples/<id>/sample.json"],
  ])("refuses %s", (_, files, error) => {
    expect(readFolder(files)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });
});

describe("documentRows()", () => {
  it("joins files whose paths have the same parts, and omits missing files", () => {
    const paths = [
      "bills/bill-schema.json",
      "bills/gold/a.v1.json",
      "bills/gold/b.json",
      "bills/gold/deep/c.json",
      "bills/text/a.v1.txt",
      "other/bill-schema.json",
    ];
    const fields = {
      gold: "{kind}s/gold/{id}.json",
      text: "{kind}s/text/{id}.txt",
      schema: "{kind}s/{kind}-schema.json",
    };
    const schema = "bills/bill-schema.json";
    expect(documentRows(paths, fields)).toEqual({
      ok: true,
      value: [
        {
          parts: { kind: "bill", id: "a.v1" },
          files: { gold: "bills/gold/a.v1.json", text: "bills/text/a.v1.txt", schema },
        },
        { parts: { kind: "bill", id: "b" }, files: { gold: "bills/gold/b.json", schema } },
      ],
    });
  });

  it("requires the same text for a repeated part, and matches other characters literally", () => {
    const paths = ["a/a+gold (1).json", "a/b+gold (1).json", "a/agold 1.json"];
    const found = documentRows(paths, { gold: "{id}/{id}+gold (1).json" });
    expect(found.ok && found.value.map(({ parts }) => parts)).toEqual([{ id: "a" }]);
  });

  it.each([[{}], [{ gold: "gold/{id}.json" }]])("finds no file for %j", (fields) => {
    expect(documentRows(["gold/a.txt"], fields)).toMatchObject({ ok: false });
  });
});
