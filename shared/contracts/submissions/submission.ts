import { z } from "zod";
import { nameSchema } from "../bounds.ts";
import { datasetRefSchema, visibilitySchema } from "../datasets/dataset.ts";
import { relaySchema, runStatusSchema } from "../run.ts";
import { modelIdSchema, printableText } from "../text/printable-text.ts";
import { slugSchema } from "../text/slug.ts";
import { webAddress } from "../text/web-address.ts";
import { endpointHeadersSchema, endpointKeySchema } from "./endpoint-headers.ts";
import { inferenceSettingsSchema, settingsProblems } from "./inference-settings.ts";
import { plannedTestSchema } from "./planned-test.ts";
import { pricesSchema } from "./prices.ts";
import {
  batchInterfaces,
  batchProblem,
  isLoopback,
  limitParamAt,
  type ProtocolName,
  protocolAt,
  protocols,
  providerNames,
  providerOf,
  unsignedProblem,
  usualProtocol,
} from "./providers.ts";
import { runnerNameSchema } from "./runner.ts";
import { submittedAnswerSchema } from "./submitted-answer.ts";
import { promptVariantsSchema, sweepRequestSchema, variantSchema } from "./variant.ts";

const endpointFields = z.strictObject({
  provider: z.enum(providerNames).optional().meta({
    description: "a provider whose address is known, instead of baseUrl",
  }),
  baseUrl: webAddress("must be an absolute URL such as https://api.example.com/v1", /./).optional(),
  protocol: z.enum(protocols).optional().meta({
    description:
      "interface of the endpoint; default: Anthropic's or Google's own at their hosts, responses at OpenAI's, elsewhere chat_completions",
  }),
  model: modelIdSchema.meta({ description: "model name sent to the endpoint" }),
  apiKey: endpointKeySchema.optional(),
  headers: endpointHeadersSchema.optional(),
  maxTokensParam: z.enum(["max_tokens", "max_completion_tokens"]).optional().meta({
    description: "request field for maxTokens; default: the provider's, else max_tokens",
  }),
  settings: inferenceSettingsSchema.optional(),
  batches: z.enum(batchInterfaces).optional().meta({
    description:
      "batch interface of the endpoint, for mode batch; default: that of the host, if it has one",
  }),
  runner: runnerNameSchema.optional().meta({
    description:
      "name of the account's runner that calls the endpoint in its own network and has the key",
  }),
  relay: relaySchema.optional().meta({
    description:
      "baseUrl is `assay run` on this machine, which asks a program or an HTTP interface of the submitter; answers are shown as self-reported",
  }),
});

/** Address, interface and token-limit parameter of an endpoint; null if the address is missing, which is reported. */
function placeOf(
  { provider, ...given }: Omit<z.infer<typeof endpointFields>, "model">,
  context: z.RefinementCtx,
) {
  const known = provider === undefined ? undefined : providerOf(provider);
  const baseUrl = given.baseUrl ?? known?.baseUrl;
  if (baseUrl === undefined) {
    const which = provider === undefined ? ", or provider" : `: ${provider} has no common address`;
    context.addIssue({ code: "custom", path: ["baseUrl"], message: `is required${which}` });
    return null;
  }
  if (given.relay !== undefined && !isLoopback(baseUrl)) {
    const message = "is only for the address at which assay run listens, 127.0.0.1";
    context.addIssue({ code: "custom", path: ["relay"], message });
  }
  const unsigned = unsignedProblem(baseUrl);
  if (unsigned !== null) {
    context.addIssue({ code: "custom", path: ["baseUrl"], message: unsigned });
  }
  const usual = provider === undefined ? protocolAt(baseUrl) : usualProtocol(provider, baseUrl);
  const protocol = given.protocol ?? usual;
  const ofSettings = settingsProblems(given.settings ?? {}, baseUrl, protocol);
  for (const { path, message } of [
    ...runnerProblems(given),
    ...ofSettings.map((one) => ({ ...one, path: ["settings", one.path] })),
  ]) {
    context.addIssue({ code: "custom", path, message });
  }
  const unbatched = given.batches && batchProblem({ ...given, baseUrl, protocol });
  if (unbatched) {
    context.addIssue({ code: "custom", path: ["batches"], message: unbatched });
  }
  // Endpoints of runs stored by earlier versions have no protocol.
  const spoken: { protocol?: ProtocolName } = { protocol };
  return {
    baseUrl,
    ...spoken,
    maxTokensParam: given.maxTokensParam ?? known?.maxTokensParam ?? limitParamAt(baseUrl),
  };
}

/** An endpoint of a model. Keys are encrypted on arrival and never shown again. */
const endpointSchema = endpointFields
  .transform(({ provider, ...given }, context) => {
    const place = placeOf({ provider, ...given }, context);
    return place === null ? z.NEVER : { ...given, ...place };
  })
  .meta({ id: "Endpoint" });

/** An endpoint to test: the service calls it itself. Without a model, its models are listed. */
export const testedSchema = endpointFields
  .omit({ runner: true, relay: true, batches: true })
  .partial({ model: true })
  .transform(({ provider, ...given }, context) => {
    const place = placeOf({ provider, ...given }, context);
    // If no interface is named, the test tries several.
    return place === null ? z.NEVER : { ...given, ...place, protocol: given.protocol };
  })
  .meta({ id: "TestedEndpoint" });
export type Endpoint = z.infer<typeof endpointSchema>;

/** Fields that an endpoint called by a runner can't have, with the reason. */
const unlikeRunner = {
  apiKey: "stays with the runner: start it with --api-key-env, and leave the key out here",
  headers: "can't be given: the runner sends only its own key",
  relay: "is asked on this machine, without a runner",
  batches: "can't be given: a runner sends live requests",
} as const;

type UnlikeRunner = keyof typeof unlikeRunner;

const runnerProblems = (given: { [Name in UnlikeRunner | "runner"]?: unknown }) =>
  (Object.keys(unlikeRunner) as UnlikeRunner[])
    .filter((name) => given.runner !== undefined && given[name] !== undefined)
    .map((name) => ({ path: [name as string], message: unlikeRunner[name] }));

const hybridSchema = z
  .strictObject({
    local: endpointSchema,
    cloud: endpointSchema,
    confidenceThreshold: z.number().min(0).max(1).default(0.99).meta({
      description:
        "minimum confidence to keep a local answer. Confidence: `confidence` of the response body, else exp of the mean logprob, else 0",
    }),
  })
  .refine(({ cloud }) => cloud.runner === undefined, {
    path: ["cloud", "runner"],
    error: "can't be given: a runner calls only the local endpoint",
  })
  .meta({
    description:
      "the local endpoint is called first; if it fails or its confidence is too low, the cloud is called",
  });

/** Facts about a model, shown with its scores. */
const modelCardSchema = z.object({
  name: printableText(120),
  slug: slugSchema.optional(),
  url: webAddress("must be the address of a page, beginning with https:// or http://").optional(),
  license: printableText(80).optional(),
  parameters: printableText(40).optional().meta({ example: "7B" }),
  quantization: printableText(40).optional().meta({ example: "Q4_K_M" }),
  simulated: z.boolean().optional().describe("whether the model is simulated; shown on results"),
});

export const submittedModelSchema = modelCardSchema
  .extend({
    endpoint: endpointSchema.optional(),
    hybrid: hybridSchema.optional(),
    answers: z.array(submittedAnswerSchema).min(1).max(100_000).optional(),
    promptHash: z
      .string()
      .max(64)
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({
        description:
          "with answers: hash of the prompt that produced them, as shown by a run with the same options; with another hash, or without one, they are listed unranked",
      }),
    modelId: modelIdSchema.optional().meta({
      description:
        "with answers: id of the model at its provider; with an endpoint, use the endpoint's `model`",
      example: "extract-7b-2026-05-01",
    }),
    prices: pricesSchema.optional(),
  })
  .strict()
  .refine(
    ({ hybrid }) => hybrid?.local.settings === undefined && hybrid?.cloud.settings === undefined,
    {
      path: ["hybrid"],
      error: "its endpoints take no settings: evaluate each of them as a model of its own",
    },
  )
  .refine(({ modelId, answers }) => modelId === undefined || answers !== undefined, {
    path: ["modelId"],
    error: "is only for submitted answers: for an endpoint, use the endpoint's model",
  })
  .refine(
    ({ endpoint, hybrid, answers }) =>
      [endpoint, hybrid, answers].filter((one) => one !== undefined).length === 1,
    {
      error:
        "give either endpoint (Assay asks the model), hybrid (a local and a cloud endpoint, in suites that take one) or answers (made elsewhere), not both",
    },
  )
  .meta({ id: "SubmittedModel" });
export type SubmittedModel = z.infer<typeof submittedModelSchema>;

/**
 * The endpoint that is called first; null for submitted answers.
 * @example firstEndpoint({ name: "A", answers: [] }) // null
 */
export const firstEndpoint = ({ endpoint, hybrid }: SubmittedModel): Endpoint | null =>
  endpoint ?? hybrid?.local ?? null;

/** How requests are sent. */
const askingModes = ["live", "batch"] as const;

/** Options of every suite; each suite adds its own. */
export const runOptionsSchema = z
  .looseObject({
    timeoutMs: z.int().min(100).max(300_000).default(60_000),
    concurrency: z.int().min(1).max(200).default(20),
    maxRetries: z.int().min(0).max(10).default(3),
    maxCostUsd: z.number().positive().optional().meta({
      description:
        "the run pauses when it has spent this amount; requires `prices` for every model. Requests in flight, at most `concurrency`, are still completed, so the limit is exceeded by at most their cost. Failed calls that were repeated are not counted: endpoints report no tokens for them",
    }),
    sample: z
      .strictObject({ n: z.int().min(1), seed: z.int().nonnegative().default(0) })
      .optional()
      .meta({
        description: "evaluate n random samples, drawn with the seed; such a run is not ranked",
      }),
    sweep: sweepRequestSchema.optional(),
    prompts: promptVariantsSchema.optional(),
    mode: z.enum(askingModes).optional().meta({
      description:
        "batch: the model answers in batches of its provider (OpenAI, Anthropic, Google, Mistral), within a day, at half the price, without latency; default: live",
    }),
    reuseAnswers: z.boolean().optional().meta({
      description:
        "at temperature 0, reuse stored answers to requests with the same endpoint, model, messages, options and seed, each for the same repeat; they have no latency. Only a service that the command line runs on its own machine stores answers; default: false",
    }),
    plannedTest: plannedTestSchema.optional(),
    judgeMode: z.enum(askingModes).optional().meta({
      description: "batch: the judges judge in batches of their providers; default: live",
    }),
  })
  .meta({ id: "RunOptions" });

export const submissionRequestSchema = z
  .strictObject({
    suite: nameSchema.meta({ example: "extraction" }),
    dataset: datasetRefSchema,
    models: z.array(submittedModelSchema).min(1).max(20),
    options: runOptionsSchema.prefault({}),
    visibility: visibilitySchema.default("unlisted"),
  })
  .meta({ id: "SubmissionRequest" });
export type SubmissionRequest = z.infer<typeof submissionRequestSchema>;

export const submissionSchema = z
  .object({
    id: z.string(),
    status: z.enum(["queued", "running", "finished", "failed", "cancelled"]),
    suite: z.string(),
    dataset: z.object({ name: z.string(), version: z.string() }),
    createdAt: z.iso.datetime(),
    runs: z.array(
      z.object({
        id: z.string(),
        model: slugSchema,
        variant: variantSchema
          .nullable()
          .meta({ description: "options set by a sweep; null: not part of a sweep" }),
        status: runStatusSchema,
        links: z.object({
          self: z.string(),
          samples: z.string(),
          report: z.string().nullable(),
        }),
      }),
    ),
    links: z.object({
      self: z.string(),
      sweep: z.string().nullable().describe("comparison of the sweep's variants; null: no sweep"),
    }),
  })
  .meta({ id: "Submission" });
export type Submission = z.infer<typeof submissionSchema>;
