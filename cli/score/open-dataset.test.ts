import { describe, expect, it } from "vitest";
import { readArray } from "./open-dataset.ts";

describe("readArray()", () => {
  it("reads the rows of an array, which may be empty", () => {
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
