import { expect, it } from "vitest";
import { anExchange } from "../__fixtures__/judgments.ts";
import { type ClaimSource, claimScore, groundedness } from "./groundedness.ts";

it.each<[string, ClaimSource[], object]>([
  ["none", [], { claims: 0, groundedness: 1, hallucinationRate: 0 }],
  ["each kind", ["memory", "query", "general_knowledge", "hallucinated"], { groundedness: 0.75 }],
  ["inventions alone", ["hallucinated"], { groundedness: 0, hallucinationRate: 1 }],
])("claimScore() of %s", (_, sources, wanted) => {
  expect(claimScore(sources)).toMatchObject(wanted);
});

it("counts a claim with an invented quotation, and counts the quotation as invented", () => {
  const claims = [
    { text: "a", source: "memory" as const, evidence: "nowhere said" },
    { text: "b", source: "memory" as const, evidence: "" },
  ];
  expect(groundedness.read({ reasoning: "", claims }, anExchange())).toMatchObject({
    value: 1,
    numbers: { claims: 2, memory: 2 },
    unsupportedEvidence: 1,
  });
});
