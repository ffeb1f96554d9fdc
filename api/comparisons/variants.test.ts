import { expect, it } from "vitest";
import type { RunRecord } from "../runs/schema.ts";
import { reasonLeftOut } from "./variants.ts";

const aVariant = (more: Partial<RunRecord> = {}) =>
  ({
    status: "finished",
    statusReason: null,
    headline: "overall",
    variant: { temperature: 0.7, max_tokens: 50 },
    refused: { modes: [], parameters: [] },
    metrics: { overall: { value: 0.5, interval: null, n: 100, coverage: 0.95 } },
    endpoint: { baseUrl: "https://a.example", model: "m", maxTokensParam: "max_completion_tokens" },
    ...more,
  }) as RunRecord;

const refused = (...parameters: string[]) => ({ refused: { modes: [], parameters } });
const covered = (coverage: number) => ({
  metrics: { overall: { value: 0.5, interval: null, n: 100, coverage } },
});

it.each([
  [{}, null],
  [{ status: "cancelled" }, "cancelled"],
  [{ status: "failed", statusReason: "no key" }, "failed: no key"],
  [covered(0.9499), "coverage 94.9% is below 95%"],
  [{ metrics: null }, "no sample could be scored"],
  [refused("temperature"), "the endpoint refuses temperature, so it was asked without"],
  [refused("max_completion_tokens"), "the endpoint refuses max_tokens, so it was asked without"],
  [refused("max_tokens", "top_p"), null],
  [{ ...refused("temperature"), variant: { temperature: null } }, null],
] as const)("reasonLeftOut() of %j is %j", (more, reason) => {
  expect(reasonLeftOut(aVariant(more as unknown as Partial<RunRecord>))).toBe(reason);
});
