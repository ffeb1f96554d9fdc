import { describe, expect, it } from "vitest";
import { readArray, readFolder } from "./open-dataset.ts";

describe("readArray()", () => {
  it("reads the rows of an array, and none of an empty one", () => {
    const rows = [{ id: "a" }, { id: "b" }];
    expect(readArray('\ufeff [{"id": "a"}, {"id": "b"}]\n')).toEqual({ ok: true, value: rows });
    expect(readArray("[]")).toEqual({ ok: true, value: [] });
  });

  it.each([
    ["a broken array", '[{"id": "a"}', "the array is not JSON"],
    ["an object", "{}", "not an array"],
  ])("refuses %s", (_, text, error) => {
    expect(readArray(text)).toEqual({ ok: false, error: expect.stringContaining(error) });
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
