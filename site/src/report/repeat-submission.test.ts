import { expect, it } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { submissionRequestSchema } from "#shared/contracts/submissions/submission.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { repeatSubmission } from "./repeat-submission.ts";

const aRun = (more: Partial<Run> = {}) =>
  ({
    suite: "tools",
    dataset: { name: "stock", version: "a".repeat(64) },
    hybrid: null,
    provenance: {
      kind: "called",
      endpointHost: "api.example",
      protocol: "responses",
      settings: { reasoningEffort: "high" },
    },
    model: { name: "A model" },
    options: {},
    prices: null,
    judging: null,
    ...more,
  }) as unknown as Run;

it.each([
  ["an endpoint", null, "endpoint"],
  ["a hybrid target", { cloudHost: "cloud.example", confidenceThreshold: 0.7 }, "hybrid"],
] as const)("repeatSubmission() of a run of %s is a valid submission", (_, hybrid, kind) => {
  const options = { hybridSweep: hybrid !== null };
  // Hybrid targets have no settings.
  const provenance = { kind: "called", endpointHost: "api.example" } as const;
  const more = { hybrid, options, ...(hybrid !== null && { provenance }) };
  const { models } = submissionRequestSchema.parse(repeatSubmission(aRun(more)));
  expect(models[0]).toHaveProperty(kind);
  expect(models[0]?.hybrid?.confidenceThreshold).toBe(hybrid?.confidenceThreshold);
  expect(models[0]).not.toHaveProperty("prices");
});

it("repeatSubmission() uses the same interface and settings", () => {
  expect(repeatSubmission(aRun()).models[0]?.endpoint).toMatchObject({
    protocol: "responses",
    settings: { reasoningEffort: "high" },
  });
});

it("repeatSubmission() has the prices of the run", () => {
  const prices = { inputPerMillion: 1, outputPerMillion: 2 };
  expect(repeatSubmission(aRun({ prices })).models[0]).toMatchObject({ prices });
  // A run in batches pays half of the submitted prices.
  const batched = repeatSubmission(aRun({ prices, options: { mode: "batch" } }));
  expect(batched.models[0]).toMatchObject({
    prices: { inputPerMillion: 2, outputPerMillion: 4 },
  });
});

const route = (model: string) => ({ provider: "acme", model, simulated: false });
const by = (who: "run" | "deployment" | "fallback" | "none", ...models: string[]) => ({
  routes: models.map(route),
  by: who,
  promptHash: "h",
});

const judging = {
  judges: {
    coherence: by("deployment", "j1"),
    empathy: by("fallback", "j2"),
    safety: by("none"),
    relevance: by("run", "own"),
    politeness: by("deployment", "j3", "j4"),
  },
  stages: {},
};

it("repeatSubmission() names the judges that the deployment chose, together with those of the run", () => {
  const judgeOverrides = { relevance: "acme:own" };
  const made = repeatSubmission(
    aRun({ suite: "memory", judging, options: { temperature: 0, judgeOverrides } }),
  );
  expect(made.options).toEqual({
    temperature: 0,
    judgeOverrides: { coherence: "acme:j1", empathy: "acme:j2", relevance: "acme:own" },
  });
  expect(suiteById("memory")?.optionsSchema.safeParse(made.options).success).toBe(true);
});

it("repeatSubmission() keeps the options if a run can't name judges by metric", () => {
  const options = { judge: "acme:j1" };
  expect(repeatSubmission(aRun({ judging, options })).options).toEqual(options);
});
