import { describe, expect, it } from "vitest";
import type { Json } from "../../../shared/contracts/json.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { pickAccepted } from "../../../simulator/mistakes/perturb-calls.ts";

describe("pickAccepted()", () => {
  it.each<[Json, Json | undefined]>([
    ["x", "x"],
    [null, null],
    [{ any_of: ["x"] }, "x"],
    [{ any_of: ["", "x"] }, undefined],
    [{ a: { any_of: [null] }, b: { c: { any_of: [1] } } }, { b: { c: 1 } }],
    [{ any_of: [[{ any_of: [{ a: 1 }] }]] }, [{ a: 1 }]],
  ])("returns for %j the first value %j if no other is drawn", (expected, given) => {
    const draws = { ...drawsFrom(1), chance: () => false };
    expect(pickAccepted(expected, draws)).toEqual(given);
  });

  it("returns mostly the first value, and sometimes each other one", () => {
    const draws = drawsFrom(1);
    const picked = Array.from({ length: 200 }, () =>
      pickAccepted({ any_of: ["a", "b", ""] }, draws),
    );
    const count = (value: string | undefined) => picked.filter((one) => one === value).length;
    expect(count("a")).toBeGreaterThan(120);
    expect(Math.min(count("b"), count(undefined))).toBeGreaterThan(5);
  });
});
