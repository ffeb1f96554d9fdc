import { describe, expect, it } from "vitest";
import { drawsFrom } from "../../../simulator/draws.ts";
import { type MistakeKind, mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { perturbCalls } from "../../../simulator/mistakes/perturb-calls.ts";

const parameters = {
  type: "object",
  properties: { city: { type: "string" }, unit: { enum: ["C", "F"] } },
  required: ["city"],
};
const weather = { name: "get_weather", parameters };
const tides = { name: "get_tides", parameters };
const expected = [
  { name: "get_weather", arguments: { city: "Bergen", unit: { any_of: ["C", ""] } } },
  { name: "get_weather", arguments: { city: "Lisbon", unit: "F" } },
];

function perturbed(kind: MistakeKind | null, given = expected, functions = [weather, tides]) {
  const made: MistakeKind[] = [];
  const rates = { ...mistakeRates(0), ...(kind !== null && { [kind]: 1 }) };
  const mistakes = {
    rates,
    draws: drawsFrom(2),
    constrained: false,
    made,
    root: {},
    text: "In Rome?",
  };
  return { calls: perturbCalls(given, functions, mistakes), made };
}

describe("perturbCalls()", () => {
  it("makes the expected calls without mistakes", () => {
    const { calls, made } = perturbed(null);
    expect(calls.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([
      ["get_weather", { city: "Bergen", unit: "C" }],
      ["get_weather", { city: "Lisbon", unit: "F" }],
    ]);
    expect(made).toEqual([]);
  });

  it("misses calls", () => {
    expect(perturbed("missed_call")).toEqual({ calls: [], made: ["missed_call", "missed_call"] });
  });

  it("calls another function, if there is one, with arguments of that function", () => {
    const { calls } = perturbed("wrong_function");
    expect(calls.map(({ name }) => name)).toEqual(["get_tides", "get_tides"]);
    for (const { arguments: text } of calls) expect(JSON.parse(text)).toHaveProperty("city");
    expect(perturbed("wrong_function", expected, [weather]).made).toEqual([]);
  });

  it("truncates arguments", () => {
    for (const { arguments: text } of perturbed("malformed_arguments").calls) {
      expect(() => JSON.parse(text)).toThrow();
    }
  });

  it("adds a call, as extra_call with and as needless_call without expected calls", () => {
    expect(perturbed("extra_call").calls).toHaveLength(3);
    expect(perturbed("extra_call", []).calls).toEqual([]);
    expect(perturbed("needless_call", []).calls).toHaveLength(1);
    expect(perturbed("needless_call").calls).toHaveLength(2);
  });

  it.each<MistakeKind>(["wrong_enum", "typo", "omit_optional", "omit_required"])(
    "makes mistakes in arguments by %s, half as often as in fields",
    (kind) => {
      const many = Array.from({ length: 200 }, () => expected[1]!);
      const { made } = perturbed(kind, many);
      expect(new Set(made)).toEqual(new Set([kind]));
      expect(made.length / many.length).toBeGreaterThan(0.4);
      expect(made.length / many.length).toBeLessThan(0.6);
    },
  );
});
