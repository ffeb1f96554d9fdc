import { describe, expect, it } from "vitest";
import { readFolder, readRows } from "./read-rows.ts";

describe("readRows()", () => {
  it.each([
    ["an array", ' [{"id": "a"}, {"id": "b"}]\n'],
    ["lines", '\ufeff{"id": "a"}\r\n\r\n{"id": "b"}'],
  ])("reads %s", (_, text) => {
    expect(readRows(text)).toEqual({ ok: true, value: [{ id: "a" }, { id: "b" }] });
  });

  it.each([
    ["a broken line", '{"id": "a"}\n{"id"', "line 2 is no JSON"],
    ["a broken array", '[{"id": "a"}', "the array is no JSON"],
  ])("says what is wrong with %s", (_, text, error) => {
    expect(readRows(text)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  it("reads nothing as no rows", () => {
    expect(readRows(" \n")).toEqual({ ok: true, value: [] });
  });
});

describe("readFolder()", () => {
  const file = (path: string, value: unknown) => ({ path, text: JSON.stringify(value) });

  it("gives samples their folders' names, in order", () => {
    const files = [
      file("data/samples/b/sample.json", { id: "b", query: "Why?" }),
      file("data/samples/a/sample.json", { query: "How?" }),
      file("data/samples/a/notes.json", {}),
      { path: "data/samples/a/audio.wav", text: "" },
    ];
    expect(readFolder(files)).toEqual({
      ...{
        ok: true,
        value: [
          { id: "a", query: "How?" },
          { id: "b", query: "Why?" },
        ],
      },
    });
  });

  it.each([
    ["another id", [file("samples/a/sample.json", { id: "b" })], 'has the id "b"'],
    ["a list", [file("samples/a/sample.json", [])], "holds no JSON object"],
    ["broken JSON", [{ path: "samples/a/sample.json", text: "{" }], "is no JSON"],
    ["no sample", [file("a/sample.json", {})], "there is no samples/"],
  ])("refuses %s", (_, files, error) => {
    expect(readFolder(files)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });
});
