import { expect, it } from "vitest";
import type { Comparison } from "../../contracts/boards/comparison.ts";
import { differingSettings } from "./differing-settings.ts";
import { differingText } from "./words/differing-text.ts";

const run = (settings?: object, protocol = "responses") =>
  ({
    provenance: {
      kind: "called",
      endpointHost: "a.example",
      protocol,
      ...(settings && { settings }),
    },
  }) as Comparison["runs"][number];

it("differingSettings() returns the settings that differ, with an entry for each extra body field", () => {
  const runs = [
    run({ reasoningEffort: "high", seed: 1, temperature: null }),
    run({ reasoningEffort: "low", seed: 1, extraBody: { top_k: 4, provider: { order: ["x"] } } }),
    run(undefined, "messages"),
  ];
  expect(differingSettings(runs)).toEqual([
    { setting: "protocol", values: ["responses", "responses", "messages"] },
    { setting: "reasoningEffort", values: ["high", "low", null] },
    { setting: "seed", values: ["1", "1", null] },
    { setting: "temperature", values: ["null", null, null] },
    { setting: "extraBody.top_k", values: [null, "4", null] },
    { setting: "extraBody.provider", values: [null, '{"order":["x"]}', null] },
  ]);
});

it("differingSettings() is empty for equal settings and for submitted answers", () => {
  expect(differingSettings([run({ seed: 1 }), run({ seed: 1 })])).toEqual([]);
  const own = { provenance: { kind: "self-reported", endpointHost: null } };
  expect(differingSettings([own, own] as Comparison["runs"])).toEqual([]);
  expect(differingText([], ["a"])).toBeNull();
});

it("differingText() lists the runs with each value", () => {
  const differing = [
    { setting: "reasoningEffort", values: ["high", "low", "high"] },
    { setting: "seed", values: ["1", null, null] },
  ];
  expect(differingText(differing, ["A", "B", "C"])).toBe(
    "Settings that differ: reasoningEffort high (A, C), low (B); seed 1 (A), not stated (B, C).",
  );
});
