import { expect, it } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { submissionRequestSchema } from "#shared/contracts/submission.ts";
import { repeatSubmission } from "./repeat-submission.ts";

const aRun = (hybrid: Run["hybrid"]) =>
  ({
    ...{ suite: "tools", dataset: { name: "stock", version: "a".repeat(64) }, hybrid },
    ...{ model: { name: "A model" }, options: { hybridSweep: hybrid !== null } },
  }) as unknown as Run;

it.each([
  ["an endpoint", null, "endpoint"],
  ["a hybrid target", { cloudHost: "cloud.example", confidenceThreshold: 0.7 }, "hybrid"],
] as const)(
  "repeatSubmission() of a run of %s is one that the service takes",
  (_, hybrid, kind) => {
    const { models } = submissionRequestSchema.parse(repeatSubmission(aRun(hybrid)));
    expect(models[0]).toHaveProperty(kind);
    expect(models[0]?.hybrid?.confidenceThreshold).toBe(hybrid?.confidenceThreshold);
  },
);
