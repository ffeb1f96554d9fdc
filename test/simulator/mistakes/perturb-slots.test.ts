import { describe, expect, it } from "vitest";
import { drawsFrom } from "../../../simulator/draws.ts";
import { type MistakeKind, mistakeRates } from "../../../simulator/mistakes/mistakes.ts";
import { perturbSlots, type Slot } from "../../../simulator/mistakes/perturb-slots.ts";

const slots: Slot[] = [
  { topic: "basic_info", field: "home", values: ["a small flat"] },
  { topic: "basic_info", field: "age", values: [36] },
  { topic: "interests", field: "games", values: ["chess", "go"] },
];
const topics = { basic_info: ["home", "age", "gender"], interests: ["games", "books"] };

function perturbed(kind: MistakeKind, text = "Hanna runs marathons"): Slot[] {
  const made: MistakeKind[] = [];
  const rates = { ...mistakeRates(0), [kind]: 1 };
  const mistakes = { rates, draws: drawsFrom(1), constrained: false, made, root: {}, text };
  const result = perturbSlots(slots, topics, mistakes);
  expect(new Set(made)).toEqual(new Set([kind]));
  return result;
}
const fieldsOf = (stored: readonly Slot[]) => stored.map(({ field }) => field);

describe("perturbSlots()", () => {
  it("misses slots", () => {
    expect(perturbed("missed_slot")).toEqual([]);
  });

  it("stores unrelated text", () => {
    const values = perturbed("misread_slot").map((slot) => slot.values);
    expect(values).toEqual(slots.map(() => ["Hanna runs marathons"]));
    expect(perturbed("misread_slot", "")[0]?.values).toEqual(["unknown"]);
  });

  it("stores hints as facts in empty fields", () => {
    expect(fieldsOf(perturbed("extra_slot"))).toEqual(["home", "age", "games", "gender", "books"]);
  });

  it("invents fields", () => {
    const stored = perturbed("extra_field");
    expect(stored).toHaveLength(5);
    for (const { field } of stored.slice(3))
      expect(Object.values(topics).flat()).not.toContain(field);
  });

  it.each<[MistakeKind, number, RegExp]>([
    ["cut_string", 0, /^a smal?l?( f?)?$/],
    ["wrong_number", 1, /^3[0-57-9]|^4\d/],
    ["dropped_element", 2, /^(chess|go)$/],
  ])("makes mistakes in values by %s", (kind, at, value) => {
    expect(perturbed(kind)[at]?.values.join()).toMatch(value);
  });

  it("changes nothing at rate 0", () => {
    const mistakes = { rates: mistakeRates(0), draws: drawsFrom(1), constrained: false, made: [] };
    expect(perturbSlots(slots, topics, { ...mistakes, root: {}, text: "" })).toEqual(slots);
  });
});
