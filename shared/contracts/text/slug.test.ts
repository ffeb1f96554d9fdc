import { describe, expect, it } from "vitest";
import { nameSkeleton } from "./slug.ts";

describe("nameSkeleton()", () => {
  it.each(["Stock", "STOCK", "st0ck", "5tock", "sto-ck", "s.t_o-c k", "ｓｔｏｃｋ", "sto\u200bck"])(
    "is the same for %s and stock",
    (name) => {
      expect(nameSkeleton(name)).toBe(nameSkeleton("stock"));
    },
  );

  it.each([
    ["acme", "acrne"],
    ["wide", "vvide"],
    ["globex", "g1obex"],
    ["globex", "gIobex"],
  ])("is the same for %s and %s", (name, other) => {
    expect(nameSkeleton(other)).toBe(nameSkeleton(name));
  });

  it.each([
    ["stock", "stocks"],
    ["acme", "acne"],
    ["v1", "v2"],
  ])("differs for %s and %s", (name, other) => {
    expect(nameSkeleton(other)).not.toBe(nameSkeleton(name));
  });

  it("is empty for a name without a letter or digit", () => {
    expect(nameSkeleton("._-")).toBe("");
  });
});
