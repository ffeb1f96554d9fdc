import { expect, it } from "vitest";
import { submissionRequestSchema } from "#shared/contracts/submissions/submission.ts";
import { exampleSubmission } from "./examples.ts";

it("exampleSubmission is valid and unlisted", () => {
  const { visibility } = submissionRequestSchema.parse(exampleSubmission);
  expect(visibility).toBe("unlisted");
});
