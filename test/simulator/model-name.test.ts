import { describe, expect, it } from "vitest";
import { findModel, type NamedModel } from "../../simulator/model-name.ts";

function found(name: string): NamedModel {
  const result = findModel(name);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("findModel()", () => {
  it("finds a model of the catalogue", () => {
    expect(found("sim-large")).toMatchObject({
      id: "sim-large",
      faults: null,
      seed: null,
      scaled: true,
    });
  });

  it("applies the overrides of the name", () => {
    expect(
      found("sim-perfect?latency=500&p95=1500&faults=429:0.1,500:0.05&seed=7&profile=basic"),
    ).toMatchObject({
      id: "sim-perfect",
      latency: { medianMs: 500, p95Ms: 1500, lengthShare: 0 },
      faults: { passing: { "429": 0.1, "500": 0.05 }, lasting: {} },
      seed: "7",
      profile: "basic",
      scaled: false,
    });
  });

  it("reads skill as one scale or as rates by mistake", () => {
    expect(found("sim-perfect?errors=1").rates.none.typo).toBe(0.2);
    const { none, schema } = found("sim-perfect?mistakes=typo:0.5,fenced").rates;
    expect([none.typo, none.fenced, none.refusal]).toEqual([0.5, 1, 0]);
    expect([schema.typo, schema.fenced]).toEqual([0.5, 0]);
  });

  it.each([
    ["sim-large?colour=red", "unknown override 'colour'"],
    ["sim-large?latency=-1", "latency must be a number of at least 0, not '-1'"],
    ["sim-large?profile=strict", "unknown profile 'strict'"],
    ["sim-large?mistakes=laziness", "unknown mistake 'laziness'"],
  ])("refuses %s", (name, reason) => {
    const result = findModel(name);
    expect(result).toMatchObject({ ok: false, error: { kind: "invalid" } });
    expect(JSON.stringify(result)).toContain(reason);
  });

  it("returns unknown for other models", () => {
    expect(findModel("gpt-4o")).toEqual({ ok: false, error: { kind: "unknown" } });
  });
});
