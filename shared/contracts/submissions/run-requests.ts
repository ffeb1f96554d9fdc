import { z } from "zod";
import { visibilitySchema } from "../datasets/dataset.ts";
import { reasonSchema } from "../operator/audit.ts";
import { endpointHeadersSchema, endpointKeySchema } from "./endpoint-headers.ts";

const secretsSchema = z.strictObject({
  apiKey: endpointKeySchema.optional(),
  headers: endpointHeadersSchema.optional(),
});

/** Body of a retry. It must contain the secrets again, because they are deleted when a run ends. */
export const retryRequestSchema = z
  .strictObject({
    endpoint: secretsSchema.optional().meta({
      description:
        "the endpoint's secrets, if the run was submitted with any; for a hybrid target, those of the local endpoint",
    }),
    cloud: secretsSchema
      .optional()
      .meta({ description: "for a hybrid target: the secrets of the cloud endpoint" }),
  })
  .meta({ id: "RetryRequest" });
export type RetryRequest = z.infer<typeof retryRequestSchema>;

/** Maximum judgings of a request. */
const MOST_JUDGINGS = 24;

/** The options for rescoring stored answers. */
export const rescoreRequestSchema = z
  .strictObject({
    options: z.record(z.string(), z.unknown()).default({}).meta({
      description: "scoring options of the suite that replace those of the run",
    }),
    judgings: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_JUDGINGS).optional().meta({
      description:
        "options of several rescorings, each added to `options`, such as judge, strictness and judgeSeed: each is a new unlisted run, on no board, to show how much the ranks depend on the judging",
    }),
  })
  .meta({ id: "RescoreRequest" });
export type RescoreRequest = z.infer<typeof rescoreRequestSchema>;

/** Why a run is hidden. */
export const hideRequestSchema = z
  .strictObject({
    reason: reasonSchema.meta({ description: "shown to the run's owner" }),
  })
  .meta({ id: "HideRequest" });

/** Changes to a paused run when it resumes. */
export const resumeRequestSchema = z
  .strictObject({
    maxCostUsd: z.number().positive().nullable().optional().meta({
      description: "new total spending limit; null: no limit; missing: unchanged",
    }),
  })
  .meta({ id: "ResumeRequest" });
export type ResumeRequest = z.infer<typeof resumeRequestSchema>;

/** Who may see a run from now on. */
export const visibilityRequestSchema = z
  .strictObject({ visibility: visibilitySchema })
  .meta({ id: "VisibilityRequest" });

/** What a change of a run's visibility would do. */
export const visibilityChangeSchema = z
  .object({
    run: z.string(),
    from: visibilitySchema,
    to: visibilitySchema,
    shows: z.array(z.string()).meta({ description: "what others will see but do not see now" }),
    hides: z.array(z.string()).meta({ description: "places that will no longer show the run" }),
  })
  .meta({ id: "VisibilityChange" });
export type VisibilityChange = z.infer<typeof visibilityChangeSchema>;
